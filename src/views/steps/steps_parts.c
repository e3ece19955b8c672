#include <assert.h>

#include "math/pool.h"
#include "views/steps/steps_view.h"

static const struct {
    const char *name;
    int step;
    bool by_token;
} PARTS[STEPS_ALL] = {
    [STEPS_X] = {"X", 1, false},        [STEPS_Q] = {"Q", 2, false},
    [STEPS_K] = {"K", 2, false},        [STEPS_V] = {"V", 2, false},
    [STEPS_S] = {"S", 3, true},         [STEPS_A] = {"A", 4, true},
    [STEPS_Z] = {"concat Z", 5, false}, [STEPS_Y] = {"Y", 6, false},
    [STEPS_W_Q] = {"W_Q", 2, false},    [STEPS_W_K] = {"W_K", 2, false},
    [STEPS_W_V] = {"W_V", 2, false},    [STEPS_W_O] = {"W_O", 6, false},
};
static_assert(STEPS_ALL <= STEPS_PARTS_MAX, "the memory has room for all of them");

bool steps_is_by_token(StepsPart part) {
    return PARTS[part].by_token;
}

int steps_step_of(StepsPart part) {
    return PARTS[part].step;
}

bool steps_is_learned(StepsPart part) {
    return part >= STEPS_W_Q;
}

StepsPart steps_made_by(StepsPart learned) {
    return learned == STEPS_W_O ? STEPS_Y : STEPS_Q + (learned - STEPS_W_Q);
}

const char *steps_name(const StepsNumbers *n, StepsPart part) {
    if (part == STEPS_W_Q && !attn_has_factors(n->shape))
        return "W_{QK}";
    bool product = part == STEPS_Q && !attn_has_factors(n->shape);
    return product ? "X W_{QK}" : PARTS[part].name;
}

/* Return the matrix of a part in the chosen head; closed pairs of A are DRAW_CELL_MASKED. */
static Mat whole(const ViewContext *c, const StepsNumbers *n, StepsPart part) {
    const AttnShape *shape = n->shape;
    const AttnTrace *t = &n->trace;
    const Mat *params = c->run->layers[0].params.p;
    int head = n->at.head, E = attn_input_width(shape);
    switch (part) {
    case STEPS_X:
        return c->run->X;
    case STEPS_Q:
        return attn_has_factors(shape) ? attn_head_query(&t->Q, shape, head)
                                       : mat_cols(&t->XW, head * E, E);
    case STEPS_K:
        return attn_head_query(&t->K, shape, head);
    case STEPS_V:
        return attn_head_value(&t->V, shape, head);
    case STEPS_S:
        return results_scores(c->run, 0, head);
    case STEPS_A:
        return view_weights(c, 0, head);
    case STEPS_Z:
        return t->Z;
    case STEPS_W_Q:
        return attn_has_factors(shape) ? attn_head_query(&params[ATTN_W_Q], shape, head)
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

int steps_rows(const StepsNumbers *n, StepsPart part) {
    const AttnShape *shape = n->shape;
    if (!steps_is_learned(part))
        return shape->T;
    bool is_product = part == STEPS_W_Q && !attn_has_factors(shape);
    return part == STEPS_W_O ? shape->H * shape->V
           : is_product      ? attn_input_width(shape)
                             : shape->D;
}

int steps_cols(const StepsNumbers *n, StepsPart part) {
    const AttnShape *shape = n->shape;
    switch (part) {
    case STEPS_Q:
    case STEPS_K:
    case STEPS_W_Q:
    case STEPS_W_K:
        return n->query_count;
    case STEPS_V:
    case STEPS_W_V:
        return shape->V;
    case STEPS_S:
    case STEPS_A:
        return shape->T;
    case STEPS_Z:
        return shape->H * shape->V;
    default:
        return shape->D;
    }
}

static int pooled_size(int size, int pool) {
    return (size + pool - 1) / pool;
}

/* Find the number of a part's entries that share a cell, down and across. */
static void pools(const Steps *s, StepsPart part, int *rows, int *cols) {
    *rows = steps_is_learned(part) ? s->plan.weight_pool : s->plan.token_pool;
    *cols = steps_is_by_token(part) ? s->plan.token_pool : s->plan.feature_pool;
}

/* Pool all matrices as the plan requires, and find the ends of their colour scales. */
static bool make(const Steps *s, StepsMemory *m) {
    const ViewContext *c = s->c;
    size_t bytes = 0;
    int rows, cols;
    Err err;
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        pools(s, p, &rows, &cols);
        if (s->plan.part[p].w > 0)
            bytes += mat_bytes(pooled_size(steps_rows(&s->n, p), rows),
                               pooled_size(steps_cols(&s->n, p), cols)) +
                     ARENA_ALIGN;
    }
    if (!arena_reserve(&m->pooled, bytes, &err)) {
        ui_fail(c->ui, err.what, err.why);
        return false;
    }
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        if (s->plan.part[p].w <= 0)
            continue;
        Mat from = whole(c, &s->n, p);
        pools(s, p, &rows, &cols);
        m->most[p] = mat_largest(&from);
        m->shown[p] = (Mat){0};
        if (rows == 1 && cols == 1)
            continue;
        m->shown[p] =
            mat_push(&m->pooled, pooled_size(from.rows, rows), pooled_size(from.cols, cols));
        pool_blocks(&m->shown[p], &from, rows, cols);
    }
    return true;
}

/* Count the numbers that changed since the previous Results, unless the count is known. */
static void count_change(const Steps *s, StepsMemory *m) {
    const ViewContext *c = s->c;
    uint64_t before = c->before != NULL ? c->before->revision : 0;
    if (m->revision == c->run->revision && m->head == s->n.at.head && m->before == before)
        return;
    m->before = before;
    if (before != 0)
        m->change = results_change(c->before, c->run, s->n.at.head);
}

bool steps_prepare(const Steps *s) {
    StepsMemory *m = &s->c->memory->steps;
    const StepsPlan *plan = &s->plan;
    if (plan->weight_pool > 0)
        count_change(s, m);
    if (m->revision == s->c->run->revision && m->head == s->n.at.head &&
        m->token_pool == plan->token_pool && m->feature_pool == plan->feature_pool &&
        m->weight_pool == plan->weight_pool)
        return true;
    m->revision = 0;
    if (!make(s, m))
        return false;
    m->revision = s->c->run->revision;
    m->head = s->n.at.head;
    m->token_pool = plan->token_pool;
    m->feature_pool = plan->feature_pool;
    m->weight_pool = plan->weight_pool;
    return true;
}

Mat steps_values(const Steps *s, StepsPart part) {
    const Mat *shown = &s->c->memory->steps.shown[part];
    return shown->rows > 0 ? *shown : whole(s->c, &s->n, part);
}

float steps_value(const Steps *s, StepsPart part, int row, int col) {
    Mat m = whole(s->c, &s->n, part);
    return mat_row(&m, row)[col];
}

void steps_release(StepsMemory *memory) {
    arena_release(&memory->pooled);
}
