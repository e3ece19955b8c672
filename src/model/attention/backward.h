/* backward.h: gradients of L = Σ G∘Y for one multi-head attention layer: of X, of every parameter,
 * and of every intermediate, because all are drawn. Pure: no I/O, no globals, no clock; a pass
 * allocates nothing. Shapes are (rows, cols), row-major: T tokens, D model width, E input width, H
 * heads, K query/key and V value width, both per head. */
#ifndef HEADLIGHT_MODEL_ATTENTION_BACKWARD_H
#define HEADLIGHT_MODEL_ATTENTION_BACKWARD_H

#include "model/attention/attention.h"

/* Gradients of the matrices of AttnTrace, with the same names and layout. Unused matrices have rows
 * == 0. The gradient of S is 0 at closed pairs, in rows without an open key, and at scores set by
 * hand. The gradient of A is not 0 there, because Z depends on every entry of A. */
typedef struct AttnBack {
    Mat X;         /* (T, D): gradient of X itself, before normalisation */
    Mat nested[3]; /* (T, D), nested only */
    Mat fused;     /* (T, 2*H*K + H*V), with factors only: [Q K V] */
    Mat Q, K;      /* (T, H*K), with factors only; with rope, before rotation */
    Mat V;         /* (T, H*V) */
    Mat XW;        /* (T, H*E), with products only */
    Mat S, A;      /* (H*T, T) */
    Mat Z;         /* (T, H*V) */
    Mat sum;       /* (T, D), post-norm only */
} AttnBack;

uint64_t attn_back_bytes(const AttnShape *shape);
uint64_t attn_grads_bytes(const AttnShape *shape);
AttnBack attn_back_push(Arena *arena, const AttnShape *shape);

/* Allocate the gradients of the parameters. In forms with products p[ATTN_W_QK] (H*E, E) replaces
 * W_Q, W_K, b_Q and b_K. In the merged form with RoPE, the gradients are those of the factors;
 * attn_offset_gradient_push gives those of W_QK. In the nested form p[ATTN_W_Q], p[ATTN_W_K] and
 * p[ATTN_W_V] are gradients of the products, in addition to those of both factors. */
AttnParams attn_grads_push(Arena *arena, const AttnShape *shape);

/* Overwrite grads and back, given dout (T, D), the gradient of Y. trace must come from attn_forward
 * with these x (T, D) and params. The mask is not needed, because closed pairs have weight 0. dout
 * must not be part of back. Non-finite values propagate. Asserts that all shapes agree. Source: the
 * chain rule, line by line of attn_forward. */
void attn_backward(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                   const AttnParams *params, const AttnTrace *trace, const Mat *x, const Mat *dout);

/* Fill g (T, D) with N(0, 1): entry (t, c) is sample t*D + c of a random stream of its own. */
void attn_output_gradient_draw(Mat *g, uint64_t seed);

/* Merged form with RoPE: push the gradients of the matrices of attn_offset_push, in the same
 * layout. The gradient for distance o is score_factor·Σ dS_ij·x_iᵀ·x_j over i − j = o.
 * attn_offset_gradient_bytes includes (T, E) of scratch memory. */
uint64_t attn_offset_gradient_bytes(const AttnShape *shape);
Mat attn_offset_gradient_push(Arena *arena, const AttnShape *shape, const AttnTrace *trace,
                              const AttnBack *back);

#endif
