/* decompose.h: singular values and vectors, and orthogonal factors, by LAPACK, which no other file
 * calls. Matrices are float32, the work is in double. The only global is the library, which is
 * loaded at the first call. Shapes are (rows, cols); c is the smaller of the two. Errors: every
 * function fails if memory is short, if LAPACK is not installed, or if an entry is not finite; a
 * singular value decomposition also if LAPACK's iteration does not converge. Thread: any. A call
 * uses one thread and cannot be cancelled. */
#ifndef HEADLIGHT_MATH_DECOMPOSE_H
#define HEADLIGHT_MATH_DECOMPOSE_H

#include "base/err.h"
#include "math/mat.h"

/* Fill sigma with the c singular values of m, largest first, and u (rows, c) and v (cols, c) with
 * its singular vectors as columns: m = u·Σ·vᵀ. u and v may both be NULL. The entry of largest size
 * in each column of u is positive, so that any LAPACK gives the same vectors. */
bool decompose_matrix(Mat *u, double *sigma, Mat *v, const Mat *m, Err *err);

/* Decompose a·bᵀ (D, D) like decompose_matrix; a and b are (D, K), c is min(D, K), and the other
 * singular values are 0. If K < D the product is not formed: a (K, K) matrix between orthonormal
 * bases of the two factors is decomposed instead. */
bool decompose_product(Mat *u, double *sigma, Mat *v, const Mat *a, const Mat *b, Err *err);

/* Replace out (D, D), which holds a·bᵀ, by the nearest matrix of rank at most `rank`; if rank is
 * min(D, K) or more, out is unchanged. Fill sigma, a row of at least min(D, K) columns, with the
 * singular values of a·bᵀ, then 0. Source: Eckart and Young 1936, "The approximation of one matrix
 * by another of lower rank". */
bool decompose_truncate(Mat *out, Mat *sigma, const Mat *a, const Mat *b, int rank, Err *err);

/* Replace m by the Q of m = Q·R, where the diagonal of R is not negative; if m is wider than tall,
 * by the transposed Q of its transpose. If the entries of m are independent normals, Q is uniform
 * over the orthogonal matrices. Source: Mezzadri 2007, "How to generate random matrices from the
 * classical compact groups". */
bool decompose_orthogonal(Mat *m, Err *err);

#endif
