/* stats.h: what is said about a head in numbers. Pure; sums run in double. */
#ifndef HEADLIGHT_MODEL_STATS_H
#define HEADLIGHT_MODEL_STATS_H

#include "model/attention.h"

/* Population standard deviation of all entries. */
double stats_deviation(const Mat *m);

/* Entropy in nats of one row of weights, 0 ln 0 = 0. */
double stats_row_entropy(const float *weights, int count);

typedef struct HeadStats {
    double entropy;          /* mean over rows, nats; rows without an open key are left out */
    double entropy_uniform;  /* mean over rows of ln(open keys): the most it could be */
    double score_deviation;  /* of S over the open pairs */
    double largest;          /* largest weight of A */
    double to_self;          /* mean of A[i][i] over rows with an open key */
    double distance;         /* mean over rows of Σ_j A[i][j]·|i−j| */
} HeadStats;

/* scores and weights are one head's (T, T). */
void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask);

/* The numerical rank of W_Q W_Kᵀ for one head's factors (D, K): singular values above
 * max(D, K)·ε·σ₁, found by SVD of the product of the factors' triangular parts.
 * -1 when memory ran out. */
int stats_product_rank(const Mat *w_q, const Mat *w_k);

/* Parameters and multiply-adds of one pass. Separate: 2nm parameters and 2pnm + p²m
 * multiply-adds a head for the scores; merged: n² and pn² + p²n; then V, A·V and W_O. */
typedef struct Cost {
    long long parameters, multiply_adds;
} Cost;
Cost cost_of(const AttnShape *shape);

#endif
