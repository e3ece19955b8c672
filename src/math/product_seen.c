#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#else
#include <cblas.h>
#endif

#include "math/bidiagonal.h"
#include "math/gram.h"
#include "math/product_svd.h"
#include "math/tall.h"
#include "math/wide.h"

#define GRAM_FROM     128 /* columns: below, the vectors take not much longer */
#define THIN          3   /* times as many columns as rows of x and y: so too with more rows */
#define STEPS_PRODUCT 0.4 /* measured, for each entry of D·K·count */

/* a·bᵀ = L·Mᵀ with L (rows, count) orthonormal: so the vectors of M are those of a·bᵀ, u = L·v,
 * and v·σ = M·v. Where a is tall with the triangle R, L is a·R⁻¹ and M = b·Rᵀ; where it is not, L
 * is the identity and M = b·aᵀ. Column by column, but for what was given. */
typedef struct Seen {
    const Mat *a, *b, *x, *y;
    int rows, count, k; /* k: x's rows and y's */
    double *upper, *m, *seen, *packed;
    JobWatch *watch;
} Seen;

/* Doubles for whichever of the products is under way. */
static size_t packed_doubles(const Seen *s) {
    int most = s->k > s->rows ? s->k : s->rows, deep = s->rows > s->a->cols ? s->rows : s->a->cols;
    const WidePlan plan = {most, s->count, deep, 1, false};
    size_t tall = tall_scratch(s->rows, s->count);
    return tall > wide_scratch(&plan) ? tall : wide_scratch(&plan);
}

/* Returns the block to free. */
static double *seen_push(Seen *s, Err *err) {
    size_t square = (size_t)s->count * (size_t)s->count;
    size_t entries = (size_t)s->rows * (size_t)s->count;
    size_t thin = (size_t)s->k * (size_t)s->count;
    double *at = bidiagonal_scratch(square + entries + thin + packed_doubles(s), err);
    if (at == NULL)
        return NULL;
    s->upper = at;
    s->m = s->upper + square;
    s->seen = s->m + entries;
    s->packed = s->seen + thin;
    memset(s->m, 0, (entries + thin) * sizeof *s->m);
    return at;
}

/* R of a; false where it cannot be had in a short way. m has room for a. */
static bool split(const Seen *s) {
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j < s->count; j++)
            s->m[(size_t)j * (size_t)s->rows + (size_t)i] = (double)mat_row(s->a, i)[j];
    bool done = tall_triangle(s->upper, s->m, s->rows, s->count, s->packed);
    memset(s->m, 0, (size_t)s->rows * (size_t)s->count * sizeof *s->m);
    return done;
}

static WideSide rows_of(const Mat *m) {
    return (WideSide){m->at, NULL, m->stride, 1};
}

/* M, and x·L and y·M one under the other. */
static void multiply(const Seen *s, bool is_tall) {
    int rows = s->rows, count = s->count, depth = s->a->cols;
    const WideSide b = rows_of(s->b), a = rows_of(s->a), x = rows_of(s->x), y = rows_of(s->y);
    const WideSide upper = {NULL, s->upper, 1, count}, m = {NULL, s->m, rows, 1};
    const WideSide columns = {s->a->at, NULL, 1, s->a->stride};
    const WidePlan whole = {rows, count, depth, 1, false};
    const WidePlan of_x = {s->x->rows, count, rows, 1, false};
    const WidePlan of_y = {s->y->rows, count, rows, 1, false};
    wide_add(s->m, rows, &b, is_tall ? &upper : &a, &whole, s->packed);
    if (is_tall) {
        wide_add(s->seen, s->k, &x, &columns, &of_x, s->packed);
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, s->x->rows,
                    count, 1, s->upper, count, s->seen, s->k);
    } else {
        for (int i = 0; i < s->x->rows; i++)
            for (int j = 0; j < count; j++)
                s->seen[(size_t)j * (size_t)s->k + (size_t)i] = (double)mat_row(s->x, i)[j];
    }
    wide_add(s->seen + s->x->rows, s->k, &y, &m, &of_y, s->packed);
}

static void write(Mat *out, const Seen *s, int first) {
    for (int i = 0; i < out->rows; i++)
        for (int r = 0; r < s->count; r++)
            mat_row(out, i)[r] = (float)s->seen[(size_t)r * (size_t)s->k + (size_t)(first + i)];
}

/* The same by way of the vectors. */
static bool by_vectors(Mat *left, double *sigma, Mat *right, const Seen *s, Err *err) {
    Arena arena = {0};
    size_t thin = mat_bytes(s->rows, s->count);
    if (!arena_reserve(&arena, mat_bytes_add(thin, thin), err))
        return false;
    Mat u = mat_push(&arena, s->rows, s->count), v = mat_push(&arena, s->rows, s->count);
    bool found = product_svd_vectors(&u, sigma, &v, s->a, s->b, s->watch, err);
    if (found)
        product_svd_see(left, right, &u, sigma, &v, s->x, s->y);
    arena_release(&arena);
    return found;
}

void product_svd_see(Mat *left, Mat *right, const Mat *u, const double *sigma, const Mat *v,
                     const Mat *x, const Mat *y) {
    mat_mul(left, x, u, 1);
    if (y != NULL)
        mat_mul(right, y, v, 1);
    else
        mat_copy(right, v);
    for (int i = 0; i < right->rows; i++)
        for (int r = 0; r < right->cols; r++)
            mat_row(right, i)[r] = (float)((double)mat_row(right, i)[r] * sigma[r]);
}

/* Whether that is the short way. */
static bool is_thin(int D, int K, int rows) {
    int count = D < K ? D : K;
    return count >= GRAM_FROM && rows <= count / THIN;
}

static double product_steps(int D, int K) {
    return STEPS_PRODUCT * D * (double)K * (D < K ? D : K);
}

/* The short way; *is_there says whether there is one. */
static bool by_gram(Mat *left, double *sigma, Mat *right, bool *is_there, Seen *s, Err *err) {
    int rows = s->rows, cols = s->a->cols;
    double *block = seen_push(s, err);
    if (block == NULL)
        return false;
    *is_there = rows <= cols || split(s);
    bool found = *is_there;
    if (found) {
        multiply(s, rows > cols);
        found = bidiagonal_step(s->watch, product_steps(rows, cols), err) &&
                gram_seen(sigma, s->seen, s->k, s->m, rows, s->count, s->watch, err);
    }
    if (found) {
        write(left, s, 0);
        write(right, s, left->rows);
    }
    free(block);
    return found;
}

bool product_svd_seen(Mat *left, double *sigma, Mat *right, const ProductSeen *of, JobWatch *watch,
                      Err *err) {
    int rows = of->a->rows, cols = of->a->cols, count = rows < cols ? rows : cols;
    Seen s = {.a = of->a, .b = of->b, .x = of->x, .y = of->y, .rows = rows, .count = count};
    s.k = left->rows + right->rows;
    s.watch = watch;
    assert(of->b->rows == rows && of->b->cols == cols && left->rows == of->x->rows);
    assert(left->cols == count && right->cols == count);
    bool is_there =
        of->y != NULL && is_thin(rows, cols, s.k) && mat_is_finite(of->a) && mat_is_finite(of->b);
    bool found = is_there && by_gram(left, sigma, right, &is_there, &s, err);
    return is_there ? found : by_vectors(left, sigma, right, &s, err);
}

double product_svd_seen_steps(int D, int K, int rows) {
    return is_thin(D, K, rows) ? product_steps(D, K) + gram_seen_steps(rows, D, D < K ? D : K)
                               : product_svd_vectors_steps(D, K);
}
