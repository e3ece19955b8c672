#include "math/mat.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_sgeqrf sgeqrf_
#define LAPACK_sorgqr sorgqr_
#define LAPACK_sgelqf sgelqf_
#define LAPACK_sorglq sorglq_
#define LAPACK_dgeqrf dgeqrf_
#define LAPACK_dorgqr dorgqr_
#define LAPACK_dgesvd dgesvd_
#else
#include <cblas.h>
#include <lapacke.h>
#endif

#include "math/gemm.h"

/* One thread for LAPACK: it is faster at these sizes, and the results are then repeatable. */
__attribute__((constructor)) static void use_one_thread(void) {
#ifdef __APPLE__
    setenv("VECLIB_MAXIMUM_THREADS", "1", 1);
#else
    openblas_set_num_threads(1);
#endif
}

size_t mat_bytes(int rows, int cols) {
    assert(rows >= 0 && cols >= 0);
    size_t row = (size_t)cols * sizeof(float);
    if (row > 0 && (size_t)rows > (SIZE_MAX - ARENA_ALIGN) / row)
        return SIZE_MAX;
    return arena_padded((size_t)rows * row);
}

size_t mat_bytes_add(size_t sum, size_t more) {
    return more > SIZE_MAX - sum ? SIZE_MAX : sum + more;
}

Mat mat_push(Arena *arena, int rows, int cols) {
    float *at = arena_push(arena, (size_t)rows * (size_t)cols * sizeof *at);
    return (Mat){at, rows, cols, cols};
}

Mat mat_cols(const Mat *m, int first, int count) {
    assert(first >= 0 && count >= 0 && first <= m->cols - count);
    return (Mat){m->at + first, m->rows, count, m->stride};
}

Mat mat_rows(const Mat *m, int first, int count) {
    assert(first >= 0 && count >= 0 && first <= m->rows - count);
    return (Mat){mat_row(m, first), count, m->cols, m->stride};
}

Mat mat_gapless(const Mat *m) {
    bool whole = m->stride == m->cols && m->cols > 0 && m->rows <= INT_MAX / m->cols;
    int entries = whole ? m->rows * m->cols : 0;
    return whole ? (Mat){m->at, 1, entries, entries} : *m;
}

void mat_mul(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor});
}

void mat_mul_bt(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor, .b_turned = true});
}

void mat_mul_at(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor, .a_turned = true});
}

void mat_add_mul_bt(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor, .b_turned = true, .add = true});
}

void mat_add_mul_at(Mat *out, const Mat *a, const Mat *b, float factor) {
    gemm(out, a, b, &(GemmPlan){.factor = factor, .a_turned = true, .add = true});
}

void mat_copy(Mat *out, const Mat *a) {
    assert(out->rows == a->rows && out->cols == a->cols);
    for (int i = 0; i < a->rows; i++)
        memcpy(mat_row(out, i), mat_row(a, i), (size_t)a->cols * sizeof *a->at);
}

float mat_max_difference(const Mat *a, const Mat *b) {
    assert(a->rows == b->rows && a->cols == b->cols);
    float largest = 0;
    for (int i = 0; i < a->rows; i++) {
        const float *one = mat_row(a, i), *other = mat_row(b, i);
        for (int j = 0; j < a->cols; j++) {
            float difference = fabsf(one[j] - other[j]);
            if (difference > largest || isnan(difference))
                largest = difference;
            if (isnan(largest))
                return largest;
        }
    }
    return largest;
}

bool mat_is_finite(const Mat *m) {
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        for (int j = 0; j < m->cols; j++)
            if (!isfinite(row[j]))
                return false;
    }
    return true;
}

/* LAPACK counts columns where we count rows, so it is given our matrices as their transposes. It
 * takes this many columns at a time when its scratch allows. */
#define LAPACK_BLOCK 64

static bool scratch_missing(Err *err, size_t bytes) {
    return err_fail(err, "memory",
                    "%.1f MB for a factorisation could not be had; use smaller "
                    "matrices",
                    (double)bytes / 1e6);
}

/* Our tall m = Q·R is mᵀ = Rᵀ·Qᵀ, a lower triangle times orthonormal rows. */
static int factor_tall(Mat *m, float *sign, float *tau, float *work, int room) {
    int info, count = m->cols;
    LAPACK_sgelqf(&m->cols, &m->rows, m->at, &m->stride, tau, work, &room, &info);
    for (int i = 0; i < count; i++)
        sign[i] = mat_row(m, i)[i] < 0 ? -1.0F : 1.0F;
    if (info == 0)
        LAPACK_sorglq(&m->cols, &m->rows, &count, m->at, &m->stride, tau, work, &room, &info);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < count; j++)
            mat_row(m, i)[j] *= sign[j];
    return info;
}

static int factor_wide(Mat *m, float *sign, float *tau, float *work, int room) {
    int info, count = m->rows;
    LAPACK_sgeqrf(&m->cols, &m->rows, m->at, &m->stride, tau, work, &room, &info);
    for (int i = 0; i < count; i++)
        sign[i] = mat_row(m, i)[i] < 0 ? -1.0F : 1.0F;
    if (info == 0)
        LAPACK_sorgqr(&m->cols, &m->rows, &count, m->at, &m->stride, tau, work, &room, &info);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] *= sign[i];
    return info;
}

bool mat_orthogonalise(Mat *m, Err *err) {
    assert(m->rows > 0 && m->cols > 0 && mat_is_finite(m));
    bool tall = m->rows >= m->cols;
    int count = tall ? m->cols : m->rows;
    size_t floats = (size_t)count * (2 + LAPACK_BLOCK);
    float *sign = malloc(floats * sizeof *sign);
    if (sign == NULL)
        return scratch_missing(err, floats * sizeof *sign);
    float *tau = sign + count, *work = tau + count;
    int info = (tall ? factor_tall : factor_wide)(m, sign, tau, work, count * LAPACK_BLOCK);
    assert(info == 0);
    free(sign);
    return true;
}

/* Column by column, as LAPACK wants it. */
static void widen_columns(double *out, const Mat *m) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            out[(size_t)j * (size_t)m->rows + (size_t)i] = (double)mat_row(m, i)[j];
}

/* Replace a (rows, cols), rows >= cols, by its upper triangle R, the rest 0; Qᵀ·Q = I, so Q does
 * not change singular values. */
static void triangle(double *a, int rows, int cols, double *work, int room) {
    int info;
    double *tau = work + room;
    LAPACK_dgeqrf(&rows, &cols, a, &rows, tau, work, &room, &info);
    assert(info == 0);
    for (int j = 0; j < cols; j++)
        for (int i = j + 1; i < rows; i++)
            a[(size_t)j * (size_t)rows + (size_t)i] = 0;
}

bool mat_product_sigma(double *sigma, const Mat *a, const Mat *b, Err *err) {
    assert(a->rows == b->rows && a->cols == b->cols && a->rows > 0 && a->cols > 0);
    assert(mat_is_finite(a) && mat_is_finite(b));
    int rows = a->rows, cols = a->cols, count = rows < cols ? rows : cols;
    int room = count * 2 * LAPACK_BLOCK, info, one = 1;
    size_t entries = (size_t)rows * (size_t)cols, square = (size_t)count * (size_t)count;
    size_t doubles = 2 * entries + square + (size_t)room + (size_t)count;
    double *wide_a = malloc(doubles * sizeof *wide_a), unused;
    if (wide_a == NULL)
        return scratch_missing(err, doubles * sizeof *wide_a);
    double *wide_b = wide_a + entries, *product = wide_b + entries, *work = product + square;
    widen_columns(wide_a, a);
    widen_columns(wide_b, b);
    if (rows > cols) {
        triangle(wide_a, rows, cols, work, room);
        triangle(wide_b, rows, cols, work, room);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, count, count, cols, 1, wide_a, rows,
                wide_b, rows, 0, product, count);
    LAPACK_dgesvd("N", "N", &count, &count, product, &count, sigma, &unused, &one, &unused, &one,
                  work, &room, &info);
    free(wide_a);
    return info == 0 || err_fail(err, "singular values", "LAPACK's iteration did not settle");
}

/* a·bᵀ = left · core · rightᵀ with left and right (rows, count) orthonormal, or where rows <= cols
 * the identity; core (count, count) = U·Σ·Vᵀ. All column by column. */
typedef struct Svd {
    int rows, cols, count, room;
    double *left, *right, *upper_a, *upper_b, *core, *u, *vt, *sigma, *work, *tau;
} Svd;

static double *svd_push(Svd *svd, const Mat *a, Err *err) {
    int rows = a->rows, cols = a->cols, count = rows < cols ? rows : cols;
    size_t entries = (size_t)rows * (size_t)cols, square = (size_t)count * (size_t)count;
    size_t upper = (size_t)count * (size_t)cols;
    *svd = (Svd){.rows = rows, .cols = cols, .count = count, .room = count * 2 * LAPACK_BLOCK};
    size_t doubles = 2 * entries + 2 * upper + 3 * square + (size_t)svd->room + 2 * (size_t)count;
    double *at = malloc(doubles * sizeof *at);
    if (at == NULL) {
        scratch_missing(err, doubles * sizeof *at);
        return NULL;
    }
    svd->left = at;
    svd->right = svd->left + entries;
    svd->upper_a = svd->right + entries;
    svd->upper_b = svd->upper_a + upper;
    svd->core = svd->upper_b + upper;
    svd->u = svd->core + square;
    svd->vt = svd->u + square;
    svd->work = svd->vt + square;
    svd->sigma = svd->work + svd->room;
    svd->tau = svd->sigma + count;
    return at;
}

/* Split the tall q (rows, count) into orthonormal columns, in place, and the triangle after them.
 */
static void split_tall(double *q, double *upper, const Svd *svd) {
    int info, rows = svd->rows, count = svd->count;
    LAPACK_dgeqrf(&rows, &count, q, &rows, svd->tau, svd->work, &svd->room, &info);
    assert(info == 0);
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++)
            upper[j * count + i] = i <= j ? q[(size_t)j * (size_t)rows + (size_t)i] : 0;
    LAPACK_dorgqr(&rows, &count, &count, q, &rows, svd->tau, svd->work, &svd->room, &info);
    assert(info == 0);
}

static bool svd_find(Svd *svd, const Mat *a, const Mat *b) {
    int info, count = svd->count;
    bool tall = svd->rows > svd->cols;
    widen_columns(tall ? svd->left : svd->upper_a, a);
    widen_columns(tall ? svd->right : svd->upper_b, b);
    if (tall) {
        split_tall(svd->left, svd->upper_a, svd);
        split_tall(svd->right, svd->upper_b, svd);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, count, count, svd->cols, 1, svd->upper_a,
                count, svd->upper_b, count, 0, svd->core, count);
    LAPACK_dgesvd("S", "S", &count, &count, svd->core, &count, svd->sigma, svd->u, &count, svd->vt,
                  &count, svd->work, &svd->room, &info);
    return info == 0;
}

/* Entry (i, r) of left·U, or of right·V where turned. */
static double svd_vector(const Svd *svd, int i, int r, bool turned) {
    const double *basis = turned ? svd->right : svd->left;
    int count = svd->count;
    double sum = 0;
    for (int p = 0; p < count; p++) {
        double weight = turned ? svd->vt[p * count + r] : svd->u[r * count + p];
        if (svd->rows <= svd->cols)
            sum = p == i ? weight : sum;
        else
            sum += basis[(size_t)p * (size_t)svd->rows + (size_t)i] * weight;
    }
    return sum;
}

/* out = Σ over the first rank of σ·u·vᵀ, rank by rank, with the vectors in scratch. */
static bool svd_truncated(Mat *out, const Svd *svd, int rank, Err *err) {
    size_t n = (size_t)svd->rows, doubles = 2 * n * (size_t)rank;
    double *u = malloc(doubles * sizeof *u);
    if (u == NULL)
        return scratch_missing(err, doubles * sizeof *u);
    double *v = u + n * (size_t)rank;
    for (int i = 0; i < svd->rows; i++)
        for (int r = 0; r < rank; r++) {
            u[i * rank + r] = svd->sigma[r] * svd_vector(svd, i, r, false);
            v[i * rank + r] = svd_vector(svd, i, r, true);
        }
    for (int i = 0; i < svd->rows; i++)
        for (int j = 0; j < svd->rows; j++) {
            double sum = 0;
            for (int r = 0; r < rank; r++)
                sum += u[i * rank + r] * v[j * rank + r];
            mat_row(out, i)[j] = (float)sum;
        }
    free(u);
    return true;
}

bool mat_product_truncate(Mat *out, Mat *sigma, const Mat *a, const Mat *b, int rank, Err *err) {
    assert(a->rows == b->rows && a->cols == b->cols && out->rows == a->rows &&
           out->cols == a->rows && rank > 0 && sigma->rows == 1);
    Svd svd;
    double *scratch = svd_push(&svd, a, err);
    if (scratch == NULL)
        return false;
    assert(sigma->cols >= svd.count);
    if (!mat_is_finite(a) || !mat_is_finite(b) || !svd_find(&svd, a, b)) {
        free(scratch);
        return err_fail(err, "singular values", "could not be found; the weights are too large");
    }
    for (int r = 0; r < sigma->cols; r++)
        sigma->at[r] = r < svd.count ? (float)svd.sigma[r] : 0;
    bool done = rank >= svd.count || svd_truncated(out, &svd, rank, err);
    free(scratch);
    return done;
}

/* out (rows, count) = basis·vectors, basis being the identity where it is absent. */
static void write_vectors(Mat *out, const double *basis, const double *vectors, bool turned,
                          const Svd *svd, double *room) {
    int rows = svd->rows, count = svd->count;
    if (basis == NULL) {
        for (int i = 0; i < rows; i++)
            for (int r = 0; r < count; r++)
                mat_row(out, i)[r] = (float)vectors[turned ? i * count + r : r * count + i];
        return;
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, turned ? CblasTrans : CblasNoTrans, rows, count, count,
                1, basis, rows, vectors, count, 0, room, rows);
    for (int i = 0; i < rows; i++)
        for (int r = 0; r < count; r++)
            mat_row(out, i)[r] = (float)room[(size_t)r * (size_t)rows + (size_t)i];
}

bool mat_product_svd(Mat *u, double *sigma, Mat *v, const Mat *a, const Mat *b, Err *err) {
    assert(a->rows == b->rows && a->cols == b->cols && u->rows == a->rows && v->rows == a->rows);
    Svd svd;
    double *scratch = svd_push(&svd, a, err);
    if (scratch == NULL)
        return false;
    assert(u->cols == svd.count && v->cols == svd.count);
    size_t doubles = (size_t)svd.rows * (size_t)svd.count;
    double *room = malloc(doubles * sizeof *room);
    bool found = room != NULL && mat_is_finite(a) && mat_is_finite(b) && svd_find(&svd, a, b);
    if (found) {
        bool tall = svd.rows > svd.cols;
        memcpy(sigma, svd.sigma, (size_t)svd.count * sizeof *sigma);
        write_vectors(u, tall ? svd.left : NULL, svd.u, false, &svd, room);
        write_vectors(v, tall ? svd.right : NULL, svd.vt, true, &svd, room);
    } else if (room == NULL) {
        scratch_missing(err, doubles * sizeof *room);
    } else {
        err_fail(err, "singular values", "could not be found; the weights are too large");
    }
    free(room);
    free(scratch);
    return found;
}
