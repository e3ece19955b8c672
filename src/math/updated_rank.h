/* updated_rank.h: the numerical rank of W + F·Hᵀ from W's singular values and vectors, where F and
 * H are thin, without taking the sum apart. Pure, in double; one thread.
 * Shapes: W (n, n) = U·Σ·Vᵀ with c values, F and H (n, k). */
#ifndef HEADLIGHT_MATH_UPDATED_RANK_H
#define HEADLIGHT_MATH_UPDATED_RANK_H

#include "math/mat.h"

typedef struct UpdatedRank {
    const Mat *u, *v;    /* (n, c), orthonormal columns */
    const double *sigma; /* c; W's other singular values are 0 */
    const Mat *f, *h;    /* (n, k) */
} UpdatedRank;

/* How many singular values of the sum are above least > 0: of [0 M; Mᵀ 0], whose eigenvalues are
 * ±σ, as many lie above it as the inertia of what is left of F and H says once W is taken out. As
 * exact as u and v are: a value within a thousandth of least may count either way. Fails for want
 * of memory. Source: Haynsworth 1968, "Determination of the inertia of a partitioned Hermitian
 * matrix". */
bool updated_rank(int *rank, const UpdatedRank *of, double least, Err *err);

/* About how many steps (base/job.h) that takes. */
double updated_rank_steps(int n, int c, int k);

#endif
