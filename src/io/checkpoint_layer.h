/* checkpoint_layer.h: reads one layer of a checkpoint; for checkpoint*.c. */
#ifndef HEADLIGHT_IO_CHECKPOINT_LAYER_H
#define HEADLIGHT_IO_CHECKPOINT_LAYER_H

#include "document/weights.h"
#include "io/architecture.h"
#include "io/checkpoint_files.h"

#define LAYER_PREFIX_BYTES 128

typedef struct Layer {
    Checkpoint *c;
    const Architecture *arch;
    char prefix[LAYER_PREFIX_BYTES]; /* prefix of the names in the architecture's row */
    int layer, layers;               /* layer counts from 0 */
    int D, H, G, K, V;               /* G: number of key heads */
    Weights *weights;
    WeightsTensor spare[WEIGHTS_PART_COUNT]; /* owned: memory of the last block, for the next one */
    Err *err;
} Layer;

/* Discard l->weights, and keep their memory in l->spare for the next block. layer_release_spare
 * frees it. */
void layer_drop_weights(Layer *l);
void layer_release_spare(Layer *l);

/* Find the architecture of l->c, and the prefix and number of its layers. */
bool layer_find_model(Layer *l);

/* Find D, H, G, K and V of the layer. heads 0: config.json has their number. */
bool layer_find_sizes(Layer *l, int heads);

bool layer_has(const Layer *l, ArchTensor tensor);

/* Return the rows of a table; 0 if the file has none that can be read. */
size_t layer_rows(const Layer *l, ArchTensor table);

bool layer_find(const Layer *l, CheckpointTensor *out, ArchTensor tensor);

/* Fail with the tensor's name and shape. */
bool layer_shape_fail(const Layer *l, const CheckpointTensor *t, const char *why);

/* Read a vector of count entries, which the caller frees. A gain is converted to a factor. Return
 * NULL if the file has none. On failure set *read to false; if it is false already, do nothing. */
float *layer_read_vector(const Layer *l, ArchTensor tensor, int count, bool *read);

/* Return the architecture's norm, with the epsilon of config.json. */
bool layer_norm_kind(NormKind *out, const Layer *l);

/* Read W_Q, W_K, W_V, W_O and biases into l->weights, with the norm's gain and shift folded in, and
 * the traits. Call layer_find_sizes first. */
bool layer_read_attention(Layer *l);

/* Read all fields of the layer's Weights except the model: attention, options, note. */
bool layer_read(Layer *l, int heads);

#endif
