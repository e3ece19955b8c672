/* stats.h: a head's statistics. Pure; sums are in double. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_STATS_H
#define HEADLIGHT_MODEL_ANALYSIS_STATS_H

#include "model/attention/attention.h"

/* Return the population standard deviation of all entries; 0 for an empty matrix. */
double stats_std(const Mat *m);

/* Return the larger number; NaN if either is NaN, unlike fmaxf. */
float stats_larger(float a, float b);

double stats_sum_of_squares(const Mat *m);

/* Return the standard deviation of S, all heads' (H*T, T) or one head's (T, T), over open pairs
 * only. */
double stats_score_std(const Mat *scores, const Mask *mask);

typedef struct HeadStats {
    double entropy;         /* mean over rows, nats */
    double entropy_uniform; /* largest possible entropy: mean over rows of ln(open keys) */
    double score_std;       /* standard deviation of S over the open pairs */
    double largest;
    double to_self;  /* mean of A[i][i] */
    double distance; /* mean over rows of Σ_j A[i][j]·|i−j|, in tokens */
    /* How close the rows are to a single key: 0 if they are uniform; 1 if one key has all weight,
     * and the softmax passes no gradient. A row with weights a and n open keys has 1 − Σ a(1 −
     * a)/(1 − 1/n), where Σ a(1 − a) is the trace of the Jacobian diag(a) − a·aᵀ. Mean over the
     * rows with at least two open keys; 0 if no row has them. */
    double saturation;
    /* The first cell with the largest weight among the rows with at least two open keys, from 1; 0
     * if there is none. */
    int strongest_query, strongest_key;
} HeadStats;

/* Fill out from one head's scores and weights (T, T). Means are over the rows with an open key; if
 * there are none, all fields are 0. A NaN weight or open score makes the statistics that depend on
 * it NaN. */
void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask);

/* Return the mean entropy in nats, or the mean largest weight, over the rows of A with an open key;
 * 0 if there are none. A is of all heads (H*T, T) or of one (T, T). */
double stats_mean_entropy(const Mat *weights, const Mask *mask);
double stats_mean_largest(const Mat *weights, const Mask *mask);

/* Return the largest weight of softmax(factor·scores) over all keys and all rows of one head (T, T)
 * or all heads (H*T, T). Rows with a score that is not finite are skipped; 0 if none remain. */
double stats_sharpest(const Mat *scores, double factor);

/* Return the largest |a − b| over the open pairs, of all heads (H*T, T) or one (T, T); NaN if any
 * difference is NaN. */
float stats_difference(const Mat *a, const Mat *b, const Mask *mask);

/* Return how much the rows of x (T, D) differ: ‖X − 1·x̄ᵀ‖ / ‖X‖ in the Frobenius norm, with x̄ the
 * mean row. 0 if the rows are equal, 1 if their mean is 0. Source: Dong, Cordonnier and Loukas
 * 2021, "Attention is not all you need: pure attention loses rank doubly exponentially with depth",
 * section 2, there in another norm. */
double stats_row_residual(const Mat *x);

#endif
