/* steps_numbers.h: all numbers on the way from a token to one number of the layer's output, for the
 * cards of Steps and for export as text. Sums over the layer's float values are computed in double.
 * Pure. T tokens, D model width, K query and key width, V value width, H heads. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_NUMBERS_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_NUMBERS_H

#include "math/softmax.h"
#include "results/results.h"

/* The number to follow: column `output` of the query's row of Y, by one head and key. All from 0.
 */
typedef struct StepsPlace {
    int head, query, key, output;
} StepsPlace;

/* A row minus its mean, divided by its standard deviation; of RMSNorm the mean is 0. See norm.h. */
typedef struct StepsNorm {
    double mean, std;
} StepsNorm;

typedef struct StepsNumbers {
    StepsPlace at;
    const AttnShape *shape;
    AttnTrace trace; /* trace of the form in use */
    bool is_open;    /* true if the mask lets the query read the key */
    int open_keys;
    /* 1 The token's row of X (D), and the vectors whose sum it is, if known. */
    const float *x, *word,
        *position;        /* word and position are NULL if X was read from a file or has no parts */
    bool is_given;        /* true if X is from a file */
    double length;        /* Euclidean length of x */
    const float *input;   /* the layer's input: x or LN(x) (D) */
    StepsNorm input_norm; /* pre-norm: mean and std of x in LN(x) */
    /* 2 Query and key (K), or x·W_QK of the query and the key's input row (E); value (V). */
    const float *query, *key, *value;
    int query_count;
    /* 3 The terms of the score, their sum, and the score after scaling (score_factor). */
    const float *terms;
    int term_count; /* 0 if there are too many to list */
    double dot;
    float score;
    /* 4 The weight and its inputs in the softmax. */
    const float *weights; /* (T), 0 if closed */
    SoftmaxTerms softmax;
    float weight;
    /* 5 The head's output z (V). */
    const float *read;
    /* 6 What each head adds to the output, and the other terms. */
    double *head_parts; /* H */
    double bias, residual, sum;
    StepsNorm output_norm; /* post-norm: mean and std of the sum that is normalised */
    float output;
} StepsNumbers;

/* Return the number of bytes that steps_numbers takes from its arena. */
size_t steps_numbers_bytes(const AttnShape *shape);

/* Return the numbers of one place. run must have been computed from session, and have A, Z and Y.
 * The arrays are in the arena or borrowed from run. */
StepsNumbers steps_numbers(const Results *run, const Session *session, StepsPlace at, Arena *arena);

#endif
