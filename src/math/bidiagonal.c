#include "math/bidiagonal.h"

#include <assert.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dgebrd dgebrd_
#define LAPACK_dbdsdc dbdsdc_
#define LAPACK_dormbr dormbr_
#else
#include <cblas.h>
#include <lapacke.h>
/* A part of dgebrd that lapacke.h leaves out. */
void dlabrd_(const int *rows, const int *cols, const int *count, double *a, const int *a_stride,
             double *diagonal, double *above, double *tau_q, double *tau_p, double *x,
             const int *x_stride, double *y, const int *y_stride);
#endif

#define PANEL 32 /* columns that are reduced together */
#define LAST  96 /* what is left at the end is reduced at once */

/* Measured, in steps for each entry of n·n·n; the first for rows·n·n. */
#define STEPS_REDUCE 2.4
#define STEPS_SOLVE  2.5
#define STEPS_APPLY  1.6

/* m = Q·B·Pᵀ with B upper bidiagonal; Q and P as reflections in m and the taus. */
typedef struct Reduction {
    int rows, n, room;
    double *m, *diagonal, *above, *tau_q, *tau_p, *x, *y, *work;
} Reduction;

double *bidiagonal_scratch(size_t doubles, Err *err) {
    double *block = malloc(doubles * sizeof *block);
    if (block == NULL)
        err_fail(err, "memory",
                 "%.1f MB for singular values could not be had; use smaller matrices",
                 (double)(doubles * sizeof *block) / 1e6);
    return block;
}

bool bidiagonal_step(JobWatch *watch, double steps, Err *err) {
    return job_step(watch, steps) || err_fail(err, "singular values", "were stopped");
}

double bidiagonal_values_steps(int rows, int n) {
    return STEPS_REDUCE * rows * (double)n * n;
}

double bidiagonal_vectors_steps(int n) {
    return (STEPS_REDUCE + STEPS_SOLVE + STEPS_APPLY) * (double)n * n * n;
}

/* Room for x, y, what is left over and as many doubles more, which *more gets; also the block to
 * free. NULL with err where there is none. */
static double *reduction_push(Reduction *r, double *m, int rows, int n, size_t doubles,
                              double **more, Err *err) {
    size_t side = (size_t)n, room = (size_t)(rows + n) * PANEL;
    double *block = bidiagonal_scratch(4 * side + 2 * room + doubles, err);
    if (block == NULL)
        return NULL;
    *r = (Reduction){.rows = rows, .n = n, .room = (int)room, .m = m, .diagonal = block};
    r->above = r->diagonal + side;
    r->tau_q = r->above + side;
    r->tau_p = r->tau_q + side;
    r->x = r->tau_p + side;
    r->y = r->x + (size_t)rows * PANEL;
    r->work = r->y + side * PANEL;
    *more = r->work + room;
    return block;
}

/* Reduce the PANEL columns and rows from `at` on, and take what they say of the rest out of it. */
static void reduce_panel(Reduction *r, int at) {
    int rows = r->rows - at, cols = r->n - at, panel = PANEL, stride = r->rows;
    double *corner = r->m + (size_t)at * (size_t)stride + (size_t)at;
    double *below = corner + PANEL, *beside = corner + (size_t)PANEL * (size_t)stride;
    dlabrd_(&rows, &cols, &panel, corner, &stride, r->diagonal + at, r->above + at, r->tau_q + at,
            r->tau_p + at, r->x, &r->rows, r->y, &r->n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, rows - PANEL, cols - PANEL, PANEL, -1,
                below, stride, r->y + PANEL, r->n, 1, beside + PANEL, stride);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows - PANEL, cols - PANEL, PANEL, -1,
                r->x + PANEL, r->rows, beside, stride, 1, beside + PANEL, stride);
    for (int j = 0; j < PANEL; j++) {
        double *column = corner + (size_t)j * (size_t)stride;
        column[j] = r->diagonal[at + j];
        column[stride + j] = r->above[at + j];
    }
}

/* As LAPACK's dgebrd does it, panel by panel. */
static bool reduce(Reduction *r, JobWatch *watch, Err *err) {
    int at = 0, info;
    double all = bidiagonal_values_steps(r->rows, r->n) / r->n;
    for (; r->n - at > LAST; at += PANEL) {
        reduce_panel(r, at);
        if (!bidiagonal_step(watch, all * PANEL, err))
            return false;
    }
    int rows = r->rows - at, cols = r->n - at;
    LAPACK_dgebrd(&rows, &cols, r->m + (size_t)at * (size_t)r->rows + (size_t)at, &r->rows,
                  r->diagonal + at, r->above + at, r->tau_q + at, r->tau_p + at, r->work, &r->room,
                  &info);
    assert(info == 0);
    return bidiagonal_step(watch, all * cols, err);
}

static bool settled(int info, Err *err) {
    return info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not settle");
}

/* The values of B, and where u is not NULL its vectors (n, n). */
static bool solve(Reduction *r, double *u, double *vt, double *work, Err *err) {
    char upper = 'U', how = u != NULL ? 'I' : 'N';
    int n = r->n, one = 1, info, unused;
    int *whole = malloc(8 * (size_t)n * sizeof *whole);
    if (whole == NULL)
        return err_fail(err, "memory", "too little for singular values; use smaller matrices");
    LAPACK_dbdsdc(&upper, &how, &n, r->diagonal, r->above, u, u != NULL ? &n : &one, vt,
                  u != NULL ? &n : &one, NULL, &unused, work, whole, &info);
    free(whole);
    return settled(info, err);
}

/* u = Q·u and vt = vt·Pᵀ. */
static bool apply(Reduction *r, double *u, double *vt, JobWatch *watch, Err *err) {
    char q = 'Q', p = 'P', left = 'L', right = 'R', plain = 'N', turned = 'T';
    int n = r->n, info;
    double half = STEPS_APPLY / 2 * (double)n * n * n;
    LAPACK_dormbr(&q, &left, &plain, &n, &n, &n, r->m, &n, r->tau_q, u, &n, r->work, &r->room,
                  &info);
    assert(info == 0);
    if (!bidiagonal_step(watch, half, err))
        return false;
    LAPACK_dormbr(&p, &right, &turned, &n, &n, &n, r->m, &n, r->tau_p, vt, &n, r->work, &r->room,
                  &info);
    assert(info == 0);
    return bidiagonal_step(watch, half, err);
}

static void take(double *sigma, const Reduction *r) {
    for (int i = 0; i < r->n; i++)
        sigma[i] = r->diagonal[i];
}

bool bidiagonal_values(double *sigma, double *m, int rows, int n, JobWatch *watch, Err *err) {
    assert(rows >= n && n > 0);
    Reduction r;
    double *work, *block = reduction_push(&r, m, rows, n, 4 * (size_t)n, &work, err);
    if (block == NULL)
        return false;
    bool found = reduce(&r, watch, err) && solve(&r, NULL, NULL, work, err);
    take(sigma, &r);
    free(block);
    return found;
}

bool bidiagonal_vectors(double *u, double *sigma, double *vt, double *m, int n, JobWatch *watch,
                        Err *err) {
    assert(n > 0);
    Reduction r;
    size_t side = (size_t)n;
    double *work, *block = reduction_push(&r, m, n, n, 3 * side * side + 4 * side, &work, err);
    if (block == NULL)
        return false;
    bool found = reduce(&r, watch, err) && solve(&r, u, vt, work, err) &&
                 bidiagonal_step(watch, STEPS_SOLVE * (double)n * n * n, err) &&
                 apply(&r, u, vt, watch, err);
    take(sigma, &r);
    free(block);
    return found;
}
