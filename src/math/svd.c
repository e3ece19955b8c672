#include "math/svd.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#else
#include <cblas.h>
#endif

#include "math/bidiagonal.h"
#include "math/eigen.h"
#include "math/tridiagonal.h"
#include "math/wide.h"

/* Of the largest eigenvalue: those below are not known well enough to take the root of. */
#define LEAST_SQUARE 1e-10
#define STEPS_SQUARE 0.12 /* measured, for each entry of rows·cols·cols */

/* The columns of wide (taller, narrower) are the rows of m or, where it is taller, its columns: the
 * singular values are the same. */
static void widen(double *wide, const Mat *m) {
    bool tall = m->rows > m->cols;
    size_t stride = (size_t)(tall ? m->rows : m->cols);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            wide[tall ? (size_t)j * stride + (size_t)i : (size_t)i * stride + (size_t)j] =
                (double)mat_row(m, i)[j];
}

bool svd_values(double *sigma, const Mat *m, JobWatch *watch, Err *err) {
    assert(m->rows > 0 && m->cols > 0 && mat_is_finite(m));
    int taller = m->rows > m->cols ? m->rows : m->cols, narrower = m->rows + m->cols - taller;
    double *wide = bidiagonal_scratch((size_t)m->rows * (size_t)m->cols, err);
    if (wide == NULL)
        return false;
    widen(wide, m);
    bool found = bidiagonal_values(sigma, wide, taller, narrower, watch, err);
    free(wide);
    return found;
}

double svd_values_steps(int rows, int cols) {
    return rows > cols ? bidiagonal_values_steps(rows, cols) : bidiagonal_values_steps(cols, rows);
}

static int longer(const Mat *m) {
    return m->rows > m->cols ? m->rows : m->cols;
}

static WidePlan square_plan(int taller, int narrower) {
    return (WidePlan){narrower, narrower, taller, 1, true};
}

size_t svd_values_of_full_rank_bytes(int rows, int cols) {
    int taller = rows > cols ? rows : cols, n = rows + cols - taller;
    const WidePlan plan = square_plan(taller, n);
    return arena_padded((size_t)n * sizeof(double)) +
           arena_padded((size_t)n * (size_t)n * sizeof(double)) +
           arena_padded(wide_scratch(&plan) * sizeof(double)) + tridiagonal_bytes(n);
}

/* The eigenvalues of m·mᵀ or, where that is the smaller one, mᵀ·m. */
static bool square_values(double *values, const Mat *m, Arena *scratch, JobWatch *watch, Err *err) {
    int taller = longer(m), n = m->rows + m->cols - taller;
    bool tall = m->rows >= m->cols; /* whose columns lie side by side */
    const WidePlan plan = square_plan(taller, n);
    const WideSide side = {m->at, NULL, tall ? 1 : m->stride, tall ? m->stride : 1};
    double *square = arena_push_zero(scratch, (size_t)n * (size_t)n * sizeof *square);
    double *work = arena_push(scratch, wide_scratch(&plan) * sizeof *work);
    wide_add(square, n, &side, &side, &plan, work);
    return bidiagonal_step(watch, STEPS_SQUARE * taller * (double)n * n, err) &&
           tridiagonal_values(values, square, n, scratch, watch, err);
}

bool svd_values_of_full_rank(double *sigma, const Mat *m, Arena *scratch, JobWatch *watch,
                             Err *err) {
    assert(m->rows > 0 && m->cols > 0 && mat_is_finite(m));
    size_t mark = scratch->used;
    int n = m->rows + m->cols - longer(m);
    double *values = arena_push(scratch, (size_t)n * sizeof *values);
    bool found = square_values(values, m, scratch, watch, err);
    bool is_full = found && (values[0] > LEAST_SQUARE * values[n - 1] || values[n - 1] == 0);
    for (int i = 0; is_full && i < n; i++)
        sigma[i] = sqrt(values[n - 1 - i]);
    scratch->used = mark;
    return is_full || (found && svd_values(sigma, m, watch, err));
}

double svd_values_of_full_rank_steps(int rows, int cols) {
    double taller = rows > cols ? rows : cols;
    int n = rows > cols ? cols : rows;
    return STEPS_SQUARE * taller * n * n + tridiagonal_values_steps(n);
}

/* U's columns times √σ, from the eigenvalues of m·mᵀ, smallest first, and the vectors of the `used`
 * largest, each a row of vectors. */
static void write_left(Mat *left, const double *vectors, const double *values, int n, int used) {
    for (int j = 0; j < left->cols; j++) {
        double size = j < used && values[n - 1 - j] > 0 ? pow(values[n - 1 - j], 0.25) : 0;
        const double *u = size > 0 ? vectors + (size_t)(used - 1 - j) * (size_t)n : vectors;
        for (int i = 0; i < n; i++)
            mat_row(left, i)[j] = (float)(size * u[i]);
    }
}

/* V's columns times √σ: mᵀ·u/√σ, a row of `product` (used, n) for each u, scaled as it is
 * written. */
static void write_right(Mat *right, const double *m, const double *vectors, const double *values,
                        double *product, int n, int used) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, used, n, n, 1, vectors, n, m, n, 0,
                product, n);
    for (int j = 0; j < right->cols; j++) {
        bool known = j < used && values[n - 1 - j] > 0;
        double factor = known ? pow(values[n - 1 - j], -0.25) : 0;
        const double *row = product + (known ? (size_t)(used - 1 - j) * (size_t)n : 0);
        for (int i = 0; i < n; i++)
            mat_row(right, i)[j] = known ? (float)(factor * row[i]) : 0;
    }
}

bool svd_split(Mat *left, Mat *right, const double *m, int n, Err *err) {
    assert(n > 0 && (left == NULL || left->rows == n) && (right == NULL || right->rows == n));
    int wanted = left != NULL ? left->cols : right != NULL ? right->cols : n;
    int used = wanted < n ? wanted : n;
    size_t side = (size_t)n, square = side * side;
    double *product = bidiagonal_scratch(square + side * (size_t)used + side, err);
    if (product == NULL)
        return false;
    double *vectors = product + square, *values = vectors + side * (size_t)used;
    /* The product is symmetric, so that it does not matter whose rows are columns. */
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, n, 1, m, n, 0, product, n);
    bool found = eigen_largest(values, vectors, product, n, used, err);
    if (found && left != NULL)
        write_left(left, vectors, values, n, used);
    if (found && right != NULL)
        write_right(right, m, vectors, values, product, n, used);
    free(product);
    return found;
}
