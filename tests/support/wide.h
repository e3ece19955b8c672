/* wide.h: an attention layer in double, forward and backward, by plain loops that share only names
 * and layouts with the program. The program's results are compared with it, and its own with finite
 * differences. */
#ifndef HEADLIGHT_TESTS_SUPPORT_WIDE_H
#define HEADLIGHT_TESTS_SUPPORT_WIDE_H

#include "model/attention/params.h"
#include "model/layer.h"

/* A matrix in double, without gaps; at is NULL and rows 0 if it is absent. */
typedef struct Wide {
    double *at;
    int rows, cols;
} Wide;

Wide wide(int rows, int cols);
Wide wide_of(const Mat *m);
double *wide_entry(const Wide *m, int i, int j);
void wide_release(Wide *m);

/* Parameters in the layouts of AttnParams. Scores come from p[ATTN_W_QK] (H*E, E) if it is present,
 * else from W_Q and W_K, in the nested form from their two factors. */
typedef struct WideLayer {
    AttnShape shape;
    const uint8_t *open; /* (T, T) */
    Wide x;
    Wide p[ATTN_PARAM_COUNT];
    /* 0, or the random stream of the roundings: then each entry of every intermediate matrix is off
     * by a random rounding error of float32. A layer with float32 matrices cannot be closer to the
     * exact result. */
    uint64_t roundings;
} WideLayer;

/* Copy the program's layer after attn_fold. by_product: in the forms with products W_QK as
 * the trace has it; else only where no factors give the same. */
WideLayer wide_layer(const Layer *layer, bool by_product);
void wide_layer_release(WideLayer *layer);

/* In the layouts of AttnTrace; input is X or LN(X), without a column for biases. */
typedef struct WideTrace {
    Wide input, between[3], Q, K, V, S, A, Z, Y;
} WideTrace;

/* Largest |a − b|, both of one shape; not a number if any is not. */
double wide_distance(const Wide *a, const Wide *b);

WideTrace wide_forward(const WideLayer *layer);
void wide_trace_release(WideTrace *trace);

/* The gradients of Σ G∘Y. Those of Q and K are of before the turn. */
typedef struct WideBack {
    Wide x, p[ATTN_PARAM_COUNT], Q, K, V, S, A, Z;
} WideBack;

WideBack wide_backward(const WideLayer *layer, const WideTrace *trace, const Wide *G);
void wide_back_release(WideBack *back);

/* Σ G∘Y of a whole pass, and of what follows from the S or the A that the trace has, which then
 * has what belongs to it. */
double wide_loss(const WideLayer *layer, const Wide *G);
double wide_loss_from_scores(WideTrace *trace, const WideLayer *layer, const Wide *G);
double wide_loss_from_weights(WideTrace *trace, const WideLayer *layer, const Wide *G);

#endif
