#include "math/orthogonal.h"

#include <assert.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_sgeqr2 sgeqr2_
#define LAPACK_sgelq2 sgelq2_
#define LAPACK_slarft slarft_
#define LAPACK_slarfb slarfb_
#else
#include <lapacke.h>
/* Parts of sorgqr and sorglq that lapacke.h leaves out. */
typedef void Form(const int *rows, const int *cols, const int *count, float *a, const int *a_stride,
                  const float *tau, float *work, int *info);
Form sorg2r_, sorgl2_;
#endif

#define PANEL 32  /* reflections that are applied together */
#define LAST  128 /* what is left at the end is factored at once */

/* LAPACK counts columns where we count rows, so it is given m as its transpose: of a wide m the
 * columns are reflected, of a tall one the rows. Reflection r reaches over positions r to
 * length - 1; that of a position and a reflection is one entry of m. */
typedef struct Factors {
    Mat *m;
    bool tall;
    int length, count;
    float *tau, *sign; /* count each */
    float *joined;     /* (PANEL, PANEL): what makes one of a panel's reflections */
    float *work;       /* count * PANEL */
} Factors;

static float *entry(const Factors *f, int position, int reflection) {
    return f->tall ? mat_row(f->m, position) + reflection : mat_row(f->m, reflection) + position;
}

/* So many reflections from `at` on, as LAPACK counts rows and columns. */
typedef struct Extent {
    int rows, cols;
} Extent;

static Extent extent(const Factors *f, int at, int count) {
    int length = f->length - at;
    return f->tall ? (Extent){count, length} : (Extent){length, count};
}

static void reflect(Factors *f, int at, int count) {
    Extent e = extent(f, at, count);
    int info = 0;
    (f->tall ? LAPACK_sgelq2 : LAPACK_sgeqr2)(&e.rows, &e.cols, entry(f, at, at), &f->m->stride,
                                              f->tau + at, f->work, &info);
    assert(info == 0);
}

/* What reflections from `at` on stand for takes their place. */
static void form(Factors *f, int at, int count) {
    Extent e = extent(f, at, count);
    int info = 0;
    (f->tall ? sorgl2_ : sorg2r_)(&e.rows, &e.cols, &count, entry(f, at, at), &f->m->stride,
                                  f->tau + at, f->work, &info);
    assert(info == 0);
    for (int r = at; r < at + count; r++)
        for (int p = 0; p < at; p++)
            *entry(f, p, r) = 0;
}

/* The panel from `at` on, one after the other or the other way round, on all that follows it. */
static void apply(Factors *f, int at, bool backward) {
    char forward = 'F', store = f->tall ? 'R' : 'C', side = f->tall ? 'R' : 'L';
    char turn = f->tall == backward ? 'T' : 'N';
    int length = f->length - at, panel = PANEL, left = f->count - at - PANEL;
    Extent e = extent(f, at, left);
    float *corner = entry(f, at, at);
    LAPACK_slarft(&forward, &store, &length, &panel, corner, &f->m->stride, f->tau + at, f->joined,
                  &panel);
    LAPACK_slarfb(&side, &turn, &forward, &store, &e.rows, &e.cols, &panel, corner, &f->m->stride,
                  f->joined, &panel, entry(f, at, at + PANEL), &f->m->stride, f->work, &left);
}

/* As LAPACK's sgeqrf and sorgqr, or sgelqf and sorglq, do it, panel by panel. */
static bool factor(Factors *f, const JobWatch *watch) {
    int at = 0;
    for (; f->count - at > LAST; at += PANEL) {
        reflect(f, at, PANEL);
        apply(f, at, false);
        if (!job_goes_on(watch))
            return false;
    }
    reflect(f, at, f->count - at);
    for (int r = 0; r < f->count; r++)
        f->sign[r] = *entry(f, r, r) < 0 ? -1.0F : 1.0F;
    form(f, at, f->count - at);
    while ((at -= PANEL) >= 0) {
        apply(f, at, true);
        form(f, at, PANEL);
        if (!job_goes_on(watch))
            return false;
    }
    return true;
}

bool orthogonal_factor(Mat *m, const JobWatch *watch, Err *err) {
    assert(m->rows > 0 && m->cols > 0 && mat_is_finite(m));
    Factors f = {.m = m, .tall = m->rows >= m->cols};
    f.length = f.tall ? m->rows : m->cols;
    f.count = f.tall ? m->cols : m->rows;
    size_t floats = (size_t)f.count * (2 + PANEL) + PANEL * PANEL;
    f.tau = malloc(floats * sizeof *f.tau);
    if (f.tau == NULL)
        return err_fail(err, "memory",
                        "%.1f MB for a factorisation could not be had; use smaller matrices",
                        (double)(floats * sizeof *f.tau) / 1e6);
    f.sign = f.tau + f.count;
    f.joined = f.sign + f.count;
    f.work = f.joined + PANEL * PANEL;
    bool factored = factor(&f, watch);
    for (int i = 0; factored && i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] *= f.sign[f.tall ? j : i];
    free(f.tau);
    return factored || err_fail(err, "factorisation", "was stopped");
}
