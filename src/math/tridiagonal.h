/* tridiagonal.h: eigenvalues of a dense symmetric matrix, in double and in steps between which a
 * job may be told to stop. For svd.c alone. Source: Householder's reduction, and the root-free QR
 * iteration of Pal, Walker and Kahan, as in Parlett 1980, "The symmetric eigenvalue problem". */
#ifndef HEADLIGHT_MATH_TRIDIAGONAL_H
#define HEADLIGHT_MATH_TRIDIAGONAL_H

#include "base/err.h"
#include "base/job.h"

/* The n eigenvalues of m (n, n), n > 0, smallest first into values. Of m, column by column, the
 * lower triangle is read and used up; it is finite. Fails for want of memory, where the iteration
 * does not settle, and where watch, which may be NULL, says to stop. */
bool tridiagonal_values(double *values, double *m, int n, JobWatch *watch, Err *err);

/* About how many steps that takes. */
double tridiagonal_values_steps(int n);

#endif
