#include "math/gram.h"

#include <math.h>
#include <string.h>

#include "math/bidiagonal.h"
#include "math/tridiagonal.h"
#include "math/wide.h"

#define LEAST_EIGENVALUE 1e-14 /* of the largest */
#define STEPS_PRODUCTS   0.4   /* measured, for each entry of n·n·n */

static size_t side_of(int n) {
    return (size_t)n;
}

/* The lower triangle of m·mᵀ. */
static void square(double *out, const double *m, int n, double *work) {
    const WideSide side = {NULL, m, 1, n};
    const WidePlan plan = {n, n, n, 1, true};
    memset(out, 0, side_of(n) * side_of(n) * sizeof *out);
    wide_add(out, n, &side, &side, &plan, work);
}

/* u's columns the other way round. */
static void reverse(double *u, int n) {
    for (int left = 0, right = n - 1; left < right; left++, right--)
        for (size_t i = 0; i < side_of(n); i++) {
            double kept = u[side_of(left) * side_of(n) + i];
            u[side_of(left) * side_of(n) + i] = u[side_of(right) * side_of(n) + i];
            u[side_of(right) * side_of(n) + i] = kept;
        }
}

/* vt = uᵀ·m, whose rows have the singular values as their lengths. */
static void project(double *vt, double *sigma, const double *u, const double *m, int n,
                    double *work) {
    const WideSide rows = {NULL, u, n, 1}, cols = {NULL, m, n, 1};
    const WidePlan plan = {n, n, n, 1, false};
    memset(vt, 0, side_of(n) * side_of(n) * sizeof *vt);
    wide_add(vt, n, &rows, &cols, &plan, work);
    memset(sigma, 0, side_of(n) * sizeof *sigma);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < n; r++)
            sigma[r] +=
                vt[side_of(i) * side_of(n) + side_of(r)] * vt[side_of(i) * side_of(n) + side_of(r)];
    for (int r = 0; r < n; r++)
        sigma[r] = sqrt(sigma[r]);
}

static void exchange(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Put what is next to each other in the wrong order, by rounding at the small end, right. */
static void sort(double *u, double *sigma, double *vt, int n) {
    for (int r = 1; r < n; r++)
        for (int k = r; k > 0 && sigma[k] > sigma[k - 1]; k--) {
            exchange(&sigma[k], &sigma[k - 1]);
            for (size_t i = 0; i < side_of(n); i++) {
                exchange(&u[side_of(k) * side_of(n) + i], &u[side_of(k - 1) * side_of(n) + i]);
                exchange(&vt[i * side_of(n) + side_of(k)], &vt[i * side_of(n) + side_of(k - 1)]);
            }
        }
}

static void scale(double *vt, const double *sigma, int n) {
    for (int i = 0; i < n; i++)
        for (int r = 0; r < n; r++)
            vt[side_of(i) * side_of(n) + side_of(r)] /= sigma[r];
}

static GramResult find(double *u, double *sigma, double *vt, const double *m, int n, Arena *scratch,
                       JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, n, 1, false};
    double *gram = vt; /* until it is time for vt */
    double *work = arena_push(scratch, wide_scratch(&plan) * sizeof *work);
    double half = STEPS_PRODUCTS / 2 * n * (double)n * n;
    square(gram, m, n, work);
    if (!bidiagonal_step(watch, half, err) ||
        !tridiagonal_vectors(sigma, u, gram, n, scratch, watch, err))
        return GRAM_FAILED;
    if (!(sigma[0] > LEAST_EIGENVALUE * sigma[n - 1]))
        return GRAM_UNFIT;
    reverse(u, n);
    project(vt, sigma, u, m, n, work);
    scale(vt, sigma, n);
    sort(u, sigma, vt, n);
    return bidiagonal_step(watch, half, err) ? GRAM_FOUND : GRAM_FAILED;
}

GramResult gram_vectors(double *u, double *sigma, double *vt, const double *m, int n,
                        JobWatch *watch, Err *err) {
    const WidePlan plan = {n, n, n, 1, false};
    Arena scratch = {0};
    size_t bytes =
        arena_padded(wide_scratch(&plan) * sizeof(double)) + tridiagonal_vectors_bytes(n);
    if (!arena_reserve(&scratch, bytes, err))
        return GRAM_FAILED;
    GramResult result = find(u, sigma, vt, m, n, &scratch, watch, err);
    arena_release(&scratch);
    return result;
}

double gram_vectors_steps(int n) {
    return STEPS_PRODUCTS * n * (double)n * n + tridiagonal_vectors_steps(n);
}
