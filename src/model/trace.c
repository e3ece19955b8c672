#include <stddef.h>

#include "base/util.h"
#include "model/backward.h"
#include "model/block.h"

#define LINE_FLOATS 16 /* of a cache line */
#define LONG_ROW    256

typedef enum TraceAxis {
    TRACE_H,
    TRACE_T,
    TRACE_D,
    TRACE_E,
    TRACE_K,
    TRACE_HT,
    TRACE_HE,
    TRACE_HV,
    TRACE_FUSED,
    TRACE_AXIS_COUNT
} TraceAxis;

/* A matrix that a trace owns, and the shapes that have it. Where there are factors, Q, K and V
 * are views of fused. */
typedef struct TraceRow {
    size_t at; /* offset in AttnTrace or AttnBack */
    TraceAxis rows, cols;
    bool (*used)(const AttnShape *shape);
} TraceRow;

static bool always(const AttnShape *shape) {
    (void)shape;
    return true;
}

static bool has_products(const AttnShape *shape) {
    return !attn_has_factors(shape);
}

/* The free form's W_QK is a parameter, of which the trace has a view. */
static bool owns_products(const AttnShape *shape) {
    return has_products(shape) && shape->form != FORM_FREE;
}

static bool is_rank(const AttnShape *shape) {
    return shape->form == FORM_RANK;
}

static bool is_nested(const AttnShape *shape) {
    return shape->form == FORM_NESTED;
}

static bool has_turn(const AttnShape *shape) {
    return shape->rope;
}

static bool is_post_norm(const AttnShape *shape) {
    return shape->block == BLOCK_POST_NORM;
}

static const TraceRow TRACE[] = {
    {offsetof(AttnTrace, input), TRACE_T, TRACE_E, block_owns_input},
    {offsetof(AttnTrace, nested[0]), TRACE_T, TRACE_D, is_nested},
    {offsetof(AttnTrace, nested[1]), TRACE_T, TRACE_D, is_nested},
    {offsetof(AttnTrace, nested[2]), TRACE_T, TRACE_D, is_nested},
    {offsetof(AttnTrace, fused), TRACE_T, TRACE_FUSED, attn_has_factors},
    {offsetof(AttnTrace, V), TRACE_T, TRACE_HV, has_products},
    {offsetof(AttnTrace, turn), TRACE_T, TRACE_K, has_turn},
    {offsetof(AttnTrace, W_QK), TRACE_HE, TRACE_E, owns_products},
    {offsetof(AttnTrace, W_QK_exact), TRACE_HE, TRACE_E, is_rank},
    {offsetof(AttnTrace, sigma), TRACE_H, TRACE_E, is_rank},
    {offsetof(AttnTrace, XW), TRACE_T, TRACE_HE, has_products},
    {offsetof(AttnTrace, S), TRACE_HT, TRACE_T, always},
    {offsetof(AttnTrace, A), TRACE_HT, TRACE_T, always},
    {offsetof(AttnTrace, Z), TRACE_T, TRACE_HV, always},
    {offsetof(AttnTrace, sum), TRACE_T, TRACE_D, is_post_norm},
    {offsetof(AttnTrace, Y), TRACE_T, TRACE_D, always},
};

static const TraceRow BACK[] = {
    {offsetof(AttnBack, X), TRACE_T, TRACE_D, always},
    {offsetof(AttnBack, nested[0]), TRACE_T, TRACE_D, is_nested},
    {offsetof(AttnBack, nested[1]), TRACE_T, TRACE_D, is_nested},
    {offsetof(AttnBack, nested[2]), TRACE_T, TRACE_D, is_nested},
    {offsetof(AttnBack, fused), TRACE_T, TRACE_FUSED, attn_has_factors},
    {offsetof(AttnBack, V), TRACE_T, TRACE_HV, has_products},
    {offsetof(AttnBack, XW), TRACE_T, TRACE_HE, has_products},
    {offsetof(AttnBack, S), TRACE_HT, TRACE_T, always},
    {offsetof(AttnBack, A), TRACE_HT, TRACE_T, always},
    {offsetof(AttnBack, Z), TRACE_T, TRACE_HV, always},
    {offsetof(AttnBack, sum), TRACE_T, TRACE_D, is_post_norm},
};

static void trace_axes(int sizes[TRACE_AXIS_COUNT], const AttnShape *shape) {
    int E = attn_input_width(shape);
    sizes[TRACE_H] = shape->H;
    sizes[TRACE_T] = shape->T;
    sizes[TRACE_D] = shape->D;
    sizes[TRACE_E] = E;
    sizes[TRACE_K] = shape->K;
    sizes[TRACE_HT] = shape->H * shape->T;
    sizes[TRACE_HE] = shape->H * E;
    sizes[TRACE_HV] = shape->H * shape->V;
    sizes[TRACE_FUSED] = attn_fused_width(shape);
}

/* Floats from a token's row to the next: where rows are long an odd number of cache lines, so that
 * the rows of a column of one head do not crowd in a few sets of a cache. */
static int stride_of(const TraceRow *row, const int sizes[TRACE_AXIS_COUNT]) {
    int cols = sizes[row->cols], lines = (cols + LINE_FLOATS - 1) / LINE_FLOATS;
    return row->rows == TRACE_T && cols >= LONG_ROW ? (lines | 1) * LINE_FLOATS : cols;
}

static size_t rows_bytes(const TraceRow *rows, size_t count, const AttnShape *shape) {
    int sizes[TRACE_AXIS_COUNT];
    size_t bytes = 0;
    trace_axes(sizes, shape);
    for (size_t i = 0; i < count; i++)
        if (rows[i].used(shape))
            bytes =
                mat_bytes_add(bytes, mat_bytes(sizes[rows[i].rows], stride_of(&rows[i], sizes)));
    return bytes;
}

static void rows_push(void *trace, Arena *arena, const TraceRow *rows, size_t count,
                      const AttnShape *shape) {
    int sizes[TRACE_AXIS_COUNT];
    trace_axes(sizes, shape);
    for (size_t i = 0; i < count; i++)
        if (rows[i].used(shape)) {
            Mat spaced = mat_push(arena, sizes[rows[i].rows], stride_of(&rows[i], sizes));
            *(Mat *)(void *)((char *)trace + rows[i].at) =
                mat_cols(&spaced, 0, sizes[rows[i].cols]);
        }
}

/* Q, K and V as the columns of the fused matrix. */
static void split_fused(Mat *Q, Mat *K, Mat *V, const Mat *fused, const AttnShape *shape) {
    int HK = shape->H * shape->K;
    *Q = mat_cols(fused, 0, HK);
    *K = mat_cols(fused, HK, HK);
    *V = mat_cols(fused, 2 * HK, shape->H * shape->V);
}

size_t attn_trace_bytes(const AttnShape *shape) {
    return rows_bytes(TRACE, ARRAY_COUNT(TRACE), shape);
}

AttnTrace attn_trace_push(Arena *arena, const AttnShape *shape) {
    AttnTrace trace = {0};
    rows_push(&trace, arena, TRACE, ARRAY_COUNT(TRACE), shape);
    if (trace.fused.rows > 0)
        split_fused(&trace.Q, &trace.K, &trace.V, &trace.fused, shape);
    return trace;
}

AttnTrace attn_trace_rows(const AttnTrace *trace, const AttnShape *shape, int first, int count) {
    AttnTrace part = *trace;
    for (size_t i = 0; i < ARRAY_COUNT(TRACE); i++) {
        Mat *m = (Mat *)(void *)((char *)&part + TRACE[i].at);
        if (TRACE[i].rows == TRACE_T && m->rows > 0)
            *m = mat_rows(m, first, count);
    }
    if (part.fused.rows > 0)
        split_fused(&part.Q, &part.K, &part.V, &part.fused, shape);
    return part;
}

size_t attn_back_bytes(const AttnShape *shape) {
    return rows_bytes(BACK, ARRAY_COUNT(BACK), shape);
}

AttnBack attn_back_push(Arena *arena, const AttnShape *shape) {
    AttnBack back = {0};
    rows_push(&back, arena, BACK, ARRAY_COUNT(BACK), shape);
    if (back.fused.rows > 0)
        split_fused(&back.Q, &back.K, &back.V, &back.fused, shape);
    return back;
}
