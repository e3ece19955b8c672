#include "model/attention/attention.h"

#include <assert.h>

#include "math/softmax.h"
#include "model/attention/block.h"
#include "model/attention/form.h"
#include "model/attention/hand_numbers.h"
#include "model/attention/position.h"
#include "model/attention/stack.h"

bool attn_fold(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err) {
    const FormRow *form = &FORMS[shape->form];
    return form->fold == NULL || form->fold(trace, shape, params, err);
}

static void project_nested(AttnTrace *trace, const AttnShape *shape, const AttnParams *params) {
    const Mat x = mat_cols(&trace->input, 0, shape->D);
    Mat *const out[] = {&trace->Q, &trace->K, &trace->V};
    for (unsigned i = 0; i < 3; i++) {
        const Mat *bias = &params->p[ATTN_B_Q + i];
        mat_mul(&trace->nested[i], &x, &params->p[ATTN_W_Q_FULL + i], 1);
        mat_mul(out[i], &trace->nested[i], &params->p[ATTN_W_Q_HEAD + i], 1);
        if (bias->rows > 0)
            mat_add_rows(out[i], bias);
    }
}

static void project_products(AttnTrace *trace, const AttnShape *shape, const AttnParams *params) {
    int E = attn_input_width(shape), HV = shape->H * shape->V;
    const Mat W_V = mat_cols(&params->fused, params->fused.cols - HV, HV); /* (E, H*V) */
    for (int h = 0; h < shape->H; h++) {
        Mat W_QK = attn_head_product(&trace->W_QK, shape, h);
        Mat XW = mat_cols(&trace->XW, h * E, E);
        mat_mul(&XW, &trace->input, &W_QK, 1);
    }
    mat_mul(&trace->V, &trace->input, &W_V, 1);
}

/* QK-norm: each head's query or key is divided by its root mean square and multiplied by gain. */
static void norm_heads(Mat *m, const AttnShape *shape, const Mat *gain) {
    for (int h = 0; h < shape->H; h++) {
        Mat head = attn_head_query(m, shape, h);
        norm_rows(&head, &head, (NormKind){true, shape->traits.qk_epsilon});
        for (int t = 0; t < shape->T; t++)
            for (int k = 0; k < shape->K; k++)
                mat_row(&head, t)[k] *= gain->at[k];
    }
}

static void place(AttnTrace *trace, const AttnShape *shape, const AttnParams *params) {
    if (shape->traits.qk_epsilon > 0) {
        mat_copy(&trace->unnormed, &trace->fused);
        norm_heads(&trace->Q, shape, &params->gain[0]);
        norm_heads(&trace->K, shape, &params->gain[1]);
    }
    if (shape->rope) {
        for (int t = 0; t < shape->T; t++)
            rope_angles(mat_row(&trace->rotations, t), shape->K, t, shape->traits.rope);
        rope_rotate(&trace->Q, &trace->rotations);
        rope_rotate(&trace->K, &trace->rotations);
    }
}

static void project(AttnTrace *trace, const AttnShape *shape, const AttnParams *params) {
    if (!attn_has_factors(shape))
        project_products(trace, shape, params);
    else if (shape->form == FORM_NESTED)
        project_nested(trace, shape, params);
    else /* [Q K V] = X·[W_Q W_K W_V]; the input's 1 multiplies the row of biases */
        mat_mul(&trace->fused, &trace->input, &params->fused, 1);
}

void attn_heads(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                const Mask *mask) {
    bool products = !attn_has_factors(shape);
    int E = attn_input_width(shape);
    if (!products)
        place(trace, shape, params);
    for (int h = 0; h < shape->H; h++) {
        Mat query =
            products ? mat_cols(&trace->XW, h * E, E) : attn_head_query(&trace->Q, shape, h);
        Mat key = products ? trace->input : attn_head_query(&trace->K, shape, h);
        Mat V = attn_head_value(&trace->V, shape, h), Z = attn_head_value(&trace->Z, shape, h);
        Mat S = attn_head_scores(&trace->S, shape, h), A = attn_head_scores(&trace->A, shape, h);

        /* 3. Scores: S = Q·Kᵀ / √d_k (T, T), or X·W_QK·Xᵀ / √d_k; then a soft cap, if the layer
         * has one, and the scores set by hand. */
        mat_mul_bt(&S, &query, &key, shape->score_factor);
        if (shape->traits.cap > 0)
            stack_cap(&S, shape->traits.cap);
        hand_head_apply(&S, trace->hand, HAND_S, h);

        /* 4. Weights: A = softmax(S) (T, T) over the keys that the mask leaves open. */
        softmax_rows(&A, &S, mask->open);

        /* 5. The head's output: Z = A·V (T, V), times the head's gain. hand_mean_apply replaces a
         * share of Z by its mean over the tokens, if this is set by hand. */
        mat_mul(&Z, &A, &V, hand_head_gain(trace->hand, h));
        hand_mean_apply(&Z, trace->hand, h);
    }
}

void attn_forward(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                  const Mask *mask) {
    assert(x->rows == shape->T && x->cols == shape->D && mask->T == shape->T);

    /* 1. The input (T, E): X, or LN(X) in pre-norm. */
    block_open(trace, shape, x);

    /* 2. Q (T, H*K), K (T, H*K) and V (T, H*V); in forms with products X·W_QK (T, H*E) instead of Q
     * and K. */
    project(trace, shape, params);

    /* 3. to 5. The scores, weights and output of each head. */
    attn_heads(trace, shape, params, mask);

    /* 6. The output: Y = concat(Z)·W_O (T, D). */
    mat_mul(&trace->Y, &trace->Z, &params->p[ATTN_W_O], 1);

    /* 7. Add b_O and the residual; in post-norm, normalise the sum. */
    block_close(trace, shape, params, x);
}

void attn_output(Mat *out, const AttnTrace *trace, const AttnShape *shape,
                 const AttnParams *params) {
    mat_mul(out, &trace->Z, &params->p[ATTN_W_O], 1);
    if (shape->bias != BIAS_NONE)
        mat_add_rows(out, &params->p[ATTN_B_O]);
}
