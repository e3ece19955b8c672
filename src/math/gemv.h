/* gemv.h: products of one row, which read the other side once and where it lies; with the bits of
 * gemm.h's, since each entry sums the same terms in the same order. Pure. */
#ifndef HEADLIGHT_MATH_GEMV_H
#define HEADLIGHT_MATH_GEMV_H

#include "math/mat.h"

/* out (1, cols) = factor * a (1, depth) * b (depth, cols), and factor * a * bᵀ with b (cols,
 * depth). out must not overlap a or b. */
void gemv(Mat *out, const Mat *a, const Mat *b, float factor);
void gemv_turned(Mat *out, const Mat *a, const Mat *b, float factor);

#endif
