/* backward.h: the gradients of L = Σ G∘Y for one multi-head attention layer: of X, of every
 * parameter, and of what lies between, each of which is drawn.
 * Pure: no I/O, no globals, no clock; no allocation in a pass.
 * Shapes are (rows, cols), row-major: T tokens, D model width, E input width, H heads, K query/key
 * and V value width, both per head. */
#ifndef HEADLIGHT_MODEL_ATTENTION_BACKWARD_H
#define HEADLIGHT_MODEL_ATTENTION_BACKWARD_H

#include "base/job.h"
#include "model/attention/attention.h"

/* Weights that gradients pass back through, turned, so that a pass need not turn them where it has
 * few rows for that: made once for parameters that stay while the tokens change. Absent ones have
 * rows == 0. */
typedef struct AttnTurned {
    Mat fused; /* (2*H*K + H*V, D), separate only */
    Mat W_O;   /* (D, H*V) */
} AttnTurned;

/* Bytes that attn_turned_push takes; SIZE_MAX when that does not fit. */
size_t attn_turned_bytes(const AttnShape *shape);
AttnTurned attn_turned_push(Arena *arena, const AttnShape *shape, const AttnParams *params);

/* The gradients of what AttnTrace has under the same names, in the same layout. Absent ones have
 * rows == 0. That of S is before the mask as S is, and so 0 where a pair is closed; that of A is
 * not, since Z would change with any entry of A. A row without an open key has a gradient of 0 in
 * S. */
typedef struct AttnBack {
    Mat X;             /* (T, D): of X itself, not of what the block makes of it */
    Mat nested[3];     /* (T, D), nested only */
    Mat fused;         /* (T, 2*H*K + H*V), with factors only: what Q, K and V are columns of */
    Mat Q, K;          /* (T, H*K), with factors only; with rope those of before the turn */
    Mat V;             /* (T, H*V) */
    Mat XW;            /* (T, H*E), with products only */
    Mat S, A;          /* (H*T, T) */
    Mat Z;             /* (T, H*V) */
    Mat sum;           /* (T, D), post-norm only */
    AttnTurned turned; /* of the parameters, where whoever made this has set it; borrowed */
} AttnBack;

/* Bytes that attn_back_push and attn_grads_push take; SIZE_MAX when that does not fit. */
size_t attn_back_bytes(const AttnShape *shape);
size_t attn_grads_bytes(const AttnShape *shape);
AttnBack attn_back_push(Arena *arena, const AttnShape *shape);

/* Room for the gradients of the parameters. They are of what scores are made from: in the forms
 * with products p[ATTN_W_QK] (H*E, E), whatever it came from, in place of W_Q, W_K, b_Q and b_K.
 * With rope, where the merged form has no single product, they are of the factors, and
 * attn_offset_gradient_push has those of its family. In the nested form p[ATTN_W_Q], p[ATTN_W_K]
 * and p[ATTN_W_V] are of the folded products, beside those of both factors. */
AttnParams attn_grads_push(Arena *arena, const AttnShape *shape);

/* Overwrite grads and back, given dout (T, D), the gradient of Y. trace must come from
 * attn_forward with this x (T, D), these params and the mask, which need not be known: closed pairs
 * have a weight of 0. dout is none of back's own. Values that are not finite spread. Asserts that
 * all shapes agree. Source: the chain rule, line by line of attn_forward. */
void attn_backward(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                   const AttnParams *params, const AttnTrace *trace, const Mat *x, const Mat *dout);

/* The same in parts between which watch is asked: false where it says to stop, and then the
 * gradients have no meaning. */
bool attn_backward_watched(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                           const AttnParams *params, const AttnTrace *trace, const Mat *x,
                           const Mat *dout, JobWatch *watch);

/* G (T, D): N(0, 1), entry (t, c) the draw t*D + c of a stream of the seed that is its own. */
void attn_output_gradient_draw(Mat *g, uint64_t seed);

/* In the merged form without rope: the gradients of the factors of W_QK = W_Q·W_Kᵀ from that of
 * W_QK (H*E, E). Both (E, H*K): head h a block of columns, the last row that of b_Q or b_K where
 * there are biases. Overwrites. */
void attn_factor_gradients(Mat *W_Q, Mat *W_K, const AttnShape *shape, const AttnParams *params,
                           const Mat *W_QK);

/* With rope in the merged form: the gradient of each matrix of attn_offset_push, where a score
 * comes from the matrix of its own distance: that of distance o is score_factor·Σ dS_ij·x_iᵀ·x_j
 * over i - j = o. Laid out as the family: ((2*T-1)*H*E, E). The arena gives (T, E) of scratch too;
 * attn_offset_gradient_bytes has both, SIZE_MAX where that does not fit. */
size_t attn_offset_gradient_bytes(const AttnShape *shape);
Mat attn_offset_gradient_push(Arena *arena, const AttnShape *shape, const AttnTrace *trace,
                              const AttnBack *back);

#endif
