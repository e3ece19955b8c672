/* norm.h: layer normalisation and its form without a mean, both without gain or shift. Pure. */
#ifndef HEADLIGHT_MATH_NORM_H
#define HEADLIGHT_MATH_NORM_H

#include <stdbool.h>

#include "math/mat.h"

#define NORM_EPSILON 1e-5

/* All zero: LayerNorm with NORM_EPSILON. */
typedef struct NormKind {
    bool rms;      /* RMSNorm: the mean counts as 0 */
    float epsilon; /* 0: NORM_EPSILON */
} NormKind;

/* Row by row, out = (x - mean) / sqrt(variance + epsilon), the variance that of a population.
 * Both of one shape; out may be x. Sums run in double.
 * Source: Ba, Kiros and Hinton 2016, "Layer normalization", equation 3; Zhang and Sennrich 2019,
 * "Root mean square layer normalization", equation 4. */
void norm_rows(Mat *out, const Mat *x, NormKind kind);

/* The gradient of x from that of norm_rows(x), row by row with y the normalised row:
 * dx = (dy − mean(dy) − y·mean(y∘dy)) / sqrt(variance + epsilon), without mean(dy) for RMSNorm. All
 * of one shape; dx may be dy. Sums run in double. */
void norm_rows_back(Mat *dx, const Mat *dy, const Mat *x, NormKind kind);

#endif
