/* checkpoint_model.h: the model around the layer of a checkpoint: its embedding, its blocks and its
 * unembedding, read when they are needed, one block at a time. */
#ifndef HEADLIGHT_IO_CHECKPOINT_MODEL_H
#define HEADLIGHT_IO_CHECKPOINT_MODEL_H

#include "io/checkpoint_layer.h"
#include "model/attention/stack.h"

/* Set l->weights->model, unless the file has attention alone. */
bool checkpoint_add_model(Layer *l, const char *path, int heads);

/* Tensors that are read, until they are released. */
typedef struct LayerRoom {
    float *at[24]; /* owned */
    int count;
} LayerRoom;
void layer_room_release(LayerRoom *room);

/* Read what follows the attention of a block, and what follows all blocks but the unembedding. A
 * model that has an embedding must have every weight that its architecture names. */
bool layer_read_block(StackBlock *out, const Layer *l, LayerRoom *room);
bool layer_read_head(StackHead *out, const Layer *l, LayerRoom *room);

/* Fill x (T, D) with the embedding of tokens. */
bool layer_embed(Mat *x, const Layer *l, const int *ids);

/* Fill logits (T, W) from x (T, D), which layer_read_head's head has read: a few words of the
 * unembedding at a time. */
bool layer_unembed(Mat *logits, const Layer *l, const Mat *x);

/* Return W; 0 if the model has no unembedding. */
int layer_logits(const Layer *l);

#endif
