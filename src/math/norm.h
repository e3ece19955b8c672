/* norm.h: layer normalisation without gain or shift. Pure. */
#ifndef HEADLIGHT_MATH_NORM_H
#define HEADLIGHT_MATH_NORM_H

#include "math/mat.h"

#define NORM_EPSILON 1e-5

/* Row by row, out = (x - mean) / sqrt(variance + NORM_EPSILON), the variance that of a population.
 * Both of one shape; out may be x. Sums run in double.
 * Source: Ba, Kiros and Hinton 2016, "Layer normalization", equation 3. */
void norm_rows(Mat *out, const Mat *x);

/* The gradient of x from that of norm_rows(x), row by row with y the normalised row:
 * dx = (dy − mean(dy) − y·mean(y∘dy)) / sqrt(variance + NORM_EPSILON). All of one shape; dx may be
 * dy. Sums run in double. */
void norm_rows_back(Mat *dx, const Mat *dy, const Mat *x);

#endif
