/* gauge.h: an invertible R between a head's factors: W_Q·R and W_K·R⁻ᵀ have the product that W_Q
 * and W_K have, so that no single one of their numbers means anything by itself. Pure; m is d_k,
 * E the rows of a factor. */
#ifndef HEADLIGHT_MODEL_GAUGE_H
#define HEADLIGHT_MODEL_GAUGE_H

#include <stdint.h>

#include "math/mat.h"

/* R(turn) = O·S·B·Oᵀ with O uniform over the orthogonal matrices and B turning each pair of its
 * directions by an angle of its own, up to π at turn = 1; R(0) = I. Where R is not a rotation alone
 * S stretches each direction by e^{±2·turn}, the exponents spread evenly and those of a pair far
 * apart. At turn = 1 R has a condition number of e⁴: with a much larger one rounding would be seen
 * in A. What a turn changes lies between W·O, which is made once for all turns, and Oᵀ. */
typedef struct Gauge {
    bool is_rotation;
    float turn; /* 0 to 1 */
    uint64_t seed;
} Gauge;

typedef enum GaugeSide { GAUGE_LEFT, GAUGE_RIGHT } GaugeSide;

/* Fill frame (m, m) with the seed's O. Fails for want of memory. */
bool gauge_frame(Mat *frame, uint64_t seed, Err *err);

/* out (E, m) = W·R for the left side and W·R⁻ᵀ for the right one, from within = W·O (E, m) and O.
 * At turn 0 it is W but for rounding. scratch gives gauge_scratch_bytes for a moment. */
size_t gauge_scratch_bytes(int E, int m);
void gauge_turn(Mat *out, const Mat *within, const Mat *frame, const Gauge *gauge, GaugeSide side,
                Arena *scratch);

/* ‖b − a‖ / ‖a‖ in the Frobenius norm: how far a matrix moved; 0 where both are 0. */
double gauge_moved(const Mat *a, const Mat *b);

#endif
