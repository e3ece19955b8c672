/* checkpoint_model.h: the rest of a checkpoint's model around one layer: its embedding, its blocks
 * and its unembedding, read when needed, one block at a time. */
#ifndef HEADLIGHT_IO_CHECKPOINT_MODEL_H
#define HEADLIGHT_IO_CHECKPOINT_MODEL_H

#include "io/checkpoint_layer.h"
#include "model/attention/stack.h"

/* Set l->weights->model, unless the file has only attention. */
bool checkpoint_add_model(Layer *l, const char *path, const WeightsRequest *request);

/* Memory of tensors. Set count to 0 to let the next block overwrite it. */
#define LAYER_ROOM_MAX 24
typedef struct LayerRoom {
    float *at[LAYER_ROOM_MAX]; /* owned */
    size_t size[LAYER_ROOM_MAX];
    int count; /* tensors in use */
} LayerRoom;
void layer_room_release(LayerRoom *room);

/* Read the parts of a block after its attention, and the parts after the last block except the
 * unembedding. If a model has an embedding, it must have every weight that its architecture names.
 * */
bool layer_read_block(StackBlock *out, const Layer *l, LayerRoom *room);
bool layer_read_head(StackHead *out, const Layer *l, LayerRoom *room);

/* Fill x (T, D) with the embedding of tokens. */
bool layer_embed(Mat *x, const Layer *l, const int *ids);

/* Fill logits (T, W) from x (T, D) after the head that layer_read_head has read. The unembedding is
 * read a few words at a time. */
bool layer_unembed(Mat *logits, const Layer *l, const Mat *x);

/* Return W, the number of words; 0 if the model has no unembedding. */
int layer_logits(const Layer *l);

#endif
