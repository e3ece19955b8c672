/* gauge.h: an invertible R between a head's factors: W_Q·R and W_K·R⁻ᵀ have the product that W_Q
 * and W_K have, so that no single one of their numbers means anything by itself. Pure; m is d_k. */
#ifndef HEADLIGHT_MODEL_GAUGE_H
#define HEADLIGHT_MODEL_GAUGE_H

#include <stdint.h>

#include "math/mat.h"

#define GAUGE_WARN_CONDITION 1e4 /* from here on rounding is seen in the product */

/* R(turn) = O·B·Oᵀ with O uniform over the orthogonal matrices and B turning each pair of
 * coordinates by an angle of its own, up to π at turn = 1; R(0) = I. Where it is not a rotation
 * alone, a stretch P·diag(e^{±6·turn})·Pᵀ is in front, its exponents spread evenly, so that at
 * turn = 1 R has a condition number of e¹². */
typedef struct Gauge {
    bool is_rotation;
    float turn; /* 0 to 1 */
    uint64_t seed;
} Gauge;

/* The room that gauge_make takes from scratch for a moment. */
size_t gauge_scratch_bytes(int m);

/* Fill R and its transposed inverse (m, m), and R's condition number. Fails for want of memory. */
bool gauge_make(Mat *r, Mat *inverse_transposed, double *condition, const Gauge *gauge,
                Arena *scratch, Err *err);

/* ‖b − a‖ / ‖a‖ in the Frobenius norm: how far a matrix moved; 0 where both are 0. */
double gauge_moved(const Mat *a, const Mat *b);

#endif
