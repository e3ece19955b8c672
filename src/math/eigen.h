/* eigen.h: the largest eigenvalues of a symmetric matrix, and their vectors. For svd.c. Pure, in
 * double; one thread. */
#ifndef HEADLIGHT_MATH_EIGEN_H
#define HEADLIGHT_MATH_EIGEN_H

#include "base/err.h"

/* All n eigenvalues of m, smallest first, into values, and the vectors of the `count` largest,
 * 0 < count <= n, each a row of vectors (count, n), in the same order. m (n, n) is symmetric, of
 * which row by row the lower triangle is read, and used up. Fails for want of memory, and where
 * LAPACK's iteration does not settle.
 * Values of the tridiagonal matrix that m is turned to, then each vector by itself from the two
 * factors of that matrix less the value, joined where they agree best: far less than all of them
 * take. Where two values are too close for that, all vectors come from divide and conquer.
 * Source: Parlett and Dhillon 1997, "Fernando's solution to Wilkinson's problem: an application of
 * double factorization". */
bool eigen_largest(double *values, double *vectors, double *m, int n, int count, Err *err);

#endif
