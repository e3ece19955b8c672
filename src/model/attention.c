#include "model/attention.h"

#include <assert.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/block.h"
#include "model/form.h"
#include "model/params.h"
#include "model/rope.h"
#include "model/weigh.h"

bool attn_shape_equal(const AttnShape *a, const AttnShape *b) {
    return a->T == b->T && a->D == b->D && a->H == b->H && a->K == b->K && a->V == b->V &&
           a->form == b->form && a->score_factor == b->score_factor && a->rank == b->rank &&
           a->bias == b->bias && a->block == b->block && a->rope == b->rope;
}

uint64_t attn_shape_hash(const AttnShape *shape) {
    const int members[] = {shape->T,          shape->D,    shape->H,         shape->K,
                           shape->V,          shape->rank, (int)shape->form, (int)shape->bias,
                           (int)shape->block, shape->rope};
    const uint64_t both[] = {rng_hash(members, sizeof members),
                             rng_hash(&shape->score_factor, sizeof shape->score_factor)};
    return rng_hash(both, sizeof both);
}

int attn_fused_width(const AttnShape *shape) {
    int scores = shape->form == FORM_FREE ? 0 : 2 * shape->H * shape->K;
    return scores + shape->H * shape->V;
}

/* What the layer multiplies its input with at once; the others have a matrix of their own. */
static const AttnParam FUSED[][2] = {
    {ATTN_W_Q, ATTN_B_Q}, {ATTN_W_K, ATTN_B_K}, {ATTN_W_V, ATTN_B_V}};

static bool is_fused(AttnParam param) {
    for (size_t i = 0; i < ARRAY_COUNT(FUSED); i++)
        if (FUSED[i][0] == param || FUSED[i][1] == param)
            return true;
    return false;
}

/* Whether the shape has the parameter as a matrix of its own. */
static bool stands_alone(AttnParam param, const AttnShape *shape) {
    return !is_fused(param) && PARAMS[param].used(shape);
}

static int param_rows(AttnParam param, const AttnShape *shape) {
    return param_axis_size(PARAMS[param].rows, shape);
}

static int param_cols(AttnParam param, const AttnShape *shape) {
    return param_axis_size(PARAMS[param].cols, shape);
}

size_t attn_params_bytes(const AttnShape *shape) {
    size_t bytes = mat_bytes(attn_input_width(shape), attn_fused_width(shape));
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (stands_alone(p, shape))
            bytes = mat_bytes_add(bytes, mat_bytes(param_rows(p, shape), param_cols(p, shape)));
    return bytes;
}

AttnParams attn_params_push(Arena *arena, const AttnShape *shape) {
    AttnParams params = {.fused =
                             mat_push(arena, attn_input_width(shape), attn_fused_width(shape))};
    int used = 0;
    for (size_t i = 0; i < ARRAY_COUNT(FUSED); i++) {
        AttnParam weight = FUSED[i][0], bias = FUSED[i][1];
        if (!PARAMS[weight].used(shape))
            continue;
        Mat block = mat_cols(&params.fused, used, param_cols(weight, shape));
        params.p[weight] = mat_rows(&block, 0, shape->D);
        if (PARAMS[bias].used(shape))
            params.p[bias] = mat_rows(&block, shape->D, 1);
        used += block.cols;
    }
    assert(used == params.fused.cols);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (stands_alone(p, shape))
            params.p[p] = mat_push(arena, param_rows(p, shape), param_cols(p, shape));
    return params;
}

static void check_head(const AttnShape *shape, int head) {
    assert(head >= 0 && head < shape->H);
}

Mat attn_head_scores(const Mat *m, const AttnShape *shape, int head) {
    check_head(shape, head);
    Mat rows = mat_rows(m, m->rows / shape->H * head, shape->T);
    return mat_cols(&rows, 0, shape->T);
}

ptrdiff_t attn_head_step(const Mat *m, const AttnShape *shape) {
    return (ptrdiff_t)(m->rows / shape->H) * m->stride;
}

#define ENTRIES_TOGETHER (16 << 10)

int attn_heads_together(const AttnShape *shape) {
    int most = shape->T > ENTRIES_TOGETHER ? 1 : ENTRIES_TOGETHER / shape->T / shape->T;
    return most < 1 ? 1 : most < shape->H ? most : shape->H;
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
    int E = attn_input_width(shape);
    return mat_rows(m, head * E, E);
}

void attn_fold_tokens(AttnTrace *trace, const AttnShape *shape, int first) {
    if (shape->rope)
        for (int t = first; t < shape->T; t++)
            rope_angles(mat_row(&trace->turn, t), shape->K, t);
}

bool attn_fold(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err) {
    return attn_fold_watched(trace, shape, params, NULL, err);
}

bool attn_fold_watched(AttnTrace *trace, const AttnShape *shape, AttnParams *params,
                       JobWatch *watch, Err *err) {
    attn_fold_tokens(trace, shape, 0);
    return FORMS[shape->form].fold(trace, shape, params, watch, err);
}

void attn_forward(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                  const Mask *mask) {
    assert(x->rows == shape->T && x->cols == shape->D && mask->T == shape->T);
    block_open(trace, shape, x);
    FORMS[shape->form].project(trace, shape, params);
    form_scores(trace, shape, (AttnSpan){0, shape->T}, (AttnSpan){0, shape->T});
    weigh_begin(trace, shape);
    weigh_rows(trace, shape, mask, (AttnSpan){0, shape->T});
    if (trace->keep != NULL)
        return;
    mat_mul(&trace->Y, &trace->Z, &params->p[ATTN_W_O], 1);
    block_close(trace, shape, params, x);
}
