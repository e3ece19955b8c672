/* tridiagonal.h: eigenvalues of a dense symmetric matrix, in double and in steps between which a
 * job may be told to stop. For svd.c and gram.c. Source: Householder's reduction, and the root-free
 * QR iteration of Pal, Walker and Kahan, as in Parlett 1980, "The symmetric eigenvalue problem". */
#ifndef HEADLIGHT_MATH_TRIDIAGONAL_H
#define HEADLIGHT_MATH_TRIDIAGONAL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/job.h"

/* The n eigenvalues of m (n, n), n > 0, smallest first into values. Of m, column by column, the
 * lower triangle is read; all of it is used up; it is finite. Fails where the iteration does not
 * settle, and where watch, which may be NULL, says to stop. scratch has room for the bytes below,
 * and keeps what it had. */
bool tridiagonal_values(double *values, double *m, int n, Arena *scratch, JobWatch *watch,
                        Err *err);
size_t tridiagonal_bytes(int n);

/* The same with the eigenvectors, orthonormal columns in the same order in vectors (n, n), by
 * divide and conquer. Source: Gu and Eisenstat 1995, "A divide-and-conquer algorithm for the
 * symmetric tridiagonal eigenproblem". */
bool tridiagonal_vectors(double *values, double *vectors, double *m, int n, Arena *scratch,
                         JobWatch *watch, Err *err);
size_t tridiagonal_vectors_bytes(int n);

/* About how many steps they take. */
double tridiagonal_values_steps(int n);
double tridiagonal_vectors_steps(int n);

#endif
