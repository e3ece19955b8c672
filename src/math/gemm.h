/* gemm.h: products of float32 matrices. Pure, one thread.
 * An entry of a product is summed in the order of the depth, each step a fused multiply-add where
 * the machine has one; what is added to out comes in blocks that follow from the depth alone. So it
 * depends on its row of the left side and its column of the right alone: a row computed by itself,
 * among others, or in a matrix that has grown since has the same bits. Two machines may differ in
 * the last bits, as may two builds for vectors of different widths. */
#ifndef HEADLIGHT_MATH_GEMM_H
#define HEADLIGHT_MATH_GEMM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/job.h"
#include "math/mat.h"

typedef struct GemmPlan {
    float factor;
    bool a_turned, b_turned; /* aᵀ in place of a, bᵀ in place of b */
    bool add;                /* to what out holds, rather than overwrite it */
    bool go_on; /* from what out holds, as if that were the sum over a depth before this one: the
                   bits are those of one product over both. Not with add or b_turned. */
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

/* The same for each of them, of which out, a and b are the first: sooner than one by one where they
 * are small, as the heads of a layer are. */
void gemm_each(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, const GemmEach *each);

/* The same, where there is but one product a few milliseconds of its rows at a time. False once
 * watch, which may be NULL and counts nothing here, says to stop. */
bool gemm_each_watched(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan,
                       const GemmEach *each, JobWatch *watch);
bool gemm_watched(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, JobWatch *watch);

#endif
