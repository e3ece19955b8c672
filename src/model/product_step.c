#include "model/product_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/product_svd.h"

#define STEPS_OF_PRODUCT 0.25 /* one multiply-add */
#define STEPS_OF_ENTRY   10.0 /* of a matrix that is walked through */

size_t product_step_bytes(int E) {
    size_t square = mat_bytes(E, E);
    return mat_bytes_add(square, mat_bytes_add(square, square));
}

ProductStep product_step_push(Arena *arena, int E) {
    ProductStep step = {0};
    step.by_factors = mat_push(arena, E, E);
    step.by_product = mat_push(arena, E, E);
    step.difference = mat_push(arena, E, E);
    return step;
}

size_t product_step_scratch_bytes(int T, int E, int m) {
    size_t thin = mat_bytes(E, 2 * m), wide = mat_bytes(E, m + T);
    return mat_bytes_add(mat_bytes_add(thin, thin), mat_bytes_add(wide, wide));
}

/* How many singular values of a·bᵀ are above what rounding leaves; -1 where that is not found. */
static int rank_of(const Mat *a, const Mat *b, JobWatch *watch) {
    int count = a->rows < a->cols ? a->rows : a->cols, rank = 0;
    Err err;
    double *sigma = malloc((size_t)count * sizeof *sigma);
    bool found = sigma != NULL && mat_is_finite(a) && mat_is_finite(b) &&
                 product_svd_values(sigma, a, b, watch, &err);
    double least = found ? sigma[0] * (double)FLT_EPSILON * a->rows : 0;
    for (int i = 0; i < count && found; i++)
        rank += sigma[i] > least;
    free(sigma);
    return found ? rank : -1;
}

static void put(Mat *out, int first, const Mat *from, float factor) {
    for (int i = 0; i < from->rows; i++)
        for (int j = 0; j < from->cols; j++)
            mat_row(out, i)[first + j] = factor * mat_row(from, i)[j];
}

/* The step as one product: −η[dL, L − η·dL]·[R, dR]ᵀ with dL = G·R and dR = Gᵀ·L, where they
 * are not given. */
static void step_factors(ProductStep *out, const HeadProduct *p, const ProductGradient *g,
                         float rate, JobWatch *watch, Arena *scratch) {
    int E = p->left.rows, m = p->left.cols;
    Mat a = mat_push(scratch, E, 2 * m), b = mat_push(scratch, E, 2 * m);
    Mat dL = mat_cols(&a, 0, m), dR = mat_cols(&b, m, m);
    if (g->by_left.rows > 0) {
        mat_copy(&dL, &g->by_left);
        mat_copy(&dR, &g->by_right);
    } else {
        mat_mul(&dL, &out->by_product, &p->right, 1);
        mat_mul_at(&dR, &out->by_product, &p->left, 1);
    }
    for (int i = 0; i < E; i++)
        for (int j = 0; j < m; j++)
            mat_row(&a, i)[m + j] = mat_row(&p->left, i)[j] - rate * mat_row(&a, i)[j];
    put(&b, 0, &p->right, 1);
    mat_mul_bt(&out->by_factors, &a, &b, -rate);
    out->rank_factors = rank_of(&a, &b, watch);
    /* W after the step is (L − η·dL)(R − η·dR)ᵀ, whatever the step's own rank. */
    Mat after_left = mat_cols(&a, m, m), after_right = mat_cols(&b, 0, m);
    for (int i = 0; i < E; i++)
        for (int j = 0; j < m; j++)
            mat_row(&b, i)[j] -= rate * mat_row(&b, i)[m + j];
    out->rank_after_factors = rank_of(&after_left, &after_right, watch);
}

/* W − η·G = [L, −η·G_left]·[R, G_right]ᵀ. */
static void step_product(ProductStep *out, const HeadProduct *p, const Mat *left, const Mat *right,
                         float rate, JobWatch *watch, Arena *scratch) {
    int E = p->left.rows, m = p->left.cols;
    Mat a = mat_push(scratch, E, m + left->cols), b = mat_push(scratch, E, m + left->cols);
    put(&a, 0, &p->left, 1);
    put(&a, m, left, -rate);
    put(&b, 0, &p->right, 1);
    put(&b, m, right, 1);
    out->rank_product = rank_of(left, right, watch);
    out->rank_after_product = rank_of(&a, &b, watch);
}

static void compare(ProductStep *out) {
    double ff = 0, pp = 0, fp = 0;
    for (int i = 0; i < out->by_factors.rows; i++)
        for (int j = 0; j < out->by_factors.cols; j++) {
            float f = mat_row(&out->by_factors, i)[j], w = mat_row(&out->by_product, i)[j];
            mat_row(&out->difference, i)[j] = f - w;
            ff += (double)f * (double)f;
            pp += (double)w * (double)w;
            fp += (double)f * (double)w;
        }
    out->norm_factors = sqrt(ff);
    out->norm_product = sqrt(pp);
    out->cosine = ff > 0 && pp > 0 ? fp / sqrt(ff * pp) : NAN;
}

bool product_step(ProductStep *out, const HeadProduct *p, const ProductGradient *g, float rate,
                  JobWatch *watch, Arena *scratch, Err *err) {
    size_t mark = scratch->used;
    mat_mul_bt(&out->by_product, &g->left, &g->right, 1); /* G itself, for now */
    step_factors(out, p, g, rate, watch, scratch);
    mat_mul_bt(&out->by_product, &g->left, &g->right, -rate);
    step_product(out, p, &g->left, &g->right, rate, watch, scratch);
    compare(out);
    scratch->used = mark;
    return job_step(watch, 0) || err_fail(err, "step", "was stopped");
}

double product_step_steps(int T, int E, int m) {
    double ranks = product_svd_values_steps(E, 2 * m) + product_svd_values_steps(E, m) +
                   product_svd_values_steps(E, T) + product_svd_values_steps(E, m + T);
    return ranks + (double)E * E * (STEPS_OF_PRODUCT * (2 * T + 4 * m) + STEPS_OF_ENTRY);
}
