/* norm.h: layer normalisation and RMSNorm, both without gain or shift. Pure. */
#ifndef HEADLIGHT_MATH_NORM_H
#define HEADLIGHT_MATH_NORM_H

#include <stdbool.h>

#include "math/mat.h"

#define NORM_EPSILON 1e-5

/* The kind of normalisation. All zero: LayerNorm with NORM_EPSILON. */
typedef struct NormKind {
    bool rms;      /* RMSNorm: the mean is not subtracted */
    float epsilon; /* 0: NORM_EPSILON */
} NormKind;

/* The numbers by which a row is normalised: (row − mean) / std, where std = sqrt(variance +
 * epsilon). For RMSNorm the mean is 0. */
typedef struct RowNorm {
    double mean, std;
} RowNorm;
RowNorm norm_of_row(const float *x, int count, NormKind kind);

/* Set out = (x - mean) / sqrt(variance + epsilon), row by row, with the variance of a population.
 * out and x have the same shape; out may be x. Sums are in double. Source: Ba, Kiros and Hinton
 * 2016, "Layer normalization", equation 3; Zhang and Sennrich 2019, "Root mean square layer
 * normalization", equation 4. */
void norm_rows(Mat *out, const Mat *x, NormKind kind);

/* Set dx to the gradient of x. dy is the gradient of y = norm_rows(x). Row by row dx = (dy −
 * mean(dy) − y·mean(y∘dy)) / sqrt(variance + epsilon), without mean(dy) for RMSNorm. All have the
 * same shape; dx may be dy. Sums are in double. */
void norm_rows_back(Mat *dx, const Mat *dy, const Mat *x, NormKind kind);

#endif
