/* gemm.h: products of float32 matrices. Pure. An entry is a sum over the columns of a (or of aᵀ),
 * whose number is the depth. Its terms are added in order, with fused multiply-adds if the machine
 * has them. Results of two machines, or of builds with vectors of different widths, may differ in
 * the last bits. */
#ifndef HEADLIGHT_MATH_GEMM_H
#define HEADLIGHT_MATH_GEMM_H

#include <stdbool.h>

#include "base/job.h"
#include "math/mat.h"

typedef struct GemmPlan {
    float factor;
    bool transpose_a, transpose_b; /* use aᵀ, bᵀ */
    bool add;                      /* add the product to out */
} GemmPlan;

/* Set out = factor * a * b, or as the plan says. Asserts that the shapes agree; a depth of 0 gives
 * zeros. Non-finite values propagate as in IEEE arithmetic. out must not overlap a or b. */
void gemm(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan);

/* Like gemm, but share the work among the threads that job_split gives this job, which may be NULL.
 */
void gemm_in_job(Mat *out, const Mat *a, const Mat *b, const GemmPlan *plan, const Job *job);

#endif
