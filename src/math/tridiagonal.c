#include "math/tridiagonal.h"

#include <assert.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dsytrd dsytrd_
#define LAPACK_dsterf dsterf_
#else
#include <cblas.h>
#include <lapacke.h>
/* A part of dsytrd that lapacke.h leaves out. */
void dlatrd_(const char *half, const int *n, const int *count, double *a, const int *a_stride,
             double *beside, double *tau, double *w, const int *w_stride);
#endif

#include "math/bidiagonal.h"

#define PANEL 32 /* columns that are reduced together */
#define LAST  96 /* what is left at the end is reduced at once */

#define STEPS_REDUCE 0.6 /* measured, for each entry of n·n·n */

/* m = Q·T·Qᵀ with T tridiagonal; Q as reflections in m and tau. */
typedef struct Reduction {
    int n, room;
    double *m, *diagonal, *beside, *tau, *w;
} Reduction;

/* Reduce the PANEL columns from `at` on, and take what they say of the rest out of it. */
static void reduce_panel(Reduction *r, int at) {
    const char lower = 'L';
    int left = r->n - at, panel = PANEL;
    double *corner = r->m + (size_t)at * (size_t)r->n + (size_t)at;
    dlatrd_(&lower, &left, &panel, corner, &r->n, r->beside + at, r->tau + at, r->w, &r->n);
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, left - PANEL, PANEL, -1, corner + PANEL,
                 r->n, r->w + PANEL, r->n, 1, corner + (size_t)PANEL * (size_t)r->n + PANEL, r->n);
    for (int j = 0; j < PANEL; j++)
        r->diagonal[at + j] = corner[(size_t)j * (size_t)r->n + (size_t)j];
}

/* As LAPACK's dsytrd does it, panel by panel. */
static bool reduce(Reduction *r, JobWatch *watch, Err *err) {
    char lower = 'L';
    int at = 0, info;
    double all = tridiagonal_values_steps(r->n) / r->n;
    for (; r->n - at > LAST; at += PANEL) {
        reduce_panel(r, at);
        if (!bidiagonal_step(watch, all * PANEL, err))
            return false;
    }
    int left = r->n - at;
    LAPACK_dsytrd(&lower, &left, r->m + (size_t)at * (size_t)r->n + (size_t)at, &r->n,
                  r->diagonal + at, r->beside + at, r->tau + at, r->w, &r->room, &info);
    assert(info == 0);
    return bidiagonal_step(watch, all * left, err);
}

bool tridiagonal_values(double *values, double *m, int n, JobWatch *watch, Err *err) {
    assert(n > 0);
    size_t side = (size_t)n;
    double *block = bidiagonal_scratch((2 + PANEL) * side, err);
    int info = 0;
    if (block == NULL)
        return false;
    Reduction r = {.n = n, .room = n * PANEL, .m = m, .diagonal = values, .beside = block};
    r.tau = r.beside + side;
    r.w = r.tau + side;
    bool reduced = reduce(&r, watch, err);
    if (reduced)
        LAPACK_dsterf(&n, values, r.beside, &info);
    free(block);
    return reduced &&
           (info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not settle"));
}

double tridiagonal_values_steps(int n) {
    return STEPS_REDUCE * n * (double)n * n;
}
