/* rank_curve.h: what is lost where a head's product keeps only its r largest singular values: of
 * the matrix itself, of the scores and of the attention. Pure.
 * T tokens, E input width, count = min(E, d_k) singular values that are not 0. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_RANK_CURVE_H
#define HEADLIGHT_MODEL_ANALYSIS_RANK_CURVE_H

#include "base/job.h"
#include "model/analysis/rope_offset_products.h"

#define RANK_CURVE_MAX 72

/* For the ranks rank[0..count), rising from 0 to min(E, d_k), all of them or evenly chosen. From
 * d_k up nothing is lost. With rope W is the matrix of one distance, and S, A and KL are what
 * becomes of the head where those of all distances are cut to the rank. */
typedef struct RankCurve {
    int count;
    float rank[RANK_CURVE_MAX];
    float W[RANK_CURVE_MAX];  /* ‖W_r − W‖ / ‖W‖, Frobenius */
    float S[RANK_CURVE_MAX];  /* max|S_r − S| / S_most over open keys; of W_OV the output's */
    float A[RANK_CURVE_MAX];  /* max|A_r − A| */
    float KL[RANK_CURVE_MAX]; /* the mean over rows of Σ a·ln(a/a_r), nats */
    float S_most;             /* max|S| over open keys, or where that is 0, 1 */
} RankCurve;

/* The room that rank_curve takes from scratch for a moment. */
size_t rank_curve_bytes(int T, int E);

/* The product has its parts. full is the head's result by the whole one; terms (T·T, count) those
 * of rope_offset_products_terms with rope, or without rows, and then only W is found. False once
 * watch, which may be NULL, says to stop. */
bool rank_curve(RankCurve *out, const HeadProduct *product, const HeadInputs *site,
                const HeadResult *full, const Mat *terms, JobWatch *watch, Arena *scratch);

/* ‖W_r − W‖ / ‖W‖ from the singular values: Eckart and Young 1936. 0 for a matrix of 0. */
double rank_curve_loss(const double *sigma, int count, int rank);

/* Σ_j a_j·ln(a_j/b_j), 0·ln 0 = 0, in nats; infinite where b has no weight and a has. */
double rank_curve_divergence(const float *a, const float *b, int count);

/* Its mean over the rows of two matrices of one shape; not a number where either is not there. */
float rank_curve_mean_divergence(const Mat *a, const Mat *b);

#endif
