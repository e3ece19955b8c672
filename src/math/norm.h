/* norm.h: layer normalisation and RMSNorm, both without gain or shift. Pure. */
#ifndef HEADLIGHT_MATH_NORM_H
#define HEADLIGHT_MATH_NORM_H

#include <stdbool.h>

#include "math/mat.h"

#define NORM_EPSILON 1e-5

/* All zero: LayerNorm with NORM_EPSILON. */
typedef struct NormKind {
    bool rms;      /* RMSNorm: the mean is not subtracted */
    float epsilon; /* 0: NORM_EPSILON */
} NormKind;

/* A row is normalised as (row − mean) / std, with std = sqrt(variance + epsilon). The mean is 0 for
 * RMSNorm. */
typedef struct RowNorm {
    double mean, std;
} RowNorm;
RowNorm norm_of_row(const float *x, int count, NormKind kind);

/* Set out = (x - mean) / sqrt(variance + epsilon), row by row, with the variance of a population.
 * out may be x. Sums are in double. Source: Ba, Kiros and Hinton 2016, "Layer normalization",
 * equation 3; Zhang and Sennrich 2019, "Root mean square layer normalization", equation 4. */
void norm_rows(Mat *out, const Mat *x, NormKind kind);

/* Set dx to the gradient of x, from dy, the gradient of y = norm_rows(x): row by row dx = (dy −
 * mean(dy) − y·mean(y∘dy)) / sqrt(variance + epsilon), without mean(dy) for RMSNorm. dx may be dy.
 * Sums are in double. */
void norm_rows_back(Mat *dx, const Mat *dy, const Mat *x, NormKind kind);

#endif
