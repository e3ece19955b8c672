/* small_lapack.h: simple versions of the four LAPACK routines that decompose.c calls, for builds
 * without LAPACK. Pure. Arguments and results are LAPACK's; layout, work, room and integers are
 * used only where stated. Matrices are stored by columns. Slow: a (64, 64) matrix with vectors
 * takes some milliseconds, and the time grows with the third power. */
#ifndef HEADLIGHT_MATH_SMALL_LAPACK_H
#define HEADLIGHT_MATH_SMALL_LAPACK_H

#define LAPACK_COL_MAJOR 102

/* Replace a (m, n), m >= n, by R and, below the diagonal, the Householder vectors of Q. Source:
 * Golub and Van Loan 2013, "Matrix computations", algorithm 5.2.1. */
int small_geqrf(int layout, int m, int n, double *a, int lda, double *tau, double *work, int room);

/* Replace the result of geqrf in a by the first n columns of Q; k is n. */
int small_orgqr(int layout, int m, int n, int k, double *a, int lda, const double *tau,
                double *work, int room);

/* Set c (m, n) = Q·c, where Q is the product of the k reflections in a. side is 'L', trans 'N'. */
int small_ormqr(int layout, char side, char trans, int m, int n, int k, const double *a, int lda,
                const double *tau, double *c, int ldc, double *work, int room);

/* Fill s with the singular values of a, largest first; if job is 'S', also u (m, c) and vt (c, n)
 * with the singular vectors; c is the smaller of m and n. Overwrites a, and c·c + 3·c doubles of
 * work. Return 1 if the iteration does not converge, else 0. Sources: one-sided Jacobi, Hestenes
 * 1958, "Inversion of matrices by biorthogonalization and related results"; for values alone, if m
 * >= n, Golub and Kahan 1965, "Calculating the singular values and pseudo-inverse of a matrix", and
 * bisection. */
int small_gesdd(int layout, char job, int m, int n, double *a, int lda, double *s, double *u,
                int ldu, double *vt, int ldvt, double *work, int room, int *integers);

#endif
