/* weights.h: tensors given in place of drawn ones: which, of what shapes, and whether they agree
 * with each other and with the options. Pure; io/weights_file.h reads them. T tokens, D model
 * width, H heads, K query/key and V value width per head. E is D; with query and key biases it is D
 * + 1. */
#ifndef HEADLIGHT_DOCUMENT_WEIGHTS_H
#define HEADLIGHT_DOCUMENT_WEIGHTS_H

#include <stdint.h>

#include "base/job.h"
#include "document/options.h"
#include "text/tokenizer.h"

typedef struct Text Text;

#define WEIGHTS_RANK_MAX 3

/* Rows of WEIGHTS_PARTS: what a file may hold. */
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
    WEIGHTS_Q_GAIN, /* of QK-norm */
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
    int param; /* AttnParam, or -1 for X, E and P */
    int rank;
    WeightsAxis axes[WEIGHTS_RANK_MAX];
} WeightsPartRow;
extern const WeightsPartRow WEIGHTS_PARTS[WEIGHTS_PART_COUNT];

typedef struct WeightsTensor {
    int rank; /* 0 if it is not given */
    size_t shape[WEIGHTS_RANK_MAX];
    float *at; /* owned; row-major, finite */
} WeightsTensor;

/* A run through blocks of a checkpoint's model, one in memory at a time. */
typedef struct ModelPass {
    Mat *x;               /* (T, D): what enters the first block, and at the end what leaves the last */
    const int *ids;       /* (T): the embedding of these fills x at first; NULL: x is given */
    int first, last;      /* blocks first to last - 1 run, from 0 */
    const Mat *attention; /* (T, D): the first block's, without residual or norm; NULL: computed */
    Mat *logits;          /* (T, words), from x after all blocks; NULL for none */
    const Job *job;       /* NULL, or stops the run between blocks */
} ModelPass;

typedef struct WeightsModel WeightsModel;
struct WeightsModel {
    /* Fails, naming the tensor, if a block is not as the others, an id is outside the vocabulary,
     * there are more tokens than positions, or the job is stopped. */
    bool (*run)(const WeightsModel *model, const ModelPass *pass, Err *err);
    int D;
    int words;  /* rows of the embedding; 0: no text enters this model */
    int logits; /* entries of a row of logits; 0: it has no unembedding */
    int heads;  /* as chosen, or 0 */
    char path[];
};

/* Shared and counted like a session's text, and never changed once it is in a session. */
typedef struct Weights {
    int owners;
    WeightsTensor tensors[WEIGHTS_PART_COUNT];
    int size[WEIGHTS_AXIS_COUNT];         /* 0 where no tensor says */
    WeightsPart said[WEIGHTS_AXIS_COUNT]; /* by which tensor */
    Text *names;   /* owned: the names of the rows of X or, without X, of E, in a row */
    Token *tokens; /* owned: a range of names for each row */
    char *options; /* owned: the options that the layer was trained with, as a state string; they
                      are set with the weights, and may be changed. NULL for none */
    int layer, layers; /* of a checkpoint, from 1, and how many it has; 0 for a file of one layer */
    AttnTraits traits;   /* of a checkpoint; else all zero */
    WeightsModel *model; /* owned: the rest of a checkpoint; NULL for none */
    char *note;  /* owned: what the layer does, with a number; NULL for none */
    char path[]; /* as it was given */
} Weights;

/* What a checkpoint needs to be told. */
typedef struct WeightsWish {
    int layer; /* from 1 */
    int heads; /* for a checkpoint that does not say; 0 if not chosen */
} WeightsWish;
WeightsWish weights_wish(const Options *options, uint64_t fixed);

/* How a file becomes Weights; session/ reads none. wish may be NULL: the first layer. NULL and err
 * on failure. */
typedef Weights *(*WeightsLoad)(const char *path, const WeightsWish *wish, Err *err);

/* And how they become one; false and err on failure, and then an older file stays as it was. note
 * says where they come from, for a person. */
typedef bool (*WeightsSave)(const char *path, const Weights *weights, const char *note, Err *err);

/* Without tensors, with one owner. */
Weights *weights_new(const char *path, Err *err);
void weights_drop(Weights *weights); /* one owner less; NULL is none */

static inline bool weights_has(const Weights *weights, WeightsPart part) {
    return weights != NULL && weights->tensors[part].rank > 0;
}

/* Find size and said from the tensors' shapes. Fails where two disagree, naming tensor and
 * dimension, and where one is out of the range of its option. Their values may still be absent. */
bool weights_agree(Weights *weights, Err *err);

/* The part whose rows have names: X, or E without X. */
static inline WeightsPart weights_named(const Weights *weights) {
    return weights_has(weights, WEIGHTS_X) ? WEIGHTS_X : WEIGHTS_EMBEDDING;
}

/* Name the rows of X or E: count texts, or "1", "2", … where texts is NULL; an empty one is its
 * number. Fails where count is not theirs, or all are over TOKEN_TEXT_MAX bytes. texts are valid
 * UTF-8. */
typedef struct WeightsName {
    const char *bytes;
    size_t size;
} WeightsName;
bool weights_name_rows(Weights *weights, const WeightsName *texts, size_t count, Err *err);

/* Take the options of a file, "positions=rope&mask=causal", or fail if they are not options. */
bool weights_take_options(Weights *weights, const char *text, Err *err);

/* Set the layer that the weights are, and the options that they were trained with, but for the rows
 * in fixed. */
void weights_set_options(Options *options, const Weights *weights, uint64_t fixed);

/* Set what the tensors settle: d-model, heads, d-k, d-v, bias and form. Bit i of fixed: row i of
 * STATE_OPTIONS was chosen and may not change; where it would have to, that is an error. */
bool weights_fit(Options *options, const Weights *weights, uint64_t fixed, Err *err);
#define WEIGHTS_FIXED_ALL UINT64_MAX

/* The bit of a row of STATE_OPTIONS. */
uint64_t weights_fixed_bit(const OptionRow *row);

/* Whether the tensors have a parameter that a layer of that form takes from them. */
bool weights_give(const Weights *weights, AttnParam param);

/* Fill the gains of QK-norm, if the weights and params have them. */
void weights_copy_gains(AttnParams *params, const Weights *weights);

/* Fill a parameter as AttnParams holds it; weights_give must hold, and options fit. A W_QK without
 * the row and column of biases gets zeros there. */
void weights_copy(Mat *out, const Weights *weights, AttnParam param);

/* The same the other way: all of a layer's parameters that are tensors of files, for a file of that
 * name; of the nested form what its factors fold to, which attn_fold must have made. NULL and err
 * where a parameter is not finite, and for want of memory. */
Weights *weights_of_params(const char *path, const AttnShape *shape, const AttnParams *params,
                           Err *err);

/* Add word vectors for a file: row i of E is row rows[i] of table, for the token names[i]. Fails
 * where one is not finite, and for want of memory. */
bool weights_add_words(Weights *weights, const Mat *table, const int *rows,
                       const WeightsName *names, Err *err);

/* Overwrite the row of x if E has one for the token of that text: that of the same place in the
 * text, or the first one. False if it has none. */
bool weights_word(float *x, const Weights *weights, int place, const char *text, size_t size);

bool weights_equal(const Weights *a, const Weights *b);

#endif
