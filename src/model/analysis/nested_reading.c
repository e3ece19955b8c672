#include "model/analysis/nested_reading.h"

#include "model/analysis/stats.h"
#include "model/attention/form.h"

static AttnShape folded_shape(const AttnShape *shape) {
    AttnShape folded = *shape;
    folded.form = FORM_SEPARATE;
    return folded;
}

uint64_t nested_reading_bytes(const AttnShape *shape, ProductKind kind) {
    uint64_t own = mat_bytes(shape->D, kind == PRODUCT_QK ? shape->K : shape->V);
    uint64_t square = mat_bytes(shape->T, shape->T);
    return mat_bytes(shape->D, shape->D) + own + own + square + square;
}

static void compare(NestedReading *out, const AttnTrace *nested, const AttnTrace *folded,
                    const NestedInputs *inputs) {
    out->all_A = out->all_S = 0;
    for (int h = 0; h < inputs->shape->H; h++) {
        Mat nested_A = attn_head_scores(&nested->A, inputs->shape, h);
        Mat folded_A = attn_head_scores(&folded->A, inputs->shape, h);
        Mat nested_S = attn_head_scores(&nested->S, inputs->shape, h);
        Mat folded_S = attn_head_scores(&folded->S, inputs->shape, h);
        float A = stats_difference(&nested_A, &folded_A, inputs->mask);
        float S = stats_difference(&nested_S, &folded_S, inputs->mask);
        out->all_A = stats_larger(A, out->all_A);
        out->all_S = stats_larger(S, out->all_S);
        out->head_A = h == inputs->head ? A : out->head_A;
        out->head_S = h == inputs->head ? S : out->head_S;
    }
}

static void keep(NestedReading *out, Arena *arena, const AttnParams *params,
                 const NestedInputs *inputs) {
    bool scores = inputs->kind == PRODUCT_QK;
    Mat (*of_head)(const Mat *, const AttnShape *, int) =
        scores ? attn_head_query : attn_head_value;
    Mat own =
        of_head(&params->p[scores ? ATTN_W_Q_HEAD : ATTN_W_V_HEAD], inputs->shape, inputs->head);
    Mat folded = of_head(&params->p[scores ? ATTN_W_Q : ATTN_W_V], inputs->shape, inputs->head);
    out->full = mat_push_copy(arena, &params->p[scores ? ATTN_W_Q_FULL : ATTN_W_V_FULL]);
    out->own = mat_push_copy(arena, &own);
    out->folded = mat_push_copy(arena, &folded);
}

bool nested_reading_push(NestedReading *out, Arena *arena, const NestedInputs *inputs, Err *err) {
    AttnShape folded = folded_shape(inputs->shape);
    uint64_t bytes = attn_params_bytes(inputs->shape) + attn_trace_bytes(inputs->shape) +
                     attn_trace_bytes(&folded);
    Arena scratch = {0};
    *out = (NestedReading){0};
    if (bytes > ARENA_BYTES_MAX)
        return true;
    if (!arena_reserve(&scratch, bytes, err))
        return false;
    AttnParams params = attn_params_push(&scratch, inputs->shape);
    AttnTrace one = attn_trace_push(&scratch, inputs->shape);
    AttnTrace other = attn_trace_push(&scratch, &folded);
    bool made = scheme_draw(&params, inputs->shape, inputs->plan, err) &&
                attn_fold(&one, inputs->shape, &params, err) &&
                attn_fold(&other, &folded, &params, err);
    if (made) {
        attn_forward(&one, inputs->shape, &params, inputs->x, inputs->mask);
        attn_forward(&other, &folded, &params, inputs->x, inputs->mask);
        keep(out, arena, &params, inputs);
        Mat A = attn_head_scores(&one.A, inputs->shape, inputs->head);
        out->A_nested = mat_push_copy(arena, &A);
        A = attn_head_scores(&other.A, &folded, inputs->head);
        out->A_folded = mat_push_copy(arena, &A);
        compare(out, &one, &other, inputs);
        out->parameters = cost_of(inputs->shape).parameters;
        out->folded_parameters = cost_of(&folded).parameters;
    }
    arena_release(&scratch);
    return made;
}
