/* softmax.h: turns scores into weights that sum to 1. Pure. */
#ifndef HEADLIGHT_MATH_SOFTMAX_H
#define HEADLIGHT_MATH_SOFTMAX_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat.h"

/* Set weights = exp(scores) / Σ exp(scores), row by row, over the keys with open != 0, and 0 at
 * closed keys, whose scores are ignored. All are (rows, cols) without gaps, stride == cols; weights
 * may be scores. The row's largest open score is subtracted first, so no finite score overflows. If
 * an open score is NaN or +∞, or all open scores are −∞, every open weight of the row is NaN.
 * Relative error of a weight under 1e-6; weights under 1e-37 may become 0. */
void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open);

/* How softmax_rows gives one weight: power / sum, where power = e^(s − largest) and sum adds the
 * powers of the row. */
typedef struct SoftmaxTerms {
    double largest;    /* of the open scores */
    double power, sum; /* power is 0 for a closed key; both are 0 for a row without an open key */
} SoftmaxTerms;
SoftmaxTerms softmax_terms(const float *scores, const uint8_t *open, int count, int key);

/* Set dscores to the gradient of the scores, from the result of softmax_rows and its gradient
 * dweights: row by row dscores_j = w_j·(dweights_j − Σ_k w_k·dweights_k), so 0 at closed keys. All
 * have the same shape, the gradients without gaps; dscores may be dweights. The relative error
 * stays small even if one key has nearly all weight. */
void softmax_rows_back(Mat *dscores, const Mat *weights, const Mat *dweights);

/* Return −Σ w·ln w in nats over count weights ≥ 0, where 0·ln 0 = 0. Error less than 1e-14 for
 * weights that sum to 1; NaN if a weight is NaN. */
double softmax_entropy(const float *weights, int count);

#endif
