/* jacobi.h: singular values without LAPACK. */
#ifndef HEADLIGHT_TESTS_SUPPORT_JACOBI_H
#define HEADLIGHT_TESTS_SUPPORT_JACOBI_H

/* The singular values of m, largest first: n rows of n, stride apart, which are overwritten. By
 * rotations that make the rows orthogonal. Source: Hestenes 1958, "Inversion of matrices by
 * biorthogonalization and related results". */
void jacobi(double *sigma, double *m, int n, int stride);

#endif
