/* stats.h: what is said about a head in numbers. Pure; sums run in double. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_STATS_H
#define HEADLIGHT_MODEL_ANALYSIS_STATS_H

#include "model/attention/attention.h"

/* Population standard deviation of all entries; 0 for a matrix without any. */
double stats_std(const Mat *m);

/* Σ m². */
double stats_sum_of_squares(const Mat *m);

/* The deviation of S, all heads' (H*T, T) or one head's (T, T), over the open pairs of query and
 * key alone. */
double stats_score_std(const Mat *scores, const Mask *mask);

/* Entropy in nats of one row of weights, 0 ln 0 = 0. */
double stats_row_entropy(const float *weights, int count);

typedef struct HeadStats {
    double entropy;         /* mean over rows, nats */
    double entropy_uniform; /* mean over rows of ln(open keys): the most it could be */
    double score_std;       /* of S over the open pairs */
    double largest;         /* largest weight of A */
    double to_self;         /* mean of A[i][i] */
    double distance;        /* mean over rows of Σ_j A[i][j]·|i−j|, in tokens */
    /* How little gradient the softmax lets through: 0 where it is uniform and lets most through, 1
     * where one key takes all and nothing passes. Per row 1 − Σ a(1 − a)/(1 − 1/n) with n open
     * keys, where Σ a(1 − a) is the trace of the Jacobian diag(a) − a·aᵀ; the mean over the rows
     * with two keys or more, 0 without any. */
    double saturation;
} HeadStats;

/* scores and weights are one head's (T, T), weights the softmax of scores over the open keys. Means
 * are over the rows with an open key; where no row has one, all is 0. A weight or open score that
 * is not a number makes its figures not a number. */
void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask);

/* Over the rows of A that have an open key, of all heads' (H*T, T) or one head's (T, T): the mean
 * of their entropy in nats, and of each row's largest weight. 0 where no row has one. */
double stats_mean_entropy(const Mat *weights, const Mask *mask);
double stats_mean_largest(const Mat *weights, const Mask *mask);

/* One row's part of a head's figures. */
typedef struct RowStats {
    int open; /* keys; where 0 the rest is 0 */
    double entropy, entropy_uniform, largest, to_self, distance, saturation;
    double score_mean, score_squares; /* of the open scores: mean, and Σ (s − mean)² */
} RowStats;

typedef struct StatsSum {
    HeadStats mean; /* sums until stats_finish */
    int rows, rows_with_choice;
    long long pairs;
    double score_mean, score_squares;
} StatsSum;

/* The figures of a query's row of S and A (T). stats_head adds those of all rows, in order, to a
 * zeroed sum. */
void stats_row(RowStats *out, const float *scores, const float *weights, const uint8_t *open,
               int query, int T);
void stats_add(StatsSum *sum, const RowStats *row);
HeadStats stats_finish(const StatsSum *sum);

/* The largest |a − b| over a row's open keys; not a number where any difference is not. */
float stats_row_difference(const float *a, const float *b, const uint8_t *open, int T);

/* The numerical rank of W_Q W_Kᵀ for one head's factors (D, K): how many singular values are above
 * max(D, K)·ε·σ₁, with ε that of float32, in which the weights are held.
 * -1 when memory ran out or a weight is not finite. */
int stats_product_rank(const Mat *w_q, const Mat *w_k);

/* How far the rows of x (T, D) are from being all the same: ‖X − 1·x̄ᵀ‖ / ‖X‖ in the Frobenius
 * norm, x̄ the mean row. 0 where they are the same, or all 0; 1 where their mean is 0.
 * Source: Dong, Cordonnier and Loukas 2021, "Attention is not all you need: pure attention loses
 * rank doubly exponentially with depth", section 2, there in another norm. */
double stats_row_residual(const Mat *x);

#endif
