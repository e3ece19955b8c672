#include <assert.h>

#include "math/pool.h"
#include "views/steps/steps_view.h"

static const struct {
    const char *name;
    int step;
    bool by_token;
} PARTS[STEPS_PARTS] = {
    [STEPS_X] = {"X", 1, false},        [STEPS_Q] = {"Q", 2, false}, [STEPS_K] = {"K", 2, false},
    [STEPS_V] = {"V", 2, false},        [STEPS_S] = {"S", 3, true},  [STEPS_A] = {"A", 4, true},
    [STEPS_Z] = {"concat Z", 5, false}, [STEPS_Y] = {"Y", 6, false},
};
static_assert(STEPS_PARTS <= STEPS_PARTS_MAX, "the memory has room for all of them");

bool steps_is_by_token(StepsPart part) {
    return PARTS[part].by_token;
}

int steps_step_of(StepsPart part) {
    return PARTS[part].step;
}

const char *steps_name(const StepsNumbers *n, StepsPart part) {
    bool product = part == STEPS_Q && !attn_has_factors(n->shape);
    return product ? "X W_{QK}" : PARTS[part].name;
}

/* Return the matrix of a part in the chosen head; closed pairs of A are DRAW_CELL_MASKED. */
static Mat whole(const ViewContext *c, const StepsNumbers *n, StepsPart part) {
    const AttnShape *shape = n->shape;
    const AttnTrace *t = &n->trace;
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
    default:
        return t->Y;
    }
}

int steps_cols(const StepsNumbers *n, StepsPart part) {
    const AttnShape *shape = n->shape;
    switch (part) {
    case STEPS_Q:
    case STEPS_K:
        return n->query_count;
    case STEPS_V:
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

/* Pool all matrices as the plan asks, and find their scales. */
static bool make(const Steps *s, StepsMemory *m) {
    const ViewContext *c = s->c;
    int rows = s->plan.token_pool, T = c->run->T;
    size_t bytes = 0;
    Err err;
    for (StepsPart p = 0; p < STEPS_PARTS; p++) {
        int cols = steps_is_by_token(p) ? rows : s->plan.feature_pool;
        bytes +=
            mat_bytes(pooled_size(T, rows), pooled_size(steps_cols(&s->n, p), cols)) + ARENA_ALIGN;
    }
    if (!arena_reserve(&m->pooled, bytes, &err)) {
        ui_fail(c->ui, err.what, err.why);
        return false;
    }
    for (StepsPart p = 0; p < STEPS_PARTS; p++) {
        if (p == STEPS_K && !attn_has_factors(s->n.shape))
            continue;
        Mat from = whole(c, &s->n, p);
        int cols = steps_is_by_token(p) ? rows : s->plan.feature_pool;
        m->most[p] = mat_largest(&from);
        m->shown[p] = (Mat){0};
        if (rows == 1 && cols == 1)
            continue;
        m->shown[p] = mat_push(&m->pooled, pooled_size(T, rows), pooled_size(from.cols, cols));
        pool_blocks(&m->shown[p], &from, rows, cols);
    }
    return true;
}

bool steps_prepare(const Steps *s) {
    StepsMemory *m = &s->c->memory->steps;
    const StepsPlan *plan = &s->plan;
    if (m->revision == s->c->run->revision && m->head == s->n.at.head &&
        m->token_pool == plan->token_pool && m->feature_pool == plan->feature_pool)
        return true;
    m->revision = 0;
    if (!make(s, m))
        return false;
    m->revision = s->c->run->revision;
    m->head = s->n.at.head;
    m->token_pool = plan->token_pool;
    m->feature_pool = plan->feature_pool;
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
