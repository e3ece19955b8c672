/* weights.h: tensors that replace sampled ones: their shapes, and whether they agree with each
 * other and with the options. Pure; io/weights_file.h reads them. T tokens, D model width, H heads,
 * K query/key and V value width per head. E is D, or D + 1 with query and key biases. */
#ifndef HEADLIGHT_DOCUMENT_WEIGHTS_H
#define HEADLIGHT_DOCUMENT_WEIGHTS_H

#include <stdint.h>

#include "base/job.h"
#include "document/options.h"
#include "text/tokenizer.h"

typedef struct Text Text;

#define WEIGHTS_RANK_MAX 3

/* Rows of WEIGHTS_PARTS: the tensors that a file may contain. */
typedef enum WeightsPart {
    WEIGHTS_X,
    WEIGHTS_EMBEDDING,
    WEIGHTS_POSITIONS,
    WEIGHTS_W_Q,
    WEIGHTS_W_K,
    WEIGHTS_W_V,
    WEIGHTS_W_O,
    WEIGHTS_B_Q,
    WEIGHTS_B_K,
    WEIGHTS_B_V,
    WEIGHTS_B_O,
    WEIGHTS_W_QK,
    WEIGHTS_Q_GAIN, /* gain of QK-norm */
    WEIGHTS_K_GAIN,
    WEIGHTS_PART_COUNT
} WeightsPart;

typedef enum WeightsAxis {
    WEIGHTS_T,
    WEIGHTS_WORDS,
    WEIGHTS_PLACES,
    WEIGHTS_D,
    WEIGHTS_H,
    WEIGHTS_K,
    WEIGHTS_V,
    WEIGHTS_HV,
    WEIGHTS_E,
    WEIGHTS_AXIS_COUNT
} WeightsAxis;

typedef struct WeightsPartRow {
    const char *name;
    int param; /* the AttnParam of this tensor; -1 for X, the embedding table and the positions */
    int rank;
    WeightsAxis axes[WEIGHTS_RANK_MAX];
} WeightsPartRow;
extern const WeightsPartRow WEIGHTS_PARTS[WEIGHTS_PART_COUNT];

typedef struct WeightsTensor {
    int rank; /* number of dimensions; 0 if the tensor is absent */
    size_t shape[WEIGHTS_RANK_MAX];
    float *at; /* owned; row-major, finite */
} WeightsTensor;

/* Return the number of entries; 0 if the tensor is absent. */
size_t weights_tensor_count(const WeightsTensor *tensor);

/* The computed attention of one block of a model. */
typedef struct ModelBlock {
    int block;
    const Mat *x; /* (T, D): the residual stream that enters the block */
    const AttnTrace *trace;
    const AttnShape *shape;
    const Mask *mask;
} ModelBlock;

/* A pass through some blocks of a checkpoint's model. Only one block's weights are in memory at a
 * time. */
typedef struct ModelPass {
    Mat *x; /* (T, D): the input of the first block, then the output of the last */
    /* (T): token ids whose embedding x starts with; NULL: the caller has filled x. */
    const int *ids;
    int first, last; /* the pass runs blocks first to last - 1, counted from 0 */
    /* (T, D): output of the first block's attention, without residual or norm; NULL: the pass
     * computes it. */
    const Mat *attention;
    /* (n, words): logits of the last n tokens after all blocks; NULL for none. */
    Mat *logits;
    /* Called for each block whose attention the pass has computed; may be NULL. */
    void (*see)(void *context, const ModelBlock *block);
    void *context;
    /* May be NULL. If it is cancelled, the pass fails before the next block. */
    const Job *job;
} ModelPass;

typedef struct WeightsModel WeightsModel;
struct WeightsModel {
    /* Run a pass. Fails if the model's files have changed or cannot be read, if a block has another
     * d_model than the others, if an id is outside the vocabulary, if there are more tokens than
     * positions, if memory runs out, or if the job is cancelled. */
    bool (*run)(const WeightsModel *model, const ModelPass *pass, Err *err);
    int D;
    int words; /* rows of the embedding; 0 if this model takes no text */
    /* Number of entries in a row of logits; 0 if the model has no unembedding. */
    int logits;
    uint64_t stamp;         /* changes when the model's files change */
    int heads;              /* number of heads that the user chose; 0 if the user chose none */
    Vocabulary *vocabulary; /* owned: the model's tokenizer; NULL if its files have none */
    char path[];
};

/* All tensors of a file. Shared and counted like a session's text, and never changed once it is in
 * a session. */
typedef struct Weights {
    int owners;
    WeightsTensor tensors[WEIGHTS_PART_COUNT];
    int size[WEIGHTS_AXIS_COUNT];         /* each size; 0 if no tensor determines it */
    WeightsPart said[WEIGHTS_AXIS_COUNT]; /* the tensor that determines each size */
    Text *names;   /* owned: names of the rows of X (if there is no X, of the embedding table), one
                      after the other */
    Token *tokens; /* owned: for each row, the range of its name */
    char *options; /* owned: options to set with the weights, as a state string; NULL for none */
    /* Number of a checkpoint's layer, from 1, and number of its layers; 0 for other files. */
    int layer, layers;
    AttnTraits traits;   /* traits of a checkpoint's attention; all zero for other files */
    WeightsModel *model; /* owned: the other parts of a checkpoint's model; NULL for none */
    char *note;          /* owned: one sentence on what the layer does; NULL for none */
    /* Owned: text on the layer's training and scores; NULL if its file has none. */
    char *card;
    char path[]; /* path as the user gave it */
} Weights;

/* Choices of the user that a checkpoint does not contain. */
typedef struct WeightsRequest {
    int layer; /* counted from 1 */
    int heads; /* number of heads, for a checkpoint that does not state it; 0 if not chosen */
    /* Another layer of the same checkpoint, to share its vocabulary; or NULL. */
    const Weights *other;
} WeightsRequest;
WeightsRequest weights_request(const Options *options, uint64_t fixed);

/* Reads a file into Weights; document/ itself opens no file. request is NULL for the first layer.
 * On failure returns NULL and sets err. */
typedef Weights *(*WeightsLoad)(const char *path, const WeightsRequest *request, Err *err);

/* Writes Weights to a file. On failure returns false, sets err, and leaves an older file unchanged.
 * note tells a reader where the weights come from. */
typedef bool (*WeightsSave)(const char *path, const Weights *weights, const char *note, Err *err);

Weights *weights_new(const char *path, Err *err);
void weights_drop(Weights *weights); /* Remove an owner. NULL is allowed. */

uint64_t weights_bytes(const Weights *weights);

static inline bool weights_has(const Weights *weights, WeightsPart part) {
    return weights != NULL && weights->tensors[part].rank > 0;
}

/* Set the fields `size` and `said` from the shapes of the tensors; their values may still be
 * missing. Fails, naming the tensor, if a shape has the wrong rank or a size outside its option's
 * range, or if tensors contradict each other; also if there is no tensor. */
bool weights_agree(Weights *weights, Err *err);

/* Return the tensor whose rows have names: X, or the embedding table if there is no X. */
static inline WeightsPart weights_named(const Weights *weights) {
    return weights_has(weights, WEIGHTS_X) ? WEIGHTS_X : WEIGHTS_EMBEDDING;
}

typedef struct WeightsName {
    const char *bytes;
    size_t size;
} WeightsName;

/* Name the rows of X, or of the embedding table if there is no X, by `count` texts in valid UTF-8.
 * If texts is NULL, the names are "1", "2", …; an empty text becomes its row's number. Fails if
 * there are not `count` rows, if the texts have more than TOKEN_TEXT_MAX bytes in all, or if memory
 * runs out. */
bool weights_name_rows(Weights *weights, const WeightsName *texts, size_t count, Err *err);

/* Set weights->options to the options that a file contains, such as "positions=rope&mask=causal".
 * Fails if they are invalid or memory runs out. */
bool weights_take_options(Weights *weights, const char *text, Err *err);

/* Set the option `layer` to the layer of the weights (1 if weights are NULL or have no layers), the
 * traits, and the options in weights->options. Options whose bit in fixed is set do not change. */
void weights_set_options(Options *options, const Weights *weights, uint64_t fixed);

/* Set the options that the tensors determine: d-model, heads, d-k, d-v, bias and form. If bit i of
 * fixed is set, the user chose row i of STATE_OPTIONS, and that option must not change. If the
 * number of heads falls below the number of the chosen head, choose the last head. Fails, and
 * changes nothing, if the tensors contradict a row in fixed, if the rows of W_O cannot be divided
 * among the heads, or if the weights are of another layer than the chosen one. */
bool weights_fit(Options *options, const Weights *weights, uint64_t fixed, Err *err);
#define WEIGHTS_FIXED_ALL UINT64_MAX

uint64_t weights_fixed_bit(const OptionRow *row);

/* True if the tensors contain this parameter. */
bool weights_give(const Weights *weights, AttnParam param);

/* True if the weights contain every matrix of the layer, so that none is sampled. */
bool weights_give_all(const Weights *weights);

/* Fill the gains of QK-norm, if both the weights and params have them. */
void weights_copy_gains(AttnParams *params, const Weights *weights);

/* Copy a parameter into out, shaped as in AttnParams. weights_give must be true and the options
 * must agree with the weights. A W_QK without the row and column for biases gets zeros there. */
void weights_copy(Mat *out, const Weights *weights, AttnParam param);

/* Return Weights for a file at this path, with those parameters of a layer that files can contain.
 * In the nested form these are the products, which attn_fold must have computed. Return NULL and
 * set err if a parameter is not finite or memory runs out. */
Weights *weights_of_params(const char *path, const AttnShape *shape, const AttnParams *params,
                           Err *err);

/* Add an embedding table to the weights. Row i of the table is row rows[i] of `table` and has the
 * name names[i]. Fails if a value is not finite or memory runs out. */
bool weights_add_words(Weights *weights, const Mat *table, const int *rows,
                       const WeightsName *names, Err *err);

/* Overwrite x with a row of the embedding table whose name is this text: row `place` (the token's
 * position in the text) if it has the name, otherwise the first such row. Return false if there is
 * no such row, or if the weights contain X. */
bool weights_word(float *x, const Weights *weights, int place, const char *text, size_t size);

bool weights_equal(const Weights *a, const Weights *b);

#endif
