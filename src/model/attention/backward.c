/* Differentiates attn_forward line by line, together with form.c and block.c. In these files, a
 * comment with a call is a line of the forward pass. The code below it differentiates that line. */
#include "model/attention/backward.h"

#include <assert.h>

#include "base/rng.h"
#include "math/softmax.h"
#include "model/attention/block.h"
#include "model/attention/form.h"
#include "model/attention/hand_numbers.h"

/* In forms with products the gradients have the parameters of the free form. */
static AttnShape gradient_shape(const AttnShape *shape) {
    AttnShape out = *shape;
    if (!attn_has_factors(shape))
        out.form = FORM_FREE;
    return out;
}

uint64_t attn_grads_bytes(const AttnShape *shape) {
    AttnShape held = gradient_shape(shape);
    return attn_params_bytes(&held);
}

AttnParams attn_grads_push(Arena *arena, const AttnShape *shape) {
    AttnShape held = gradient_shape(shape);
    return attn_params_push(arena, &held);
}

/* Fill back->A, back->S and back->V of one head from back->Z. */
static void weigh_back(AttnBack *back, const AttnShape *shape, const AttnTrace *trace, int h) {
    Mat A = attn_head_scores(&trace->A, shape, h), dA = attn_head_scores(&back->A, shape, h);
    Mat V = attn_head_value(&trace->V, shape, h), dV = attn_head_value(&back->V, shape, h);
    Mat S = attn_head_scores(&trace->S, shape, h);
    Mat dS = attn_head_scores(&back->S, shape, h), dZ = attn_head_value(&back->Z, shape, h);
    /* hand_mean_apply(&Z, trace->hand, h), which is symmetric */
    hand_mean_apply(&dZ, trace->hand, h);
    /* mat_mul(&Z, &A, &V, hand_head_gain(trace->hand, h)) */
    mat_mul_bt(&dA, &dZ, &V, hand_head_gain(trace->hand, h));
    mat_mul_at(&dV, &A, &dZ, hand_head_gain(trace->hand, h));
    /* softmax_rows(&A, &S, mask->open) */
    softmax_rows_back(&dS, &A, &dA);
    /* hand_head_apply(&S, trace->hand, HAND_S, h) */
    hand_scores_back(&dS, trace->hand, h);
    /* stack_cap(&S, shape->traits.cap) */
    for (int i = 0; i < dS.rows && shape->traits.cap > 0; i++)
        for (int j = 0; j < dS.cols; j++) {
            float t = mat_row(&S, i)[j] / shape->traits.cap;
            mat_row(&dS, i)[j] *= 1 - t * t;
        }
}

/* mat_mul(&trace->Y, &trace->Z, &params->p[ATTN_W_O], 1) */
static void output_back(AttnParams *grads, AttnBack *back, const AttnParams *params,
                        const AttnTrace *trace, const Mat *dattn) {
    mat_mul_bt(&back->Z, dattn, &params->p[ATTN_W_O], 1);
    mat_mul_at(&grads->p[ATTN_W_O], &trace->Z, dattn, 1);
}

void attn_backward(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                   const AttnParams *params, const AttnTrace *trace, const Mat *x,
                   const Mat *dout) {
    assert(x->rows == shape->T && x->cols == shape->D);
    assert(dout->rows == shape->T && dout->cols == shape->D);
    /* block_close(trace, shape, params, x) */
    Mat dattn = block_close_back(grads, back, shape, trace, dout);
    output_back(grads, back, params, trace, &dattn);
    for (int h = 0; h < shape->H; h++)
        weigh_back(back, shape, trace, h);
    /* project(trace, shape, params) */
    FORMS[shape->form].project_back(grads, back, shape, params, trace);
    /* block_open(trace, shape, x) */
    block_open_back(back, shape, x, &dattn);
}

void attn_output_gradient_draw(Mat *g, uint64_t seed) {
    static const char name[] = "output gradient";
    mat_normals(g, rng_stream(seed, rng_hash(name, sizeof name - 1)), 0, 1);
}
