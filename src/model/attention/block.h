/* block.h: what surrounds the attention of a layer: residual connection, layer normalisation, and
 * the layer's biases. Pure. */
#ifndef HEADLIGHT_MODEL_ATTENTION_BLOCK_H
#define HEADLIGHT_MODEL_ATTENTION_BLOCK_H

#include "model/attention/backward.h"

/* Rows in the order of AttnBlock and AttnBias. */
extern const Registry ATTN_BLOCKS;
extern const Registry ATTN_BIASES;

/* True if trace->input is a matrix of its own, because it differs from X. */
bool block_owns_input(const AttnShape *shape);

/* Return the normalisation's name in formulas: LN or RMSNorm. */
const char *block_norm_name(const AttnShape *shape);

/* Fill trace->input from x (T, D): normalised in pre-norm, with a last column of 1 if there are
 * query and key biases. */
void block_open(AttnTrace *trace, const AttnShape *shape, const Mat *x);

/* On entry trace->Y is concat(Z)·W_O. Add b_O and the residual; in post-norm, normalise the sum. */
void block_close(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x);

/* Write the gradient of b_O. Return the gradient of concat(Z)·W_O + b_O, given dout (T, D), the
 * gradient of Y: in post-norm back->sum, otherwise dout itself. */
Mat block_close_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                     const AttnTrace *trace, const Mat *dout);

/* On entry back->X is the gradient of the first D columns of trace->input. Replace it by the
 * gradient of x. dsum, the result of block_close_back, is added if there is a residual. */
void block_open_back(AttnBack *back, const AttnShape *shape, const Mat *x, const Mat *dsum);

#endif
