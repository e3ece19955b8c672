#include "math/tall.h"

#include <assert.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dpotrf dpotrf_
#define LAPACK_dpocon dpocon_
#else
#include <lapacke.h>
#endif

#include "math/wide.h"

#define LEAST_RECIPROCAL 1e-8 /* of cond(m)² */

static WidePlan gram_plan(int rows, int n) {
    return (WidePlan){n, n, rows, 1, true};
}

/* What dpocon works in: 3·n doubles, and n integers after them. */
static size_t condition_scratch(int n) {
    return 4 * (size_t)n;
}

size_t tall_scratch(int rows, int n) {
    const WidePlan plan = gram_plan(rows, n);
    size_t product = wide_scratch(&plan), condition = condition_scratch(n);
    return product > condition ? product : condition;
}

/* The Gram matrix, its upper triangle; what lies below is of no meaning. Returns its trace. */
static double gram(double *upper, const double *m, int rows, int n, double *scratch) {
    const WideSide side = {NULL, m, rows, 1};
    const WidePlan plan = gram_plan(rows, n);
    size_t stride = (size_t)n;
    double trace = 0;
    memset(upper, 0, stride * stride * sizeof *upper);
    wide_add(upper, n, &side, &side, &plan, scratch);
    for (size_t j = 0; j < stride; j++) {
        trace += upper[j * stride + j];
        for (size_t i = 0; i < j; i++)
            upper[j * stride + i] = upper[i * stride + j];
    }
    return trace;
}

bool tall_triangle(double *upper, const double *m, int rows, int n, double *scratch) {
    assert(rows >= n && n > 0);
    double trace = gram(upper, m, rows, n, scratch); /* at least its largest eigenvalue */
    double reciprocal = 0;
    char triangle = 'U';
    int info;
    LAPACK_dpotrf(&triangle, &n, upper, &n, &info);
    if (info != 0)
        return false;
    void *integers = scratch + 3 * (size_t)n;
    LAPACK_dpocon(&triangle, &n, upper, &n, &trace, &reciprocal, scratch, integers, &info);
    assert(info == 0);
    for (size_t j = 0, stride = (size_t)n; j < stride; j++)
        memset(upper + j * stride + j + 1, 0, (stride - j - 1) * sizeof *upper);
    return reciprocal > LEAST_RECIPROCAL;
}
