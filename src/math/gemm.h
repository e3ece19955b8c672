/* gemm.h: products of float32 matrices. Pure, one thread.
 * An entry of a product is summed in the order of the depth, with fused multiply-adds if the
 * machine has them. Two machines may differ in the last bits, as may two builds for vectors of
 * different widths. */
#ifndef HEADLIGHT_MATH_GEMM_H
#define HEADLIGHT_MATH_GEMM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/job.h"
#include "math/mat.h"

typedef struct GemmPlan {
    float factor;
    bool transpose_a, transpose_b; /* aᵀ in place of a, bᵀ in place of b */
    bool add;                      /* to what out holds, rather than overwrite it */
} GemmPlan;

/* out = factor * a * b as planned. Asserts that the shapes agree; a depth of 0 gives zeros. Values
 * that are not finite spread as IEEE arithmetic has them. out must not overlap a or b. */
void gemm(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan);

/* Several products of one shape and one plan: each matrix lies so many floats after that of the
 * product before. */
typedef struct GemmEach {
    int count;
    ptrdiff_t out, a, b;
} GemmEach;

/* The same for each of them; out, a and b are the first. */
void gemm_each(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, const GemmEach *each);

/* The same, where there is but one product a few milliseconds of its rows at a time. False once
 * watch, which may be NULL and counts nothing here, says to stop. */
bool gemm_each_watched(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan,
                       const GemmEach *each, JobWatch *watch);
bool gemm_watched(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, JobWatch *watch);

#endif
