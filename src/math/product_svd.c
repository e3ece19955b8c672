#include "math/product_svd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dgeqrf dgeqrf_
#define LAPACK_dorgqr dorgqr_
#else
#include <cblas.h>
#include <lapacke.h>
#endif

#include "math/bidiagonal.h"
#include "math/gram.h"
#include "math/tall.h"
#include "math/wide.h"

#define LAPACK_BLOCK  64
#define ROWS_TOGETHER 16
#define GRAM_FROM     128 /* columns: below, the matrix itself takes not much longer */

/* Measured, in steps for each entry of D·K·K. */
#define STEPS_TRIANGLE 1.0
#define STEPS_BASIS    1.0
#define STEPS_PRODUCT  0.8
#define STEPS_CHOLESKY 0.25 /* from GRAM_FROM on, in place of the first two */

/* a·bᵀ = left · core · rightᵀ with left and right (rows, count) orthonormal, or where rows <= cols
 * the identity; core (count, count) = U·Σ·Vᵀ. All column by column. Values alone need no U, V and
 * bases: u is NULL then. A side that is_factor has its factor in place of orthonormal columns,
 * which are the factor times the inverse of its triangle: that goes into U or V. */
typedef struct Svd {
    int rows, cols, count, room;
    bool left_is_factor, right_is_factor;
    double *left, *right, *upper_a, *upper_b, *core, *u, *vt, *sigma, *work, *tau, *packed;
    JobWatch *watch;
} Svd;

static WidePlan core_plan(const Svd *svd) {
    return (WidePlan){svd->count, svd->count, svd->cols, 1, false};
}

static WidePlan vectors_plan(const Svd *svd, int count) {
    return (WidePlan){svd->rows, count, svd->count, 1, false};
}

/* Doubles for whichever of the products is under way. */
static size_t packed_doubles(const Svd *svd) {
    const WidePlan core = core_plan(svd), vectors = vectors_plan(svd, svd->count);
    size_t most = wide_scratch(&core), tall = tall_scratch(svd->rows, svd->count);
    most = tall > most ? tall : most;
    return wide_scratch(&vectors) > most ? wide_scratch(&vectors) : most;
}

/* Returns the block to free. */
static double *svd_push(Svd *svd, const Mat *a, bool vectors, JobWatch *watch, Err *err) {
    int rows = a->rows, cols = a->cols, count = rows < cols ? rows : cols;
    size_t entries = (size_t)rows * (size_t)cols, square = (size_t)count * (size_t)count;
    size_t upper = (size_t)count * (size_t)cols;
    *svd = (Svd){.rows = rows, .cols = cols, .count = count, .room = count * LAPACK_BLOCK};
    svd->watch = watch;
    size_t packed = packed_doubles(svd);
    size_t doubles = 2 * entries + 2 * upper + (vectors ? 3 : 1) * square + (size_t)svd->room +
                     2 * (size_t)count + packed;
    double *at = bidiagonal_scratch(doubles, err);
    if (at == NULL)
        return NULL;
    svd->left = at;
    svd->right = svd->left + entries;
    svd->upper_a = svd->right + entries;
    svd->upper_b = svd->upper_a + upper;
    svd->core = svd->upper_b + upper;
    svd->work = svd->core + square;
    svd->sigma = svd->work + svd->room;
    svd->tau = svd->sigma + count;
    svd->packed = svd->tau + count;
    svd->u = vectors ? svd->packed + packed : NULL;
    svd->vt = vectors ? svd->u + square : NULL;
    return at;
}

/* Column by column, as LAPACK wants it, and a few rows at a time, so that what is written lies
 * together. */
static void widen_columns(double *out, const Mat *m) {
    size_t stride = (size_t)m->rows;
    for (int first = 0; first < m->rows; first += ROWS_TOGETHER) {
        int end = first + ROWS_TOGETHER < m->rows ? first + ROWS_TOGETHER : m->rows;
        for (int j = 0; j < m->cols; j++)
            for (int i = first; i < end; i++)
                out[(size_t)j * stride + (size_t)i] = (double)mat_row(m, i)[j];
    }
}

/* core = upper_a · upper_bᵀ. */
static void multiply_core(Svd *svd) {
    const WideSide a = {NULL, svd->upper_a, 1, svd->count}, b = {NULL, svd->upper_b, 1, svd->count};
    const WidePlan plan = core_plan(svd);
    memset(svd->core, 0, (size_t)svd->count * (size_t)svd->count * sizeof *svd->core);
    wide_add(svd->core, svd->count, &a, &b, &plan, svd->packed);
}

/* Split the tall q (rows, count) into the triangle after it and, where there are to be vectors,
 * orthonormal columns, in place, or where it stays as it is, is_factor. Qᵀ·Q = I, so Q does not
 * change singular values. */
static bool split_tall(double *q, double *upper, bool *is_factor, const Svd *svd, Err *err) {
    int info, rows = svd->rows, count = svd->count;
    double each = (double)rows * count * count;
    *is_factor = count >= GRAM_FROM && tall_triangle(upper, q, rows, count, svd->packed);
    if (*is_factor)
        return bidiagonal_step(svd->watch, STEPS_CHOLESKY * each, err);
    LAPACK_dgeqrf(&rows, &count, q, &rows, svd->tau, svd->work, &svd->room, &info);
    assert(info == 0);
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++)
            upper[j * count + i] = i <= j ? q[(size_t)j * (size_t)rows + (size_t)i] : 0;
    if (!bidiagonal_step(svd->watch, STEPS_TRIANGLE * each, err))
        return false;
    if (svd->u == NULL)
        return true;
    LAPACK_dorgqr(&rows, &count, &count, q, &rows, svd->tau, svd->work, &svd->room, &info);
    assert(info == 0);
    return bidiagonal_step(svd->watch, STEPS_BASIS * each, err);
}

static bool find_core_values(Svd *svd, Err *err) {
    int count = svd->count;
    GramResult gram =
        count < GRAM_FROM ? GRAM_UNFIT : gram_values(svd->sigma, svd->core, count, svd->watch, err);
    return gram == GRAM_UNFIT
               ? bidiagonal_values(svd->sigma, svd->core, count, count, svd->watch, err)
               : gram == GRAM_FOUND;
}

static bool take_core_apart(Svd *svd, Err *err) {
    int count = svd->count;
    if (svd->u == NULL)
        return find_core_values(svd, err);
    GramResult gram = count < GRAM_FROM ? GRAM_UNFIT
                                        : gram_vectors(svd->u, svd->sigma, svd->vt, svd->core,
                                                       count, svd->watch, err);
    return gram == GRAM_UNFIT
               ? bidiagonal_vectors(svd->u, svd->sigma, svd->vt, svd->core, count, svd->watch, err)
               : gram == GRAM_FOUND;
}

/* U and V, for sides that are the factors themselves. */
static void divide_by_triangles(Svd *svd) {
    int count = svd->count;
    if (svd->left_is_factor)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, count, count,
                    1, svd->upper_a, count, svd->u, count);
    if (svd->right_is_factor)
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasTrans, CblasNonUnit, count, count,
                    1, svd->upper_b, count, svd->vt, count);
}

static bool svd_find(Svd *svd, const Mat *a, const Mat *b, Err *err) {
    bool tall = svd->rows > svd->cols;
    widen_columns(tall ? svd->left : svd->upper_a, a);
    widen_columns(tall ? svd->right : svd->upper_b, b);
    if (tall && (!split_tall(svd->left, svd->upper_a, &svd->left_is_factor, svd, err) ||
                 !split_tall(svd->right, svd->upper_b, &svd->right_is_factor, svd, err)))
        return false;
    multiply_core(svd);
    if (!take_core_apart(svd, err))
        return false;
    if (svd->u != NULL)
        divide_by_triangles(svd);
    return true;
}

static bool are_finite(const Mat *a, const Mat *b, Err *err) {
    return (mat_is_finite(a) && mat_is_finite(b)) ||
           err_fail(err, "singular values", "could not be found; the weights are too large");
}

bool product_svd_values(double *sigma, const Mat *a, const Mat *b, JobWatch *watch, Err *err) {
    assert(a->rows == b->rows && a->cols == b->cols && a->rows > 0 && a->cols > 0);
    assert(mat_is_finite(a) && mat_is_finite(b));
    Svd svd;
    double *block = svd_push(&svd, a, false, watch, err);
    if (block == NULL)
        return false;
    bool found = svd_find(&svd, a, b, err);
    if (found)
        memcpy(sigma, svd.sigma, (size_t)svd.count * sizeof *sigma);
    free(block);
    return found;
}

/* room (rows, count), column by column: the first count left or, where turned, right vectors. */
static const double *vectors_of(const Svd *svd, int count, bool turned, double *room) {
    const double *basis = turned ? svd->right : svd->left, *core = turned ? svd->vt : svd->u;
    int rows = svd->rows, all = svd->count;
    if (rows > svd->cols) {
        const WideSide left = {NULL, basis, 1, rows};
        const WideSide right = {NULL, core, turned ? 1 : all, turned ? all : 1};
        const WidePlan plan = vectors_plan(svd, count);
        memset(room, 0, (size_t)rows * (size_t)count * sizeof *room);
        wide_add(room, rows, &left, &right, &plan, svd->packed);
        return room;
    }
    for (int r = 0; r < count; r++)
        for (int i = 0; i < rows; i++)
            room[(size_t)r * (size_t)rows + (size_t)i] =
                core[turned ? (size_t)i * (size_t)all + (size_t)r
                            : (size_t)r * (size_t)all + (size_t)i];
    return room;
}

static void write_vectors(Mat *out, const Svd *svd, bool turned, double *room) {
    const double *vectors = vectors_of(svd, svd->count, turned, room);
    for (int i = 0; i < out->rows; i++)
        for (int r = 0; r < svd->count; r++)
            mat_row(out, i)[r] = (float)vectors[(size_t)r * (size_t)svd->rows + (size_t)i];
}

bool product_svd_vectors(Mat *u, double *sigma, Mat *v, const Mat *a, const Mat *b, JobWatch *watch,
                         Err *err) {
    assert(a->rows == b->rows && a->cols == b->cols && u->rows == a->rows && v->rows == a->rows);
    Svd svd;
    if (!are_finite(a, b, err))
        return false;
    double *block = svd_push(&svd, a, true, watch, err);
    if (block == NULL)
        return false;
    assert(u->cols == svd.count && v->cols == svd.count);
    double *room = bidiagonal_scratch((size_t)svd.rows * (size_t)svd.count, err);
    bool found = room != NULL && svd_find(&svd, a, b, err);
    if (found) {
        memcpy(sigma, svd.sigma, (size_t)svd.count * sizeof *sigma);
        write_vectors(u, &svd, false, room);
        write_vectors(v, &svd, true, room);
    }
    free(room);
    free(block);
    return found;
}

/* out = Σ over the first rank of σ·u·vᵀ. */
static bool svd_truncated(Mat *out, const Svd *svd, int rank, Err *err) {
    size_t rows = (size_t)svd->rows, thin = rows * (size_t)rank;
    double *u = bidiagonal_scratch(2 * thin + rows * rows, err);
    if (u == NULL)
        return false;
    double *v = u + thin, *product = v + thin;
    vectors_of(svd, rank, false, u);
    vectors_of(svd, rank, true, v);
    for (int r = 0; r < rank; r++)
        cblas_dscal(svd->rows, svd->sigma[r], u + (size_t)r * rows, 1);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, svd->rows, svd->rows, rank, 1, v,
                svd->rows, u, svd->rows, 0, product, svd->rows);
    for (int i = 0; i < svd->rows; i++)
        for (int j = 0; j < svd->rows; j++)
            mat_row(out, i)[j] = (float)product[(size_t)i * rows + (size_t)j];
    free(u);
    return true;
}

bool product_svd_truncate(Mat *out, Mat *sigma, const Mat *a, const Mat *b, int rank,
                          JobWatch *watch, Err *err) {
    assert(a->rows == b->rows && a->cols == b->cols && out->rows == a->rows &&
           out->cols == a->rows && rank > 0 && sigma->rows == 1);
    Svd svd;
    bool cuts = rank < a->rows && rank < a->cols;
    if (!are_finite(a, b, err))
        return false;
    double *block = svd_push(&svd, a, cuts, watch, err);
    if (block == NULL)
        return false;
    assert(sigma->cols >= svd.count);
    bool done = svd_find(&svd, a, b, err);
    for (int r = 0; r < sigma->cols && done; r++)
        sigma->at[r] = r < svd.count ? (float)svd.sigma[r] : 0;
    done = done && (!cuts || svd_truncated(out, &svd, rank, err));
    free(block);
    return done;
}

double product_svd_values_steps(int D, int K) {
    double count = D < K ? D : K, triangle = count < GRAM_FROM ? STEPS_TRIANGLE : STEPS_CHOLESKY;
    double tall = D > K ? 2 * triangle * D * count * count : 0;
    return tall + (count < GRAM_FROM ? bidiagonal_values_steps((int)count, (int)count)
                                     : gram_values_steps((int)count));
}

double product_svd_vectors_steps(int D, int K) {
    double count = D < K ? D : K, thin = D * count * count;
    double split = count < GRAM_FROM ? STEPS_TRIANGLE + STEPS_BASIS : STEPS_CHOLESKY;
    double tall = D > K ? 2 * (split + STEPS_PRODUCT) * thin : 0;
    return tall + (count < GRAM_FROM ? bidiagonal_vectors_steps((int)count)
                                     : gram_vectors_steps((int)count));
}
