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

/* Replace out (D, D), which holds a·bᵀ, by the nearest matrix of rank at most `rank`: its largest
 * `rank` singular values are kept. From rank = min(D, K) up out is left as it is. sigma (1, at
 * least min(D, K)) gets the singular values of a·bᵀ, largest first, then 0. Fails where a or b is
 * not finite, and once watch says to stop. Source: Eckart and Young 1936, "The approximation of one
 * matrix by another of lower rank". */
bool product_svd_truncate(Mat *out, Mat *sigma, const Mat *a, const Mat *b, int rank,
                          JobWatch *watch, Err *err);

/* About how many steps the first two take. */
double product_svd_values_steps(int D, int K);
double product_svd_vectors_steps(int D, int K);

#endif
