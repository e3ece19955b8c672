#include "math/svd.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dsyevd dsyevd_
#else
#include <cblas.h>
#include <lapacke.h>
#endif

#include "math/bidiagonal.h"

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

/* U's columns times √σ, from the eigenvectors of m·mᵀ: smallest first, each a row of vectors. */
static void write_left(Mat *left, const double *vectors, const double *values, int n) {
    for (int j = 0; j < left->cols; j++) {
        double size = j < n && values[n - 1 - j] > 0 ? pow(values[n - 1 - j], 0.25) : 0;
        const double *u = size > 0 ? vectors + (size_t)(n - 1 - j) * (size_t)n : vectors;
        for (int i = 0; i < n; i++)
            mat_row(left, i)[j] = (float)(size * u[i]);
    }
}

/* V's columns times √σ: mᵀ·u/√σ, a row of `product` (r, n) for each u, scaled as it is written. */
static void write_right(Mat *right, const double *m, const double *vectors, const double *values,
                        double *product, int n) {
    int used = right->cols < n ? right->cols : n;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, used, n, n, 1,
                vectors + (size_t)(n - used) * (size_t)n, n, m, n, 0, product, n);
    for (int j = 0; j < right->cols; j++) {
        bool known = j < n && values[n - 1 - j] > 0;
        double factor = known ? pow(values[n - 1 - j], -0.25) : 0;
        const double *row = product + (known ? (size_t)(used - 1 - j) * (size_t)n : 0);
        for (int i = 0; i < n; i++)
            mat_row(right, i)[j] = known ? (float)(factor * row[i]) : 0;
    }
}

bool svd_split(Mat *left, Mat *right, const double *m, int n, Err *err) {
    assert(n > 0 && (left == NULL || left->rows == n) && (right == NULL || right->rows == n));
    size_t side = (size_t)n, square = side * side;
    size_t work_doubles = 1 + 6 * side + 2 * square;
    int room = (int)work_doubles, whole_room = 3 + 5 * n, info;
    assert(work_doubles <= INT_MAX);
    double *vectors = bidiagonal_scratch(square + side + work_doubles, err);
    int *whole = malloc((size_t)whole_room * sizeof *whole);
    if (vectors == NULL || whole == NULL) {
        free(vectors);
        free(whole);
        return err_fail(err, "memory", "too little for singular values; use smaller matrices");
    }
    double *values = vectors + square, *work = values + side;
    /* The product is symmetric, so that it does not matter whose rows are columns. */
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, n, 1, m, n, 0, vectors, n);
    LAPACK_dsyevd("V", "U", &n, vectors, &n, values, work, &room, whole, &whole_room, &info);
    if (info == 0 && left != NULL)
        write_left(left, vectors, values, n);
    if (info == 0 && right != NULL)
        write_right(right, m, vectors, values, work, n);
    free(whole);
    free(vectors);
    return info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not settle");
}
