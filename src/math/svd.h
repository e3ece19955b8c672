/* svd.h: singular values, and a matrix as the product of two thin ones. Pure, in double; one
 * thread. Shapes are (rows, cols). Those of a product of two factors are in product_svd.h. */
#ifndef HEADLIGHT_MATH_SVD_H
#define HEADLIGHT_MATH_SVD_H

#include "base/arena.h"
#include "base/job.h"
#include "math/mat.h"

/* The singular values of m, largest first: min(rows, cols) of them into sigma. m must be finite
 * and not empty. Fails for want of memory, where LAPACK's iteration does not settle, or where
 * watch, which may be NULL, says to stop. */
bool svd_values(double *sigma, const Mat *m, JobWatch *watch, Err *err);

/* The same in less than half the time where the smallest is not below 1e-5 of the largest, as it
 * hardly ever is of a matrix drawn at random; else in half as much again. Each is within 1e-4 of
 * itself, and those above 1e-4 of the largest within 1e-8: they are the roots of the eigenvalues of
 * m·mᵀ or mᵀ·m, whose error is some ε of the largest. scratch has room for the bytes below: what
 * is asked for again and again need not take them from the system each time, which takes some
 * milliseconds. */
bool svd_values_of_full_rank(double *sigma, const Mat *m, Arena *scratch, JobWatch *watch,
                             Err *err);
size_t svd_values_of_full_rank_bytes(int rows, int cols);

/* About how many steps (base/job.h) the two take. */
double svd_values_steps(int rows, int cols);
double svd_values_of_full_rank_steps(int rows, int cols);

/* With m = U·Σ·Vᵀ, set left (n, r) = U·√Σ and right (n, r) = V·√Σ for the r largest singular
 * values, so that left·rightᵀ is m's best approximation of rank r; columns from n on are 0. m is
 * (n, n), row by row without gaps, and finite. left or right may be NULL. Fails as above.
 * The U of m·mᵀ and V = mᵀ·U/Σ: a singular value below √ε of the largest is not exact, their
 * product is. Source: Eckart and Young 1936, "The approximation of one matrix by another of lower
 * rank". */
bool svd_split(Mat *left, Mat *right, const double *m, int n, Err *err);

#endif
