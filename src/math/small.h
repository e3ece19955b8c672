/* small.h: products of so few rows that calling BLAS costs more than multiplying. Pure. */
#ifndef HEADLIGHT_MATH_SMALL_H
#define HEADLIGHT_MATH_SMALL_H

#include <stdbool.h>

#include "math/mat.h"

/* Whether small_mul may be asked for, and is then the faster. */
bool small_fits(const Mat *a, const Mat *b);

/* out = factor * a * b, which must fit. out must not overlap a or b. */
void small_mul(Mat *out, const Mat *a, const Mat *b, float factor);

#endif
