/* product_svd.h: singular values and vectors of a·bᵀ for two factors of one shape (D, K), without
 * ever taking the (D, D) product apart: for K < D they are those of a (K, K) matrix between the
 * factors' orthonormal bases. Pure, in double; one thread.
 * watch, which may be NULL, is told of the steps, and can end the work early: then all fail. They
 * fail for want of memory too, and where LAPACK's iteration does not settle. */
#ifndef HEADLIGHT_MATH_PRODUCT_SVD_H
#define HEADLIGHT_MATH_PRODUCT_SVD_H

#include "base/job.h"
#include "math/mat.h"

/* The singular values, largest first: min(D, K) of them into sigma. a and b must be finite. */
bool product_svd_values(double *sigma, const Mat *a, const Mat *b, JobWatch *watch, Err *err);

/* a·bᵀ = u·Σ·vᵀ with c = min(D, K): u and v (D, c) have orthonormal columns, sigma gets the c
 * singular values, largest first. Fails where a or b is not finite. */
bool product_svd_vectors(Mat *u, double *sigma, Mat *v, const Mat *a, const Mat *b, JobWatch *watch,
                         Err *err);

/* What is looked at through the vectors of a·bᵀ: x (k, D) through u, y (l, D) through v. Where y is
 * NULL, v itself is. Values of x and y that are not finite spread. */
typedef struct ProductSeen {
    const Mat *a, *b, *x, *y;
} ProductSeen;

/* left = x·u (k, c) and right = y·v·Σ (l, c): so x·(a·bᵀ)·yᵀ = left·rightᵀ, and with the first r
 * columns of both alone it is that of the nearest matrix of rank r. sigma gets the singular values
 * as above. For few rows in half the time of the vectors. Fails where a or b is not finite. */
bool product_svd_seen(Mat *left, double *sigma, Mat *right, const ProductSeen *of, JobWatch *watch,
                      Err *err);

/* The same where the vectors are there. */
void product_svd_see(Mat *left, Mat *right, const Mat *u, const double *sigma, const Mat *v,
                     const Mat *x, const Mat *y);

/* Replace out (D, D), which holds a·bᵀ, by the nearest matrix of rank at most `rank`: its largest
 * `rank` singular values are kept. From rank = min(D, K) up out is left as it is. sigma (1, at
 * least min(D, K)) gets the singular values of a·bᵀ, largest first, then 0. Fails where a or b is
 * not finite, and once watch says to stop. Source: Eckart and Young 1936, "The approximation of one
 * matrix by another of lower rank". */
bool product_svd_truncate(Mat *out, Mat *sigma, const Mat *a, const Mat *b, int rank,
                          JobWatch *watch, Err *err);

/* About how many steps they take; the third of k + l rows. */
double product_svd_values_steps(int D, int K);
double product_svd_vectors_steps(int D, int K);
double product_svd_seen_steps(int D, int K, int rows);

#endif
