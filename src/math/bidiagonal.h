/* bidiagonal.h: singular values and vectors of a dense matrix, in double and in steps between which
 * a job may be told to stop, and what its neighbours in this folder count and take memory by. For
 * math/ alone. All matrices column by column, as LAPACK has them. Source: Golub and Kahan 1965,
 * "Calculating the singular values and pseudo-inverse of a matrix"; divide and conquer by Gu and
 * Eisenstat 1995. */
#ifndef HEADLIGHT_MATH_BIDIAGONAL_H
#define HEADLIGHT_MATH_BIDIAGONAL_H

#include "base/err.h"
#include "base/job.h"

/* The n singular values of m (rows, n), rows >= n > 0, largest first into sigma. m is finite and
 * used up. Fails for want of memory, where the iteration does not settle, and where watch, which
 * may be NULL, says to stop. */
bool bidiagonal_values(double *sigma, double *m, int rows, int n, JobWatch *watch, Err *err);

/* m (n, n) = u·Σ·vt, all (n, n). Else as above. */
bool bidiagonal_vectors(double *u, double *sigma, double *vt, double *m, int n, JobWatch *watch,
                        Err *err);

/* About how many steps they take. */
double bidiagonal_values_steps(int rows, int n);
double bidiagonal_vectors_steps(int n);

/* Doubles for the caller to free; NULL with err where there is no memory for them. */
double *bidiagonal_scratch(size_t doubles, Err *err);

/* Count steps; false with err once the work is to stop. */
bool bidiagonal_step(JobWatch *watch, double steps, Err *err);

#endif
