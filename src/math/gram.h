/* gram.h: singular values and vectors of a matrix from the eigenvectors of its Gram matrix, in a
 * third of the time that the matrix itself takes (bidiagonal.h). For product_*.c alone. Pure, in
 * double; one thread. Matrices lie column by column, and are (n, n) unless said.
 * The roots of eigenvalues would lose half of the digits. But u is orthonormal as exactly as for
 * any symmetric matrix, and σ is taken as the length of vᵀ = uᵀ·m, where an error of u counts
 * squared: m = u·Σ·vᵀ holds to rounding. Two rows of vᵀ are askew by ε over the product of their σ,
 * as shares of the largest: where that may be above 1e-6, they are turned until they are not. σ is
 * then within 1e-8 of itself and v orthonormal to 1e-5, as long as no σ is below 1e-7 of the
 * largest. Source: the argument of Demmel 1997, "Applied numerical linear algebra", section 5.2,
 * for Rayleigh quotients. */
#ifndef HEADLIGHT_MATH_GRAM_H
#define HEADLIGHT_MATH_GRAM_H

#include "base/err.h"
#include "base/job.h"

/* How the matrix turned out. */
typedef enum GramResult {
    GRAM_FOUND,
    GRAM_UNFIT, /* some σ are too small, or many small; nothing was written that is of use */
    GRAM_FAILED /* for want of memory, or as watch, which may be NULL, said to stop: see err */
} GramResult;

/* m = u·Σ·vt, sigma largest first. m is finite. */
GramResult gram_vectors(double *u, double *sigma, double *vt, const double *m, int n,
                        JobWatch *watch, Err *err);

/* The values alone, in a third of the time that the matrix itself takes: the roots of eigenvalues,
 * but of those that lie too low for that the vectors too, and σ from what m makes of these together
 * (Rayleigh and Ritz). Each is within 1e-6 of itself or 1e-12 of the largest. GRAM_UNFIT where too
 * many lie low. */
GramResult gram_values(double *sigma, const double *m, int n, JobWatch *watch, Err *err);

/* What m's vectors make of others: of m (rows, n) = U·Σ·Vᵀ, rows >= n, the values, and seen (k, n)
 * replaced by seen·V, in half the time that the vectors take if k is small. Of any finite m: values
 * that lie too low for the root are those of m·V, whatever V's columns for them are to each other.
 * Of these sums over r of seen·v_r are so exact that what m makes of them is exact to rounding.
 * false for want of memory, or as watch says. */
bool gram_seen(double *sigma, double *seen, int k, const double *m, int rows, int n,
               JobWatch *watch, Err *err);

/* About how many steps they take. */
double gram_vectors_steps(int n);
double gram_values_steps(int n);
double gram_seen_steps(int k, int rows, int n);

#endif
