/* mat.h: float32 matrices, row-major, over memory that the caller owns. Pure. Shapes are (rows,
 * cols). */
#ifndef HEADLIGHT_MATH_MAT_H
#define HEADLIGHT_MATH_MAT_H

#include "base/arena.h"

/* A view: entry (i, j) lies at at[i * stride + j], stride >= cols. rows == 0 means absent. */
typedef struct Mat {
    float *at;
    int rows, cols, stride;
} Mat;

static inline float *mat_row(const Mat *m, int row) {
    return m->at + (size_t)row * (size_t)m->stride;
}

/* Bytes that mat_push takes from an arena; SIZE_MAX when that does not fit. */
size_t mat_bytes(int rows, int cols);

/* The sum of two such sizes; SIZE_MAX when that does not fit. */
size_t mat_bytes_add(size_t sum, size_t more);

/* A new matrix from the arena, not cleared. */
Mat mat_push(Arena *arena, int rows, int cols);

/* Columns first .. first+count-1, or the same of rows, as a view of the same memory. */
Mat mat_cols(const Mat *m, int first, int count);
Mat mat_rows(const Mat *m, int first, int count);

/* The same entries as one row, where there are no gaps between the rows; otherwise m itself. */
Mat mat_gapless(const Mat *m);

/* out = factor * a * b; gemm.h has more kinds of product. out must not overlap a or b. Each product
 * asserts that the shapes agree; values that are not finite spread as IEEE arithmetic has them. */
void mat_mul(Mat *out, const Mat *a, const Mat *b, float factor);

/* out = factor * a * bᵀ. */
void mat_mul_bt(Mat *out, const Mat *a, const Mat *b, float factor);

/* out = factor * aᵀ * b. */
void mat_mul_at(Mat *out, const Mat *a, const Mat *b, float factor);

void mat_copy(Mat *out, const Mat *a);

/* Multiply column j of m by factors[j], in double. */
void mat_scale_cols(Mat *m, const double *factors);

/* out = aᵀ; out must not overlap a. */
void mat_transpose(Mat *out, const Mat *a);

/* Largest |a - b| over all entries; not a number if any difference is not. */
float mat_max_difference(const Mat *a, const Mat *b);

/* max |entry|, passing over what is not finite; 0 where nothing is left. */
float mat_largest(const Mat *m);

bool mat_is_finite(const Mat *m);

/* The largest size of count entries, or what is not finite if any is; 0 of none. */
float row_largest(const float *row, int count);

#endif
