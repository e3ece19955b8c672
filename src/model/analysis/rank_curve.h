/* rank_curve.h: the errors of W, S and A if a head's product W keeps only its r largest singular
 * values. Pure. T tokens, E input width, count = min(E, d_k) singular values. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_RANK_CURVE_H
#define HEADLIGHT_MODEL_ANALYSIS_RANK_CURVE_H

#include "model/analysis/rope_offset_products.h"

#define RANK_CURVE_MAX 72

/* Errors at the ranks rank[0..count), which rise from 0 to min(E, d_k): all ranks, or evenly spaced
 * ones. With RoPE, W is that of one distance; for S, A and KL the matrices of all distances are
 * cut. */
typedef struct RankCurve {
    int count;
    float rank[RANK_CURVE_MAX];
    float W[RANK_CURVE_MAX]; /* ‖W_r − W‖ / ‖W‖, Frobenius */
    /* max|S_r − S| / S_most over open keys; for W_OV with the output as S. */
    float S[RANK_CURVE_MAX];
    float A[RANK_CURVE_MAX];  /* max|A_r − A|; NaN for W_OV */
    float KL[RANK_CURVE_MAX]; /* mean over rows of Σ a·ln(a/a_r), nats; NaN for W_OV */
    float S_most;             /* max|S| over open keys; 1 if all scores are 0 */
} RankCurve;

/* Fill out. The product must have row_parts and col_parts. full is the head's result with the whole
 * product. With RoPE, terms (T·T, count) come from rope_offset_products_terms; if terms has no
 * rows, S, A and KL are NaN. */
void rank_curve(RankCurve *out, const HeadProduct *product, const HeadInputs *inputs,
                const HeadResult *full, const Mat *terms, Arena *scratch);

/* Return ‖W_r − W‖ / ‖W‖ from the singular values (Eckart and Young 1936); 0 for a zero matrix. */
double rank_curve_loss(const double *sigma, int count, int rank);

/* Return Σ_j a_j·ln(a_j/b_j) in nats, with 0·ln 0 = 0; infinite if some b_j is 0 and a_j is not. */
double rank_curve_divergence(const float *a, const float *b, int count);

/* Return the mean of rank_curve_divergence over the rows of two matrices of the same shape; NaN if
 * either has no rows. */
float rank_curve_mean_divergence(const Mat *a, const Mat *b);

#endif
