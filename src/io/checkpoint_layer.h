/* checkpoint_layer.h: one layer of a checkpoint that is being read, for checkpoint*.c. */
#ifndef HEADLIGHT_IO_CHECKPOINT_LAYER_H
#define HEADLIGHT_IO_CHECKPOINT_LAYER_H

#include "document/weights.h"
#include "io/architecture.h"
#include "io/checkpoint_files.h"

#define LAYER_NAME_BYTES   256
#define LAYER_PREFIX_BYTES 128

typedef struct Layer {
    Checkpoint *c;
    const Architecture *arch;
    char prefix[LAYER_PREFIX_BYTES]; /* before the names of the architecture's row */
    int layer, layers;               /* layer from 0 */
    int D, H, G, K, V;               /* G: key heads */
    Weights *weights;
    Err *err;
} Layer;

/* A tensor in its file. */
typedef struct LayerTensor {
    char name[LAYER_NAME_BYTES];
    const SafetensorsTensor *at; /* until the next one is found */
    FloatType type;
} LayerTensor;

/* Find the architecture of l->c, and the prefix and number of its layers. */
bool layer_find_model(Layer *l);

/* Find D, H, G, K and V of the layer; heads 0: config.json says. */
bool layer_find_sizes(Layer *l, int heads);

bool layer_has(const Layer *l, ArchTensor tensor);

/* Return the rows of a table; 0 if the file has none that can be read. */
size_t layer_rows(const Layer *l, ArchTensor table);

bool layer_find(const Layer *l, LayerTensor *out, ArchTensor tensor);

/* Fail with the tensor's name and shape. */
bool layer_shape_fail(const Layer *l, const LayerTensor *t, const char *why);

/* Read a vector of count entries, which the caller frees; a gain becomes what multiplies. NULL if
 * the file has none. Sets *read to false on failure, and does nothing if it is false already. */
float *layer_read_vector(const Layer *l, ArchTensor tensor, int count, bool *read);

/* The norm of the architecture, as config.json says. */
bool layer_norm_kind(NormKind *out, const Layer *l);

/* Read W_Q, W_K, W_V, W_O and biases into l->weights, the norm's gain and shift folded in, and the
 * traits. layer_find_sizes must have been called. */
bool layer_read_attention(Layer *l);

/* Everything of the layer's Weights but the model: attention, options, note. */
bool layer_read(Layer *l, int heads);

#endif
