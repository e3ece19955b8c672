#include <assert.h>

#include "math/pool.h"
#include "views/steps/steps_view.h"

const StepsPartRow STEPS_PART[STEPS_ALL] = {
    [STEPS_X] = {"X", 1, .hand = HAND_X},
    [STEPS_Q] = {"Q", 2, .hand = -1},
    [STEPS_K] = {"K", 2, .of_keys = true, .hand = -1},
    [STEPS_V] = {"V", 2, .of_keys = true, .hand = -1},
    [STEPS_S] = {"S", 3, .by_token = true, .hand = HAND_S},
    [STEPS_A] = {"A", 4, .by_token = true, .hand = HAND_S},
    [STEPS_Z] = {"concat Z", 5, .hand = -1},
    [STEPS_Y] = {"Y", 6, .hand = -1},
    [STEPS_W_Q] = {"W_Q", 2, .hand = ATTN_W_Q, .made = STEPS_Q},
    [STEPS_W_K] = {"W_K", 2, .hand = ATTN_W_K, .made = STEPS_K},
    [STEPS_W_V] = {"W_V", 2, .hand = ATTN_W_V, .made = STEPS_V},
    [STEPS_W_O] = {"W_O", 6, .hand = ATTN_W_O, .made = STEPS_Y},
};
static_assert(STEPS_ALL <= STEPS_PARTS_MAX, "the memory has room for all matrices");

const char *steps_name(const CellStory *n, StepsPart part) {
    bool factors = attn_has_factors(n->shape);
    return part == STEPS_W_Q && !factors ? "W_{QK}"
           : part == STEPS_Q && !factors ? "X W_{QK}"
                                         : STEPS_PART[part].name;
}

Mat steps_matrix(const Steps *s, StepsPart part) {
    const Results *run = s->c->run;
    const AttnShape *shape = s->n.shape;
    const AttnTrace *t = s->n.trace;
    const Mat *params = run->layers[0].params.p;
    int head = s->n.at.head, E = attn_input_width(shape);
    bool factors = attn_has_factors(shape);
    switch (part) {
    case STEPS_X:
        return run->X;
    case STEPS_Q:
        return factors ? attn_head_query(&t->Q, shape, head) : mat_cols(&t->XW, head * E, E);
    case STEPS_K:
        return attn_head_query(&t->K, shape, head);
    case STEPS_V:
        return attn_head_value(&t->V, shape, head);
    case STEPS_S:
        return results_scores(run, 0, head);
    case STEPS_A:
        return view_weights(s->c, 0, head);
    case STEPS_Z:
        return t->Z;
    case STEPS_W_Q:
        return factors ? attn_head_query(&params[ATTN_W_Q], shape, head)
                       : attn_head_product(&t->W_QK, shape, head);
    case STEPS_W_K:
        return attn_head_query(&params[ATTN_W_K], shape, head);
    case STEPS_W_V:
        return attn_head_value(&params[ATTN_W_V], shape, head);
    case STEPS_W_O:
        return params[ATTN_W_O];
    default:
        return t->Y;
    }
}

int steps_rows(const CellStory *n, StepsPart part) {
    bool is_product = part == STEPS_W_Q && !attn_has_factors(n->shape);
    return !steps_is_learned(part) ? n->shape->T
           : part == STEPS_W_O     ? n->shape->H * n->shape->V
           : is_product            ? attn_input_width(n->shape)
                                   : n->shape->D;
}

int steps_cols(const CellStory *n, StepsPart part) {
    StepsPart made = steps_is_learned(part) ? STEPS_PART[part].made : part;
    return STEPS_PART[made].by_token            ? n->shape->T
           : made == STEPS_Q || made == STEPS_K ? n->query_count
           : made == STEPS_V                    ? n->shape->V
           : made == STEPS_Z                    ? n->shape->H * n->shape->V
                                                : n->shape->D;
}

/* How a matrix is pooled to rows × cols cells: each cell shows a block of down × across entries. */
typedef struct Pooling {
    int rows, cols, down, across;
} Pooling;

static Pooling pooling_of(const Steps *s, StepsPart part) {
    int down = steps_is_learned(part) ? s->plan.weight_pool : s->plan.token_pool;
    int across = STEPS_PART[part].by_token ? s->plan.token_pool : s->plan.feature_pool;
    return (Pooling){(steps_rows(&s->n, part) + down - 1) / down,
                     (steps_cols(&s->n, part) + across - 1) / across, down, across};
}

/* Pool all matrices to the sizes in the plan, and find the ends of their colour scales. */
static bool pool_parts(const Steps *s, StepsMemory *m) {
    size_t bytes = 0;
    Err err;
    for (StepsPart p = 0; p < STEPS_ALL; p++)
        if (s->plan.part[p].w > 0) {
            Pooling to = pooling_of(s, p);
            bytes += mat_bytes(to.rows, to.cols) + ARENA_ALIGN;
        }
    if (!arena_reserve(&m->pooled, bytes, &err)) {
        ui_fail(s->c->ui, err.what, err.why);
        return false;
    }
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        if (s->plan.part[p].w <= 0)
            continue;
        Mat from = steps_matrix(s, p);
        Pooling to = pooling_of(s, p);
        m->most[p] = mat_largest(&from);
        m->shown[p] = (Mat){0};
        if (to.down == 1 && to.across == 1)
            continue;
        m->shown[p] = mat_push(&m->pooled, to.rows, to.cols);
        pool_blocks(&m->shown[p], &from, to.down, to.across);
    }
    return true;
}

bool steps_prepare(const Steps *s) {
    const ViewContext *c = s->c;
    StepsMemory *m = &c->memory->steps;
    const StepsPlan *plan = &s->plan;
    bool is_same = m->revision == c->run->revision && m->head == s->n.at.head;
    uint64_t before = c->before != NULL ? c->before->revision : 0;
    if (plan->weight_pool > 0 && !(is_same && m->before == before)) {
        m->before = before;
        if (before != 0)
            m->change = results_change(c->before, c->run, s->n.at.head);
    }
    if (is_same && m->token_pool == plan->token_pool && m->feature_pool == plan->feature_pool &&
        m->weight_pool == plan->weight_pool)
        return true;
    m->revision = 0;
    if (!pool_parts(s, m))
        return false;
    m->revision = c->run->revision;
    m->head = s->n.at.head;
    m->token_pool = plan->token_pool;
    m->feature_pool = plan->feature_pool;
    m->weight_pool = plan->weight_pool;
    return true;
}

void steps_release(StepsMemory *memory) {
    arena_release(&memory->pooled);
}
