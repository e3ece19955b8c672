/* checkpoint_layer.h: reads one layer of a checkpoint, and its model. Only for checkpoint*.c. */
#ifndef HEADLIGHT_IO_CHECKPOINT_LAYER_H
#define HEADLIGHT_IO_CHECKPOINT_LAYER_H

#include "document/weights.h"
#include "io/architecture.h"
#include "io/checkpoint_files.h"
#include "model/attention/stack.h"

#define LAYER_PREFIX_BYTES 128

/* The values of the tensors that are in use, each in the checkpoint's map or read into memory. */
#define LAYER_ROOM_MAX 32
typedef struct LayerRoom {
    struct {
        float *own; /* owned */
        size_t size;
        const float *mapped;              /* the values in the map; NULL if they are in `own` */
        char name[CHECKPOINT_NAME_BYTES]; /* name of the tensor that is mapped */
        size_t count;
    } at[LAYER_ROOM_MAX];
    int count; /* number of tensors in use */
} LayerRoom;

typedef struct Layer {
    Checkpoint *c;
    const Architecture *arch;
    /* Prefix of all tensor names, in front of the names in the architecture's row. */
    char prefix[LAYER_PREFIX_BYTES];
    int layer, layers; /* layer counts from 0 */
    int D, H, G, K, V; /* G: number of key heads */
    Weights *weights;
    LayerRoom *room;
    const Job *job; /* job whose threads share the matrix products; may be NULL */
    Err *err;
} Layer;

/* Return memory for `size` values, valid until layer_clear_room. Return NULL and set l->err if
 * memory runs out. */
float *layer_take_room(const Layer *l, size_t size);

/* Return count values of a tensor from entry `first` on, valid until layer_clear_room. Return NULL
 * on failure. Mapped values must not be written to, and are not checked yet. */
float *layer_values(const Layer *l, const CheckpointTensor *t, size_t first, size_t count);

/* End the use of all values, so that the next tensors can take their memory. Fails if a file was
 * cut off in the meantime, or if a mapped value is not finite. products: NULL, or a matrix to which
 * every value contributed as a factor. If products is finite, the values are finite, too, and are
 * not checked one by one. */
bool layer_clear_room(const Layer *l, const Mat *products);
void layer_release_room(LayerRoom *room);

/* Find the architecture of l->c, the prefix of its tensors' names and the number of its layers.
 * Fail if no architecture has these names, or if config.json has a type of model or a setting that
 * this program does not compute. layer_check_config checks only the settings. */
bool layer_find_model(Layer *l);
bool layer_check_config(const Layer *l);

/* Fail if a tensor is missing although the model must have it: another layer has it, the file has a
 * tensor that never occurs without it, architecture.txt or config.json names it, or the file has an
 * embedding and so must be a whole model. Fail also if the file has tables for RoPE that the
 * architecture does not use. */
bool layer_check_tensors(Layer *l);

/* Find D, H, G, K and V of the layer. heads: the user's H for a checkpoint that does not state it;
 * 0: none. Fails if H is unknown, or if the tensors' shapes do not fit. */
bool layer_find_sizes(Layer *l, int heads);

bool layer_has(const Layer *l, ArchTensor tensor);

/* Return the number of rows of a table; 0 if the file has no table that can be read. */
size_t layer_rows(const Layer *l, ArchTensor table);

bool layer_find(const Layer *l, CheckpointTensor *out, ArchTensor tensor);

/* Like layer_find, but also fail unless the tensor has count entries. */
bool layer_find_count(const Layer *l, CheckpointTensor *out, ArchTensor tensor, size_t count);

bool layer_shape_fail(const Layer *l, const CheckpointTensor *t, const char *why);

/* Read a vector of count entries, valid until layer_clear_room; out has no rows if the file lacks
 * the vector. layer_read_gain reads the gain of a norm; see gains_from_one. */
bool layer_read_vector(Mat *out, const Layer *l, ArchTensor tensor, int count);
bool layer_read_gain(Mat *out, const Layer *l, ArchTensor tensor, int count);

/* Set *out to the architecture's norm with config.json's epsilon. Fails if this epsilon is
 * invalid. */
bool layer_norm_kind(NormKind *out, const Layer *l);

/* The outputs that are queries (which 0), keys (1) or values (2) in the tensor of their projection:
 * head h has `width` outputs, from output first + (h / group)·step on, where / rounds down. */
typedef struct LayerOutputs {
    int first, step, group, width, total; /* total: number of outputs of the tensor */
    /* Number of outputs at the start of a head that the file stores as two halves, and this program
     * as neighbouring pairs. */
    int pairs;
} LayerOutputs;
LayerOutputs layer_outputs(const Layer *l, int which);

/* Copy the columns of one head from m, whose columns are the tensor's outputs in the file's
 * order. */
void layer_copy_head(Mat *out, const Mat *m, const LayerOutputs *outputs, int head);

/* Find the sizes, and set the options, traits and gains of l->weights, but no matrix or bias. */
bool layer_read_traits(Layer *l, int heads);

/* Do what layer_check_tensors and layer_read_traits do, and read the matrices and biases. The
 * norm's gain and shift are folded into these. */
bool layer_read(Layer *l, int heads);

/* Read the parts of a block after its attention (layer_read_block), the parts after the last block
 * except the unembedding (layer_read_head), or one norm. All are valid until layer_clear_room.
 * Parts whose tensors the file lacks are left out: layer_check_tensors has accepted the file. */
bool layer_read_block(StackBlock *out, const Layer *l);
bool layer_read_head(StackHead *out, const Layer *l);
bool layer_read_norm(StackNorm *out, const Layer *l, ArchTensor gain, ArchTensor shift);

/* Set out (T, outputs) = x (T, inputs)·weight + bias, with the outputs in the file's order. */
bool layer_project(Mat *out, const Layer *l, ArchTensor weight, ArchTensor bias, const Mat *x);

/* Fill x (T, D) with the input of the first block: the embedding of the tokens, with the positions,
 * token type, scale and norm that the architecture has. Fails if an id is outside the vocabulary,
 * if there are more tokens than positions, or if a tensor cannot be read. */
bool layer_embed(Mat *x, const Layer *l, const int *ids);

/* Fill logits (T, W) from x (T, D), the result of stack_head_enter. An unembedding with a row for
 * each word is read in parts, to save memory. */
bool layer_unembed(Mat *logits, const Layer *l, const Mat *x);

/* Return W, the number of words; 0 if the model has no unembedding. */
int layer_logits(const Layer *l);

#endif
