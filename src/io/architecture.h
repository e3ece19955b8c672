/* architecture.h: how checkpoints of known architectures name and store the tensors of a model; one
 * row per architecture. To add an architecture, add a row. Pure. D model width, H query heads, G
 * key heads, K and V widths of a head. */
#ifndef HEADLIGHT_IO_ARCHITECTURE_H
#define HEADLIGHT_IO_ARCHITECTURE_H

#include "base/err.h"
#include "base/registry.h"
#include "model/attention/stack.h"

/* How the matrix of a projection is stored. A bias has the order of its weight's outputs. */
typedef enum ArchLayout {
    ARCH_LINEAR, /* (outputs, inputs), as in nn.Linear */
    ARCH_CONV1D, /* (inputs, outputs) */
    /* W_Q, W_K and W_V: (heads, inputs, outputs of one head); other matrices: (inputs, outputs). */
    ARCH_HEADS,
} ArchLayout;

/* The order of the outputs if queries, keys and values share one tensor, which then has the name of
 * the queries' tensor. */
typedef enum ArchFused {
    ARCH_APART,       /* three separate tensors */
    ARCH_BLOCKS,      /* all queries, then all keys, then all values */
    ARCH_INTERLEAVED, /* head by head: its queries, its keys, its values */
} ArchFused;

/* The pairs of columns that RoPE rotates, among the first R columns of a head. */
typedef enum ArchRope {
    ARCH_NO_ROPE,
    ARCH_HALVES,     /* i and i + R/2 */
    ARCH_NEIGHBOURS, /* 2i and 2i + 1 */
} ArchRope;

typedef enum ArchTensor {
    ARCH_W_Q,
    ARCH_W_K,
    ARCH_W_V,
    ARCH_W_O,
    ARCH_B_Q,
    ARCH_B_K,
    ARCH_B_V,
    ARCH_B_O,
    ARCH_GAIN, /* gain of the norm before the attention */
    ARCH_SHIFT,
    ARCH_Q_NORM, /* gain of QK-norm, with K entries */
    ARCH_K_NORM,
    /* Gains and shifts of StackBlock's norms attention_end, middle and end. */
    ARCH_ATTENTION_GAIN,
    ARCH_MIDDLE_GAIN,
    ARCH_MIDDLE_SHIFT,
    ARCH_END_GAIN,
    ARCH_END_SHIFT,
    ARCH_UP,
    ARCH_UP_BIAS,
    ARCH_GATE,
    ARCH_GATE_BIAS,
    ARCH_DOWN,
    ARCH_DOWN_BIAS,
    ARCH_WORDS,  /* embedding: a row for each token of the vocabulary */
    ARCH_PLACES, /* a row for each position */
    ARCH_TYPES,  /* a row for each type of token; only the first row is used */
    ARCH_WORDS_GAIN,
    ARCH_WORDS_SHIFT,
    ARCH_FINAL_GAIN,
    ARCH_FINAL_SHIFT,
    ARCH_TRANSFORM,
    ARCH_TRANSFORM_BIAS,
    ARCH_TRANSFORMED_GAIN,
    ARCH_TRANSFORMED_SHIFT,
    ARCH_UNEMBEDDING,
    ARCH_UNEMBEDDING_BIAS,
    ARCH_TENSOR_COUNT
} ArchTensor;
#define ARCH_FIRST_OF_MODEL ARCH_WORDS /* tensors before this one belong to one layer */

typedef struct Architecture {
    Entry entry;
    /* Values of model_type in config.json, separated by blanks. NULL: any type. */
    const char *types;
    /* True if other architectures have the same tensor names. Then, without a model_type in
     * config.json, the tensors' names must begin with one of `types`. */
    bool needs_type;
    ArchLayout layout;
    ArchFused fused;
    ArchRope rope;
    float rope_part; /* share of the K columns that rotate, unless config.json states it; 0: all */
    StackOrder order;
    bool rms;            /* true if the norms are RMSNorm */
    bool gains_from_one; /* true if a norm's gain is 1 + the value in the file */
    bool scales_words;   /* true if the embedding is multiplied by √D */
    /* True if the embedding is also the unembedding, unless the file has an unembedding or
     * config.json says otherwise. */
    bool is_tied;
    int first_place; /* row of the position table that belongs to the first position */
    /* N: every Nth layer has no sliding window; 0: all layers have one. config.json can state
     * another N. */
    int whole_every;
    float epsilon; /* epsilon of the norms, unless config.json states it */
    /* Name of the activation, as in config.json; used unless config.json states one. */
    const char *activation;
    /* Options of the layer, as a state string. They name the scheme by which the published code
     * initialises the layer; if they name none, initializer_range in config.json decides. */
    const char *options;
    const char *const *shared; /* names of tensors that have no name in `names`; may be NULL */
    /* Name of each tensor. {} stands for the layer's number, from 0; a name that begins with / gets
     * no prefix; | separates two alternatives. NULL: see `shared`; "": the model lacks the tensor.
     *
     * A bias or shift without a name has the name of its weight or gain, with "bias" in place of
     * the final "weight". */
    const char *names[ARCH_TENSOR_COUNT];
} Architecture;

extern const Architecture ARCHITECTURES[];
extern const Registry ARCHITECTURE_REGISTRY;

/* Return the weight of a bias, or the gain of a shift; ARCH_TENSOR_COUNT for another tensor. */
ArchTensor architecture_weight(ArchTensor bias);

/* Return the tensor's name from `names` or `shared`; NULL if neither has one. */
const char *architecture_given(const Architecture *a, ArchTensor tensor);

/* Write the name of a tensor, in the notation of `names`. Return false, and write "", if there is
 * none. */
#define ARCH_NAME_BYTES 128
bool architecture_name(char out[ARCH_NAME_BYTES], const Architecture *a, ArchTensor tensor);

#define ARCHITECTURE_FILE       "architecture.txt"
#define ARCHITECTURE_FILE_BYTES 16384
#define ARCHITECTURE_NAME_MAX   120

/* Read a text that names a known architecture and lists the tensors with other names. The caller
 * frees the result with free(). On failure return NULL and set err, which names an invalid line. */
Architecture *architecture_read(const char *text, size_t size, Err *err);

/* Write the key of a tensor in that text. Return false if the text gives the tensor no name. */
#define ARCHITECTURE_KEY_BYTES 32
bool architecture_key(char out[ARCHITECTURE_KEY_BYTES], const Architecture *read,
                      ArchTensor tensor);

#endif
