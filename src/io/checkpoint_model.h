/* checkpoint_model.h: the parts of a checkpoint's model other than the attention: its embedding,
 * its blocks and its unembedding. They are read when needed, one block at a time. */
#ifndef HEADLIGHT_IO_CHECKPOINT_MODEL_H
#define HEADLIGHT_IO_CHECKPOINT_MODEL_H

#include "io/checkpoint_layer.h"
#include "model/attention/stack.h"

/* Read the parts of a block that follow its attention. The second function reads the parts after
 * the last block, except the unembedding. All are valid until layer_clear_room. Tensors that
 * the file lacks are left out, because layer_check_tensors has accepted the file. */
bool layer_read_block(StackBlock *out, const Layer *l);
bool layer_read_head(StackHead *out, const Layer *l);
bool layer_read_norm(StackNorm *out, const Layer *l, ArchTensor gain, ArchTensor shift);

/* Set out (T, outputs) = x (T, inputs)·weight + bias, with the outputs in the file's order. */
bool layer_project(Mat *out, const Layer *l, ArchTensor weight, ArchTensor bias, const Mat *x);

/* Fill x (T, D) with the input of the first block: the embedding of the tokens, with the positions,
 * token type, scale and norm that the architecture has. */
bool layer_embed(Mat *x, const Layer *l, const int *ids);

/* Fill logits (T, W) from x (T, D), the result of stack_head_enter. The unembedding is read a few
 * words at a time. */
bool layer_unembed(Mat *logits, const Layer *l, const Mat *x);

/* Return W, the number of words; 0 if the model has no unembedding. */
int layer_logits(const Layer *l);

#endif
