/* factor_transform.h: an invertible R between a head's factors. W_Q·R and W_K·R⁻ᵀ have the same
 * product as W_Q and W_K, so no single entry of the factors has a meaning by itself. Pure; m is
 * d_k, E the number of rows of a factor. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_FACTOR_TRANSFORM_H
#define HEADLIGHT_MODEL_ANALYSIS_FACTOR_TRANSFORM_H

#include <stdint.h>

#include "math/mat.h"

/* R(turn) = O·S·B·Oᵀ; R(0) = I. O is uniform over the orthogonal matrices. B rotates each pair of
 * directions by its own angle, up to π at turn = 1. S is I for a pure rotation; otherwise it
 * stretches the directions by evenly spaced powers of e, from −2·turn to 2·turn. So at turn = 1 its
 * condition number is e⁴; if this were much larger, rounding errors would be visible in A. W·O is
 * computed once for all turns. */
typedef struct FactorTransform {
    bool is_rotation;
    float turn; /* 0 to 1 */
    uint64_t seed;
} FactorTransform;

typedef enum FactorSide { FACTOR_LEFT, FACTOR_RIGHT } FactorSide;

/* Fill frame (m, m) with the O of the seed. Fails if memory runs out. */
bool factor_transform_frame(Mat *frame, uint64_t seed, Err *err);

/* Fill out (E, m) with W·R (left side) or W·R⁻ᵀ (right side), from O and within = W·O (E, m). At
 * turn 0 out equals W up to rounding. scratch holds (E, m). */
void factor_transform_apply(Mat *out, const Mat *within, const Mat *frame,
                            const FactorTransform *transform, FactorSide side, Arena *scratch);

/* Return ‖b − a‖ / ‖a‖ in the Frobenius norm: the relative change; 0 if both are 0. */
double factor_transform_moved(const Mat *a, const Mat *b);

#endif
