/* steps_numbers.h: all numbers on the way from a token to one number of the layer's output: what
 * the cards of Steps say, and what leaves the view as text. Sums run in double over what the pass
 * computed. Pure.
 * T tokens, D model width, K query and key width, V value width, H heads. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_NUMBERS_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_NUMBERS_H

#include "math/softmax.h"
#include "results/results.h"

/* Which number: column `output` of the query's row of Y, by one head and key. All from 0. */
typedef struct StepsPlace {
    int head, query, key, output;
} StepsPlace;

/* A row less its mean, over its deviation; see norm.h. */
typedef struct StepsNorm {
    double mean, deviation;
} StepsNorm;

typedef struct StepsNumbers {
    StepsPlace at;
    const AttnShape *shape;
    AttnTrace trace; /* in the form in use */
    bool is_open;    /* whether the mask lets the query read the key */
    int open_keys;
    /* 1 The token's row of X (D), and what was added up to it where that is known. */
    const float *x, *word, *position; /* word and position NULL where x is all there is */
    bool is_given;                    /* X is of a file */
    double length;                    /* of x */
    const float *input;               /* what the layer reads of it: x or LN(x), D */
    StepsNorm input_norm;             /* of pre-norm: what x is brought to LN(x) by */
    /* 2 (K), or with products x·W_QK of the query and the key's row of the input, (E); and (V). */
    const float *query, *key, *value;
    int query_count;
    /* 3 The terms of the score, their sum, and the score, which score_factor makes of it. */
    const float *terms;
    int term_count; /* 0 where there are too many to list */
    double dot;
    float score;
    /* 4 The weight, and what the softmax makes it from. */
    const float *weights; /* T, 0 where closed */
    SoftmaxTerms softmax;
    float weight;
    /* 5 What the head has read (V). */
    const float *read;
    /* 6 What each head adds to the output, and what else there is. */
    double *head_parts; /* H */
    double bias, residual, sum;
    StepsNorm output_norm; /* of post-norm */
    float output;
} StepsNumbers;

/* The bytes that steps_numbers takes from its arena. */
size_t steps_numbers_bytes(const AttnShape *shape);

/* The numbers of a place within the Results, whose A, Z and Y are made for it; the arrays are of
 * the arena or borrowed from the Results. session is what the Results was made from. */
StepsNumbers steps_numbers(const Results *run, const Session *session, StepsPlace at, Arena *arena);

#endif
