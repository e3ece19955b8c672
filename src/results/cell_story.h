/* cell_story.h: all numbers on the way from a token to one weight A[query][key] of a head, and on
 * to one number of the layer's output. Every view that explains a cell takes its numbers from here.
 * Sums over the layer's float values are computed in double. No I/O, no clock. T tokens, D model
 * width, E input width, K query and key width, V value width, H heads. */
#ifndef HEADLIGHT_RESULTS_CELL_STORY_H
#define HEADLIGHT_RESULTS_CELL_STORY_H

#include "math/norm.h"
#include "math/softmax.h"
#include "results/results.h"

/* Place of one weight A[query][key]. Indices count from 0; -1 if absent. */
typedef struct AttnCell {
    int layer, head, query, key;
} AttnCell;

typedef struct CellStory {
    AttnCell at;
    int column;
    const AttnShape *shape;
    const AttnTrace *trace; /* trace of the form in use */
    bool is_open;           /* true if the mask lets `query` read `key` */
    int open_keys;          /* number of keys that `query` may read */
    /* 1. The query's row of X (D), and the vectors whose sum it is, if they are known. */
    const float *x, *word,
        *position; /* word and position are NULL if X was read from a file or has no parts */
    bool is_given;
    double length;      /* Euclidean length of x */
    const float *input; /* x, or LN(x) with pre-norm; with biases also a 1 (E) */
    RowNorm input_norm; /* pre-norm: mean and std of x in LN(x) */
    /* 2. Query and key (K), or x·W_QK of the query and the key's input row (E); value (V). */
    const float *query, *key, *value;
    int query_count;
    /* 3. dot is the sum of terms; computed is dot times score_factor, then capped. score, the score
     * in use, is computed or set by hand. */
    const float *terms;
    int term_count;
    double dot, computed;
    float score;
    bool is_set;
    /* 4. The weight, and how the softmax gives it. */
    const float *weights; /* (T): the query's row of A, 0 at closed keys */
    SoftmaxTerms softmax;
    float weight;
    /* 5. The output z of the head (V). */
    const float *read;
    /* 6. If a column is chosen: the contribution of each head to it, and the other terms. */
    double *head_parts; /* H */
    double bias, residual, sum;
    RowNorm output_norm; /* post-norm: mean and std of the row before it is normalised */
    float output;
} CellStory;

uint64_t cell_story_bytes(const AttnShape *shape);

/* Return the numbers of one weight and, unless column is -1, of this column in the query's row of
 * Y. run must have A, Z and Y. The arrays are in the arena or borrowed from run. */
CellStory cell_story(const Results *run, AttnCell at, int column, Arena *arena);

#endif
