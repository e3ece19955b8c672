/* softmax.h: scores become weights that sum to 1. Pure. */
#ifndef HEADLIGHT_MATH_SOFTMAX_H
#define HEADLIGHT_MATH_SOFTMAX_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat.h"

/* Row by row, weights = exp(scores) / Σ exp(scores) over the keys with open != 0, and 0 at the
 * others, whose scores are not looked at; all 0 where none is open. Both (rows, cols) without
 * gaps, stride == cols, and so is open; weights may be scores.
 * A row's reference, below, is taken off first, so no finite score overflows. An open score that
 * is not a number or +∞, or open scores of −∞ alone, make every open weight of the row not a
 * number. Relative error of a weight under 1e-6; weights under 1e-37 may become 0. */
void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open);

/* The same in steps, so that a row whose keys grow is gone on with and has the same bits: exps of
 * its scores less its reference, their sum, and the weights.
 * A row's reference is the score of one of its open keys: of the first, until one is more than
 * SOFTMAX_RISE above it, and then that one's. So the row's largest is at most so much above it and
 * a new largest seldom changes it, while a key that is alone, or takes all, has an exp of 1. A NaN
 * is passed over; -∞ where no key is open. */
#define SOFTMAX_RISE 8.0F
static inline bool softmax_outgrows(float score, float reference) {
    return score > reference + SOFTMAX_RISE;
}

/* A row's reference, going on from that of the keys before; -∞ where there are none. */
float softmax_reference(float reference, const float *scores, const uint8_t *open, int count);

/* exps = exp(scores − reference), 0 at keys that are not open; reference (rows), and factor (rows)
 * as below. exps may be scores, and both may have gaps; open (rows, cols) has none. */
void softmax_exps(Mat *exps, float *reference, float *factor, const Mat *scores,
                  const uint8_t *open);

/* The same where the references are known. */
void softmax_exps_from(Mat *exps, const float *reference, const Mat *scores, const uint8_t *open);

/* exps[e] = e^exps[e], all of them at most SOFTMAX_RISE or not a number. */
void softmax_exp_each(float *exps, int count);

/* What a row's exps add up to: entry j in lane j % SOFTMAX_LANES, each lane in order, so that 0 at
 * the end changes nothing. Entries first .. end-1 are added. */
#define SOFTMAX_LANES 8
typedef struct SoftmaxSum {
    double lane[SOFTMAX_LANES];
} SoftmaxSum;
void softmax_add(SoftmaxSum *sum, const float *exps, int first, int end);

/* What the exps of each row are multiplied by to be weights, 1 / Σ; 0 for one without an open key.
 * Here the sums lie lane by lane: that of row i in lane l is lanes[l * stride + i]. */
void softmax_factors(float *factor, const double *lanes, size_t stride, int count);

/* weights = exps · factor; weights may be exps. Where factor is no number, the weights are
 * softmax_spoil's: no numbers either, but 0 at keys that are not open. */
void softmax_scale(float *weights, const float *exps, float factor, int count);
void softmax_spoil(float *exps, float factor, const uint8_t *open, int count);

/* The gradient of the scores from the weights that softmax_rows made of them and the gradient of
 * those: dscores_j = w_j·(dweights_j − Σ_k w_k·dweights_k), row by row. 0 where a weight is 0, as
 * at every key that is not open. All of one shape, the gradients without gaps; dscores may be
 * dweights. As exact where one key takes nearly all as where they share. */
void softmax_rows_back(Mat *dscores, const Mat *weights, const Mat *dweights);

/* -Σ w·ln w in nats over count weights, none negative; 0 weighs nothing. Off by less than 1e-14 for
 * weights that sum to 1; not a number where a weight is not. */
double softmax_entropy(const float *weights, int count);

/* e^x for x <= SOFTMAX_RISE, relative error under 3e-7; 0 under −87, not a number for not a number.
 * Source: Cody and Waite 1980, "Software manual for the elementary functions", chapter 6, for the
 * reduction to |r| <= ln 2 / 2; then the Taylor polynomial. */
float softmax_exp(float x);

#endif
