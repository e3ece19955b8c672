/* reading_law.h: what the rows of A do on average while scores are normal: softmax_law over the
 * rows of a mask, and over how wide the scores of a row are. Pure. */
#ifndef HEADLIGHT_MODEL_READING_LAW_H
#define HEADLIGHT_MODEL_READING_LAW_H

#include "model/attention.h"

/* With p a row of A, n its open keys, x_j the rows of X: independent entries of deviation 1. */
typedef struct ReadingLaw {
    double entropy, largest; /* over the rows with an open key: −Σ p·ln p, max p */
    double saturation;       /* over those with two: 1 − Σ p(1 − p)/(1 − 1/n) */
    /* Over all rows, one without an open key counting 0. */
    double squares;       /* Σ p² */
    double read;          /* the square of an entry of Σ p_j·x_j */
    double slope_trace;   /* (tr M)², with M = diag(p) − p·pᵀ, the softmax's derivative */
    double slope_squares; /* tr M² */
} ReadingLaw;

/* deviation: the scores', over all pairs, after scale and temperature; not a number gives a law of
 * none. mask NULL: every key is open.
 * The scores of a row are independent normals given its query, with a deviation that is the query's
 * own: its square is near the mean of its square times χ²/ν, since it is the square of X's row (D)
 * taken through W_Q (K) and W_K (D). With it 2/ν = (1 + 2/K)(1 + 2/D)² − 1. */
ReadingLaw reading_law(const AttnShape *shape, const Mask *mask, double deviation);

/* The same of rows whose deviations are known: their logarithms are taken for normal. */
ReadingLaw reading_law_of_rows(const AttnShape *shape, const Mask *mask, double log_mean,
                               double log_deviation);

#endif
