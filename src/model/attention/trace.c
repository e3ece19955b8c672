#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/attention/backward.h"
#include "model/attention/block.h"
#include "model/attention/params.h"

#define LINE_FLOATS 16 /* floats in a cache line */
#define LONG_ROW    256

typedef struct ShapeMembers {
    int whole[14];
    float real[9];
} ShapeMembers;

static ShapeMembers members_of(const AttnShape *s) {
    const AttnTraits *t = &s->traits;
    const Rope *r = &t->rope;
    return (ShapeMembers){{s->T, s->D, s->H, s->K, s->V, s->rank, (int)s->form, (int)s->bias,
                           (int)s->block, s->rope, t->norm.rms, r->width, t->window, t->key_heads},
                          {s->score_factor, t->norm.epsilon, r->base, r->factor, r->low, r->high,
                           r->old, t->qk_epsilon, t->cap}};
}

bool attn_shape_equal(const AttnShape *a, const AttnShape *b) {
    ShapeMembers left = members_of(a), right = members_of(b);
    bool equal = memcmp(left.whole, right.whole, sizeof left.whole) == 0;
    for (size_t i = 0; i < ARRAY_COUNT(left.real); i++)
        equal = equal && left.real[i] == right.real[i];
    return equal;
}

uint64_t attn_shape_hash(const AttnShape *shape) {
    ShapeMembers members = members_of(shape);
    return rng_hash(&members, sizeof members);
}

bool attn_shape_has(const AttnShape *shape, unsigned features) {
    static const unsigned forms[FORM_COUNT] = {[FORM_SEPARATE] = SHAPE_PAIR,
                                               [FORM_MERGED] = SHAPE_PAIR,
                                               [FORM_RANK] = SHAPE_PAIR | SHAPE_RANK,
                                               [FORM_FREE] = SHAPE_FREE,
                                               [FORM_NESTED] = SHAPE_PAIR | SHAPE_NESTED};
    static const unsigned biases[BIAS_COUNT] = {
        [BIAS_OUTPUT] = SHAPE_OUTER_BIAS, [BIAS_ALL] = SHAPE_OUTER_BIAS | SHAPE_INNER_BIAS};
    unsigned has = forms[shape->form] | biases[shape->bias] |
                   (attn_has_factors(shape) ? SHAPE_FACTORS : SHAPE_PRODUCTS) |
                   (shape->rope ? SHAPE_ROPE : 0u) |
                   (shape->traits.qk_epsilon > 0 ? SHAPE_QK_NORM : 0u) |
                   (block_owns_input(shape) ? SHAPE_OWN_INPUT : 0u) |
                   (shape->block == BLOCK_POST_NORM ? SHAPE_POST_NORM : 0u);
    return (features & ~has) == 0;
}

/* The parameters that are views of AttnParams.fused: each weight is a range of its columns, each
 * bias a part of its last row. */
static const AttnParam FUSED[][2] = {
    {ATTN_W_Q, ATTN_B_Q}, {ATTN_W_K, ATTN_B_K}, {ATTN_W_V, ATTN_B_V}};

static bool stands_alone(AttnParam param, const AttnShape *shape) {
    bool is_fused = false;
    for (size_t i = 0; i < ARRAY_COUNT(FUSED); i++)
        is_fused = is_fused || FUSED[i][0] == param || FUSED[i][1] == param;
    return !is_fused && param_used(param, shape);
}

static int param_rows(AttnParam param, const AttnShape *shape) {
    return param_axis_size(PARAMS[param].rows, shape);
}

static int param_cols(AttnParam param, const AttnShape *shape) {
    return param_axis_size(PARAMS[param].cols, shape);
}

uint64_t attn_params_bytes(const AttnShape *shape) {
    uint64_t bytes = mat_bytes(attn_input_width(shape), param_axis_size(AXIS_FUSED, shape));
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (stands_alone(p, shape))
            bytes += mat_bytes(param_rows(p, shape), param_cols(p, shape));
    for (int i = 0; i < 2 && shape->traits.qk_epsilon > 0; i++)
        bytes += mat_bytes(1, shape->K);
    return bytes;
}

AttnParams attn_params_push(Arena *arena, const AttnShape *shape) {
    AttnParams params = {
        .fused = mat_push(arena, attn_input_width(shape), param_axis_size(AXIS_FUSED, shape))};
    int used = 0;
    for (size_t i = 0; i < ARRAY_COUNT(FUSED); i++) {
        AttnParam weight = FUSED[i][0], bias = FUSED[i][1];
        if (!param_used(weight, shape))
            continue;
        Mat block = mat_cols(&params.fused, used, param_cols(weight, shape));
        params.p[weight] = mat_rows(&block, 0, shape->D);
        if (param_used(bias, shape))
            params.p[bias] = mat_rows(&block, shape->D, 1);
        used += block.cols;
    }
    assert(used == params.fused.cols);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (stands_alone(p, shape))
            params.p[p] = mat_push(arena, param_rows(p, shape), param_cols(p, shape));
    for (int i = 0; i < 2 && shape->traits.qk_epsilon > 0; i++) {
        params.gain[i] = mat_push(arena, 1, shape->K);
        for (int k = 0; k < shape->K; k++)
            params.gain[i].at[k] = 1;
    }
    return params;
}

Mat attn_head_scores(const Mat *m, const AttnShape *shape, int head) {
    assert(head >= 0 && head < shape->H);
    Mat rows = mat_rows(m, m->rows / shape->H * head, shape->T);
    return mat_cols(&rows, 0, shape->T);
}

Mat attn_head_query(const Mat *m, const AttnShape *shape, int head) {
    assert(head >= 0 && head < shape->H);
    return mat_cols(m, head * shape->K, shape->K);
}

Mat attn_head_value(const Mat *m, const AttnShape *shape, int head) {
    assert(head >= 0 && head < shape->H);
    return mat_cols(m, head * shape->V, shape->V);
}

Mat attn_head_product(const Mat *m, const AttnShape *shape, int head) {
    assert(head >= 0 && head < shape->H);
    int E = attn_input_width(shape);
    return mat_rows(m, head * E, E);
}

Mat attn_head_factor(const AttnParams *params, const AttnShape *shape, AttnParam which, int head) {
    int width = which == ATTN_W_V ? shape->V : shape->K;
    int first = which == ATTN_W_V   ? params->fused.cols - shape->H * shape->V
                : which == ATTN_W_K ? shape->H * shape->K
                                    : 0;
    assert(head >= 0 && head < shape->H);
    return mat_cols(&params->fused, first + head * width, width);
}

/* A matrix owned by a trace, and the shapes that have it. In forms with factors, Q, K and V are
 * views of fused. */
typedef struct TraceRow {
    size_t at; /* offset in AttnTrace or AttnBack */
    ParamAxis rows, cols;
    unsigned needs; /* SHAPE_… bits: a shape with all of them has it */
} TraceRow;

static const TraceRow TRACE[] = {
    {offsetof(AttnTrace, input), AXIS_T, AXIS_E, SHAPE_OWN_INPUT},
    {offsetof(AttnTrace, nested[0]), AXIS_T, AXIS_D, SHAPE_NESTED},
    {offsetof(AttnTrace, nested[1]), AXIS_T, AXIS_D, SHAPE_NESTED},
    {offsetof(AttnTrace, nested[2]), AXIS_T, AXIS_D, SHAPE_NESTED},
    {offsetof(AttnTrace, fused), AXIS_T, AXIS_FUSED, SHAPE_FACTORS},
    {offsetof(AttnTrace, V), AXIS_T, AXIS_HV, SHAPE_PRODUCTS},
    {offsetof(AttnTrace, unnormed), AXIS_T, AXIS_FUSED, SHAPE_QK_NORM},
    {offsetof(AttnTrace, rotations), AXIS_T, AXIS_K, SHAPE_ROPE},
    /* The free form's W_QK is a parameter; the trace has a view of it. */
    {offsetof(AttnTrace, W_QK), AXIS_HE, AXIS_E, SHAPE_PRODUCTS | SHAPE_PAIR},
    {offsetof(AttnTrace, W_QK_exact), AXIS_HE, AXIS_E, SHAPE_RANK},
    {offsetof(AttnTrace, sigma), AXIS_H, AXIS_E, SHAPE_RANK},
    {offsetof(AttnTrace, XW), AXIS_T, AXIS_HE, SHAPE_PRODUCTS},
    {offsetof(AttnTrace, S), AXIS_HT, AXIS_T, 0},
    {offsetof(AttnTrace, A), AXIS_HT, AXIS_T, 0},
    {offsetof(AttnTrace, Z), AXIS_T, AXIS_HV, 0},
    {offsetof(AttnTrace, sum), AXIS_T, AXIS_D, SHAPE_POST_NORM},
    {offsetof(AttnTrace, Y), AXIS_T, AXIS_D, 0},
};

static const TraceRow BACK[] = {
    {offsetof(AttnBack, X), AXIS_T, AXIS_D, 0},
    {offsetof(AttnBack, nested[0]), AXIS_T, AXIS_D, SHAPE_NESTED},
    {offsetof(AttnBack, nested[1]), AXIS_T, AXIS_D, SHAPE_NESTED},
    {offsetof(AttnBack, nested[2]), AXIS_T, AXIS_D, SHAPE_NESTED},
    {offsetof(AttnBack, fused), AXIS_T, AXIS_FUSED, SHAPE_FACTORS},
    {offsetof(AttnBack, V), AXIS_T, AXIS_HV, SHAPE_PRODUCTS},
    {offsetof(AttnBack, XW), AXIS_T, AXIS_HE, SHAPE_PRODUCTS},
    {offsetof(AttnBack, S), AXIS_HT, AXIS_T, 0},
    {offsetof(AttnBack, A), AXIS_HT, AXIS_T, 0},
    {offsetof(AttnBack, Z), AXIS_T, AXIS_HV, 0},
    {offsetof(AttnBack, sum), AXIS_T, AXIS_D, SHAPE_POST_NORM},
};

/* Return the floats from one row to the next. Long rows of tokens take an odd number of cache
 * lines, so that a column does not use only a few sets of the cache. */
static int stride_of(const TraceRow *row, const AttnShape *shape) {
    int cols = param_axis_size(row->cols, shape), lines = (cols + LINE_FLOATS - 1) / LINE_FLOATS;
    return row->rows == AXIS_T && cols >= LONG_ROW ? (lines | 1) * LINE_FLOATS : cols;
}

/* Return the bytes of the matrices with an axis of tokens or, if of_tokens is false, of those
 * without one. Push these matrices unless arena is NULL. */
static uint64_t rows_push(void *trace, Arena *arena, const TraceRow *rows, size_t count,
                          const AttnShape *shape, bool of_tokens) {
    uint64_t bytes = 0;
    for (const TraceRow *row = rows; row < rows + count; row++) {
        bool has_tokens = row->rows == AXIS_T || row->rows == AXIS_HT;
        if (!attn_shape_has(shape, row->needs) || has_tokens != of_tokens)
            continue;
        int height = param_axis_size(row->rows, shape), stride = stride_of(row, shape);
        bytes += mat_bytes(height, stride);
        if (arena == NULL)
            continue;
        Mat spaced = mat_push(arena, height, stride);
        *(Mat *)(void *)((char *)trace + row->at) =
            mat_cols(&spaced, 0, param_axis_size(row->cols, shape));
    }
    return bytes;
}

/* Make Q, K and V views of the fused matrix's columns. */
static void split_fused(Mat *Q, Mat *K, Mat *V, const Mat *fused, const AttnShape *shape) {
    int HK = shape->H * shape->K;
    *Q = mat_cols(fused, 0, HK);
    *K = mat_cols(fused, HK, HK);
    *V = mat_cols(fused, 2 * HK, shape->H * shape->V);
}

uint64_t attn_fold_bytes(const AttnShape *shape) {
    return rows_push(NULL, NULL, TRACE, ARRAY_COUNT(TRACE), shape, false);
}

void attn_fold_push(AttnTrace *trace, Arena *arena, const AttnShape *shape) {
    rows_push(trace, arena, TRACE, ARRAY_COUNT(TRACE), shape, false);
}

uint64_t attn_pass_bytes(const AttnShape *shape) {
    return rows_push(NULL, NULL, TRACE, ARRAY_COUNT(TRACE), shape, true);
}

void attn_pass_push(AttnTrace *trace, Arena *arena, const AttnShape *shape) {
    rows_push(trace, arena, TRACE, ARRAY_COUNT(TRACE), shape, true);
    if (trace->fused.rows > 0)
        split_fused(&trace->Q, &trace->K, &trace->V, &trace->fused, shape);
}

uint64_t attn_trace_bytes(const AttnShape *shape) {
    return attn_fold_bytes(shape) + attn_pass_bytes(shape);
}

AttnTrace attn_trace_push(Arena *arena, const AttnShape *shape) {
    AttnTrace trace = {0};
    attn_fold_push(&trace, arena, shape);
    attn_pass_push(&trace, arena, shape);
    return trace;
}

uint64_t attn_back_bytes(const AttnShape *shape) {
    return rows_push(NULL, NULL, BACK, ARRAY_COUNT(BACK), shape, true);
}

AttnBack attn_back_push(Arena *arena, const AttnShape *shape) {
    AttnBack back = {0};
    rows_push(&back, arena, BACK, ARRAY_COUNT(BACK), shape, true);
    if (back.fused.rows > 0)
        split_fused(&back.Q, &back.K, &back.V, &back.fused, shape);
    return back;
}
