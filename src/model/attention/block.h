/* block.h: what stands around the attention of a layer: residual connection, layer normalisation,
 * and the layer's biases. Pure. */
#ifndef HEADLIGHT_MODEL_ATTENTION_BLOCK_H
#define HEADLIGHT_MODEL_ATTENTION_BLOCK_H

#include "model/attention/backward.h"

/* Rows of the registry ATTN_BLOCKS, and of ATTN_BIASES, in the order of their enumerations. */
extern const Registry ATTN_BLOCKS;
extern const Registry ATTN_BIASES;

/* Whether the layer's input is a matrix of its own and not X itself. */
bool block_owns_input(const AttnShape *shape);

/* Make trace->input from x (T, D): normalised in pre-norm, and with a last column of 1 where there
 * are query and key biases. */
void block_open(AttnTrace *trace, const AttnShape *shape, const Mat *x);

/* Y, which holds concat(Z)·W_O, gets b_O and what the block adds to it. */
void block_close(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x);

/* The gradient of concat(Z)·W_O + b_O from that of Y (T, D): dout itself, or back->sum after the
 * normalisation. That of b_O is written. */
Mat block_close_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                     const AttnTrace *trace, const Mat *dout);

/* back->X holds the gradient of the first D columns of trace->input and becomes that of x. dsum is
 * what block_close_back gave: where x is added to the attention, it passes to both. */
void block_open_back(AttnBack *back, const AttnShape *shape, const Mat *x, const Mat *dsum);

#endif
