/* mat.h: float32 matrices, row-major, in memory that the caller owns. Pure. Shapes are (rows,
 * cols). */
#ifndef HEADLIGHT_MATH_MAT_H
#define HEADLIGHT_MATH_MAT_H

#include "base/arena.h"
#include "base/rng.h"

/* Entry (i, j) is at[i * stride + j], stride >= cols. rows == 0 means that the matrix is absent. */
typedef struct Mat {
    float *at;
    int rows, cols, stride;
} Mat;

static inline float *mat_row(const Mat *m, int row) {
    return m->at + (size_t)row * (size_t)m->stride;
}

/* Return the bytes that mat_push takes from an arena; may exceed SIZE_MAX. */
uint64_t mat_bytes(int rows, int cols);

/* Push a matrix with undefined entries, or a copy of m. */
Mat mat_push(Arena *arena, int rows, int cols);
Mat mat_push_copy(Arena *arena, const Mat *m);

/* Return a view of `count` columns, or rows, from `first` on. */
Mat mat_cols(const Mat *m, int first, int count);
Mat mat_rows(const Mat *m, int first, int count);

/* Return m as a view of one row, if there are no gaps between its rows; otherwise m itself. */
Mat mat_gapless(const Mat *m);

/* Set out = factor * a * b (gemm.h). out must not overlap a or b. Each product asserts that the
 * shapes agree. Non-finite values propagate as in IEEE arithmetic. */
void mat_mul(Mat *out, const Mat *a, const Mat *b, float factor);

/* Set out = factor * a * bᵀ. */
void mat_mul_bt(Mat *out, const Mat *a, const Mat *b, float factor);

/* Set out = factor * aᵀ * b. */
void mat_mul_at(Mat *out, const Mat *a, const Mat *b, float factor);

void mat_copy(Mat *out, const Mat *a);

/* Set the entries of the diagonal to value and all others to 0. */
void mat_diagonal(Mat *m, float value);

/* Fill m with factor·N(0, 1): entry (i, j) is sample first + i * cols + j. */
void mat_normals(Mat *m, Rng rng, uint64_t first, double factor);

/* Add each row of more to the row of m with its index; if more has one row, add it to every row of
 * m. */
void mat_add_rows(Mat *m, const Mat *more);

/* Multiply column j of m by factors[j], in double. */
void mat_scale_cols(Mat *m, const double *factors);

/* Set out = aᵀ. out must not overlap a. */
void mat_transpose(Mat *out, const Mat *a);

/* Return the largest |a - b| over all entries; NaN if any difference is NaN. */
float mat_max_difference(const Mat *a, const Mat *b);

/* Return the largest finite |entry|; 0 if there is none. */
float mat_largest(const Mat *m);

/* Write the indices of the largest finite values, but no more than `most`: the largest first, equal
 * values by index. Return the number of indices. */
int mat_largest_first(int *out, int most, const float *values, int count);

bool mat_is_finite(const Mat *m);

uint64_t mat_hash(uint64_t hash, const Mat *m);

/* Return the largest magnitude of count entries; not finite if an entry is not; 0 if count is 0. */
float row_largest(const float *row, int count);

/* Return the largest |a − b| of count entries; only of open ones, unless open is NULL. NaN if a
 * difference is NaN. */
float row_difference(const float *a, const float *b, const uint8_t *open, int count);

#endif
