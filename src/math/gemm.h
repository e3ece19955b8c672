/* gemm.h: products of float32 matrices. Pure, one thread.
 * An entry of a product is summed in the order of the depth, with fused multiply-adds if the
 * machine has them. Two machines may differ in the last bits, as may two builds for vectors of
 * different widths. */
#ifndef HEADLIGHT_MATH_GEMM_H
#define HEADLIGHT_MATH_GEMM_H

#include <stdbool.h>

#include "math/mat.h"

typedef struct GemmPlan {
    float factor;
    bool transpose_a, transpose_b; /* aᵀ in place of a, bᵀ in place of b */
    bool add;                      /* to what out holds, rather than overwrite it */
} GemmPlan;

/* out = factor * a * b as planned. Asserts that the shapes agree; a depth of 0 gives zeros. Values
 * that are not finite spread as IEEE arithmetic has them. out must not overlap a or b. */
void gemm(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan);

#endif
