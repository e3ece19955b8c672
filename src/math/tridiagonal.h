/* tridiagonal.h: eigenvalues of a dense symmetric matrix, in double and in steps between which a
 * job may be told to stop. For svd.c and gram.c. Source: Householder's reduction, the root-free QR
 * iteration of Pal, Walker and Kahan, and inverse iteration, as in Parlett 1980, "The symmetric
 * eigenvalue problem". */
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

/* The smallest eigenvalues, whose vectors are asked for. */
typedef struct TridiagonalLeast {
    double bound;    /* of the largest one: those not above it */
    int most;        /* of which so many, at most n, are at hand in */
    double *vectors; /* (n, most), orthonormal columns, smallest first */
    int count;       /* set to how many there are; above most where they are more, or cannot be told
                        apart, and then there are no vectors */
} TridiagonalLeast;

/* The same with those, in not much more time if they are few: each by inverse iteration on the
 * tridiagonal matrix. */
bool tridiagonal_least(double *values, TridiagonalLeast *least, double *m, int n, Arena *scratch,
                       JobWatch *watch, Err *err);
size_t tridiagonal_least_bytes(int n);

/* The same with the eigenvectors, orthonormal columns in the same order in vectors (n, n), by
 * divide and conquer. Source: Gu and Eisenstat 1995, "A divide-and-conquer algorithm for the
 * symmetric tridiagonal eigenproblem". */
bool tridiagonal_vectors(double *values, double *vectors, double *m, int n, Arena *scratch,
                         JobWatch *watch, Err *err);
size_t tridiagonal_vectors_bytes(int n);

/* What the eigenvectors make of other vectors. */
typedef struct TridiagonalSeen {
    double *seen; /* (rows, n), replaced by itself times the eigenvectors (n, n) */
    int rows;
    double bound;    /* of the largest eigenvalue: the vectors of those not above it */
    double *vectors; /* room for (n, n), for as many columns of them, */
    int count;       /* which is set */
} TridiagonalSeen;

/* The same with that: if rows and count are few, in half the time that the vectors take. */
bool tridiagonal_seen(double *values, TridiagonalSeen *seen, double *m, int n, Arena *scratch,
                      JobWatch *watch, Err *err);
size_t tridiagonal_seen_bytes(int n, int rows);

/* About how many steps they take. */
double tridiagonal_values_steps(int n);
double tridiagonal_seen_steps(int n, int rows);
double tridiagonal_vectors_steps(int n);

#endif
