/* cell_story.h: all numbers on the way from a token to one weight A[query][key] of a head, and on
 * to one number of the layer's output. Every view that explains a cell takes its numbers from here.
 * Sums over the layer's float values are computed in double. No I/O, no clock. T tokens, D model
 * width, E input width, K query and key width, V value width, H heads. */
#ifndef HEADLIGHT_RESULTS_CELL_STORY_H
#define HEADLIGHT_RESULTS_CELL_STORY_H

#include "math/norm.h"
#include "math/softmax.h"
#include "results/results.h"

/* One weight A[query][key] of one head. All indices count from 0; -1 stands for a missing one. */
typedef struct AttnCell {
    int layer, head, query, key;
} AttnCell;

typedef struct CellStory {
    AttnCell at;
    int column; /* column of Y, or -1 */
    const AttnShape *shape;
    const AttnTrace *trace; /* trace of the form in use */
    bool is_open;           /* true if the mask lets the query read the key */
    int open_keys;          /* number of keys that the mask lets the query read */
    /* 1. The query's row of X (D), and the vectors whose sum it is, if they are known. */
    const float *x, *word,
        *position;      /* word and position are NULL if X was read from a file or has no parts */
    bool is_given;      /* true if X is from a file */
    double length;      /* Euclidean length of x */
    const float *input; /* the layer's input: x or LN(x) (D) */
    RowNorm input_norm; /* pre-norm: mean and std of x in LN(x) */
    /* 2. Query and key (K), or x·W_QK of the query and the key's input row (E); value (V). */
    const float *query, *key, *value;
    int query_count;
    /* 3. The terms of the score and their sum; the score that follows from the sum by score_factor
     * and cap; and the score in use, which may be set by hand instead. */
    const float *terms;
    int term_count;
    double dot, computed;
    float score;
    bool is_set;
    /* 4. The weight and its numbers in the softmax. */
    const float *weights; /* (T): the query's row of A, 0 at closed keys */
    SoftmaxTerms softmax;
    float weight;
    /* 5. The output z of the head (V). */
    const float *read;
    /* 6. If a column is chosen: what each head adds to the output in this column, and the other
     * terms. */
    double *head_parts; /* H */
    double bias, residual, sum;
    RowNorm output_norm; /* post-norm: mean and std of the sum before it is normalised */
    float output;
} CellStory;

/* Return the number of bytes that cell_story takes from its arena. */
uint64_t cell_story_bytes(const AttnShape *shape);

/* Return the numbers of one cell, and of a column of the query's row of Y; -1 for none. run must
 * have A, Z and Y. The arrays are in the arena or borrowed from run. */
CellStory cell_story(const Results *run, AttnCell at, int column, Arena *arena);

#endif
