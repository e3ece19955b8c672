/* factor_transform.h: an invertible R between a head's factors: W_Q·R and W_K·R⁻ᵀ have the product
 * that W_Q and W_K have, so that no single one of their numbers means anything by itself. Pure; m
 * is d_k, E the rows of a factor. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_FACTOR_TRANSFORM_H
#define HEADLIGHT_MODEL_ANALYSIS_FACTOR_TRANSFORM_H

#include <stdint.h>

#include "math/mat.h"

/* R(turn) = O·S·B·Oᵀ with O uniform over the orthogonal matrices and B turning each pair of its
 * directions by an angle of its own, up to π at turn = 1; R(0) = I. Where R is not a rotation alone
 * S stretches each direction by e^{±2·turn}, the exponents spread evenly and those of a pair far
 * apart. At turn = 1 R has a condition number of e⁴: with a much larger one rounding would be seen
 * in A. What a turn changes lies between W·O, which is made once for all turns, and Oᵀ. */
typedef struct FactorTransform {
    bool is_rotation;
    float turn; /* 0 to 1 */
    uint64_t seed;
} FactorTransform;

typedef enum FactorSide { FACTOR_LEFT, FACTOR_RIGHT } FactorSide;

/* Fill frame (m, m) with the seed's O. Fails for want of memory. */
bool factor_transform_frame(Mat *frame, uint64_t seed, Err *err);

/* out (E, m) = W·R for the left side and W·R⁻ᵀ for the right one, from within = W·O (E, m) and O.
 * At turn 0 it is W but for rounding. scratch gives factor_transform_scratch_bytes for a moment. */
size_t factor_transform_scratch_bytes(int E, int m);
void factor_transform_apply(Mat *out, const Mat *within, const Mat *frame,
                            const FactorTransform *gauge, FactorSide side, Arena *scratch);

/* ‖b − a‖ / ‖a‖ in the Frobenius norm: how far a matrix moved; 0 where both are 0. */
double factor_transform_moved(const Mat *a, const Mat *b);

#endif
