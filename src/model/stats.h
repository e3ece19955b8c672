/* stats.h: what is said about a head in numbers. Pure; sums run in double. */
#ifndef HEADLIGHT_MODEL_STATS_H
#define HEADLIGHT_MODEL_STATS_H

#include "model/attention.h"

/* Population standard deviation of all entries; 0 for a matrix without any. */
double stats_deviation(const Mat *m);

/* Entropy in nats of one row of weights, 0 ln 0 = 0. */
double stats_row_entropy(const float *weights, int count);

typedef struct HeadStats {
    double entropy;         /* mean over rows, nats */
    double entropy_uniform; /* mean over rows of ln(open keys): the most it could be */
    double score_deviation; /* of S over the open pairs */
    double largest;         /* largest weight of A */
    double to_self;         /* mean of A[i][i] */
    double distance;        /* mean over rows of Σ_j A[i][j]·|i−j|, in tokens */
} HeadStats;

/* scores and weights are one head's (T, T). Means are over the rows with an open key; where no row
 * has one, all is 0. A weight or open score that is not a number makes its figures not a number. */
void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask);

/* The numerical rank of W_Q W_Kᵀ for one head's factors (D, K): how many singular values are above
 * max(D, K)·ε·σ₁, with ε that of float32, in which the weights are held.
 * -1 when memory ran out or a weight is not finite. */
int stats_product_rank(const Mat *w_q, const Mat *w_k);

#endif
