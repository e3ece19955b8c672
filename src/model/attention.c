#include "model/attention.h"

#include <assert.h>
#include <stdint.h>

#include "base/util.h"
#include "math/softmax.h"
#include "model/form.h"
#include "model/params.h"

typedef enum TraceAxis {
    TRACE_T,
    TRACE_D,
    TRACE_HT,
    TRACE_HD,
    TRACE_HV,
    TRACE_FUSED,
    TRACE_AXIS_COUNT
} TraceAxis;

/* A matrix that the trace owns, and the forms that have it as bits. Q, K and V of the separate
 * form are views of fused. */
typedef struct TraceRow {
    size_t at; /* offset in AttnTrace */
    TraceAxis rows, cols;
    unsigned forms;
} TraceRow;

#define IN(form) (1U << (form))
#define IN_ALL   (~0U)

static const TraceRow TRACE[] = {
    {offsetof(AttnTrace, fused), TRACE_T, TRACE_FUSED, IN(FORM_SEPARATE)},
    {offsetof(AttnTrace, V), TRACE_T, TRACE_HV, IN(FORM_MERGED)},
    {offsetof(AttnTrace, W_QK), TRACE_HD, TRACE_D, IN(FORM_MERGED)},
    {offsetof(AttnTrace, XW), TRACE_T, TRACE_HD, IN(FORM_MERGED)},
    {offsetof(AttnTrace, S), TRACE_HT, TRACE_T, IN_ALL},
    {offsetof(AttnTrace, A), TRACE_HT, TRACE_T, IN_ALL},
    {offsetof(AttnTrace, Z), TRACE_T, TRACE_HV, IN_ALL},
    {offsetof(AttnTrace, Y), TRACE_T, TRACE_D, IN_ALL},
};

static int fused_width(const AttnShape *shape) {
    return 2 * shape->H * shape->K + shape->H * shape->V;
}

static void trace_axes(int sizes[TRACE_AXIS_COUNT], const AttnShape *shape) {
    sizes[TRACE_T] = shape->T;
    sizes[TRACE_D] = shape->D;
    sizes[TRACE_HT] = shape->H * shape->T;
    sizes[TRACE_HD] = shape->H * shape->D;
    sizes[TRACE_HV] = shape->H * shape->V;
    sizes[TRACE_FUSED] = fused_width(shape);
}

static size_t add_bytes(size_t sum, size_t more) {
    return more > SIZE_MAX - sum ? SIZE_MAX : sum + more;
}

size_t attn_trace_bytes(const AttnShape *shape) {
    int sizes[TRACE_AXIS_COUNT];
    size_t bytes = 0;
    trace_axes(sizes, shape);
    for (size_t i = 0; i < ARRAY_COUNT(TRACE); i++)
        if (TRACE[i].forms & IN(shape->form))
            bytes = add_bytes(bytes, mat_bytes(sizes[TRACE[i].rows], sizes[TRACE[i].cols]));
    return bytes;
}

AttnTrace attn_trace_push(Arena *arena, const AttnShape *shape) {
    AttnTrace trace = {0};
    int sizes[TRACE_AXIS_COUNT];
    trace_axes(sizes, shape);
    for (size_t i = 0; i < ARRAY_COUNT(TRACE); i++)
        if (TRACE[i].forms & IN(shape->form))
            *(Mat *)(void *)((char *)&trace + TRACE[i].at) =
                mat_push(arena, sizes[TRACE[i].rows], sizes[TRACE[i].cols]);
    if (trace.fused.rows > 0) {
        int HK = shape->H * shape->K;
        trace.Q = mat_cols(&trace.fused, 0, HK);
        trace.K = mat_cols(&trace.fused, HK, HK);
        trace.V = mat_cols(&trace.fused, 2 * HK, shape->H * shape->V);
    }
    return trace;
}

/* What the layer multiplies X with at once; the others have a matrix of their own. */
static bool is_fused(AttnParam param) {
    return PARAMS[param].rows == AXIS_D && !PARAMS[param].heads_in_rows;
}

static int param_rows(AttnParam param, const AttnShape *shape) {
    return param_axis_size(PARAMS[param].rows, shape);
}

static int param_cols(AttnParam param, const AttnShape *shape) {
    return param_axis_size(PARAMS[param].cols, shape);
}

size_t attn_params_bytes(const AttnShape *shape) {
    size_t bytes = mat_bytes(shape->D, fused_width(shape));
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (!is_fused(p))
            bytes = add_bytes(bytes, mat_bytes(param_rows(p, shape), param_cols(p, shape)));
    return bytes;
}

AttnParams attn_params_push(Arena *arena, const AttnShape *shape) {
    AttnParams params = {.fused = mat_push(arena, shape->D, fused_width(shape))};
    int used = 0;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        int rows = param_rows(p, shape), cols = param_cols(p, shape);
        if (is_fused(p)) {
            params.p[p] = mat_cols(&params.fused, used, cols);
            used += cols;
        } else {
            params.p[p] = mat_push(arena, rows, cols);
        }
    }
    assert(used == params.fused.cols);
    return params;
}

static void check_head(const AttnShape *shape, int head) {
    assert(head >= 0 && head < shape->H);
}

Mat attn_head_scores(const Mat *m, const AttnShape *shape, int head) {
    check_head(shape, head);
    return mat_rows(m, head * shape->T, shape->T);
}

Mat attn_head_query(const Mat *m, const AttnShape *shape, int head) {
    check_head(shape, head);
    return mat_cols(m, head * shape->K, shape->K);
}

Mat attn_head_value(const Mat *m, const AttnShape *shape, int head) {
    check_head(shape, head);
    return mat_cols(m, head * shape->V, shape->V);
}

Mat attn_head_product(const Mat *m, const AttnShape *shape, int head) {
    check_head(shape, head);
    return mat_rows(m, head * shape->D, shape->D);
}

void attn_merge(AttnTrace *trace, const AttnShape *shape, const AttnParams *params) {
    assert(shape->form == FORM_MERGED);
    for (int h = 0; h < shape->H; h++) {
        Mat product = attn_head_product(&trace->W_QK, shape, h);
        Mat query = attn_head_query(&params->p[ATTN_W_Q], shape, h);
        Mat key = attn_head_query(&params->p[ATTN_W_K], shape, h);
        mat_mul_bt(&product, &query, &key, 1);
    }
}

void attn_forward(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                  const Mask *mask) {
    assert(x->rows == shape->T && x->cols == shape->D && mask->T == shape->T);
    FORMS[shape->form].project(trace, shape, params, x);
    for (int h = 0; h < shape->H; h++) {
        Mat S = attn_head_scores(&trace->S, shape, h), A = attn_head_scores(&trace->A, shape, h);
        Mat V = attn_head_value(&trace->V, shape, h), Z = attn_head_value(&trace->Z, shape, h);
        softmax_rows(&A, &S, mask->open);
        mat_mul(&Z, &A, &V, 1);
    }
    mat_mul(&trace->Y, &trace->Z, &params->p[ATTN_W_O], 1);
}
