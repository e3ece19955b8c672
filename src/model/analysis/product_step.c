#include "model/analysis/product_step.h"

#include <math.h>

#include "model/analysis/spectrum.h"

uint64_t product_step_bytes(int E) {
    uint64_t square = mat_bytes(E, E);
    return square + square + square;
}

ProductStep product_step_push(Arena *arena, int E) {
    ProductStep step = {0};
    step.by_factors = mat_push(arena, E, E);
    step.by_product = mat_push(arena, E, E);
    step.difference = mat_push(arena, E, E);
    return step;
}

uint64_t product_gradient_bytes(int T, int E, int m) {
    uint64_t wide = mat_bytes(E, T), thin = mat_bytes(m, T);
    return wide + wide + wide + wide + thin + thin;
}

ProductGradient product_gradient_push(Arena *arena, int T, int E, int m) {
    return (ProductGradient){.left = mat_push(arena, E, T),
                             .right = mat_push(arena, E, T),
                             .left_in = mat_push(arena, E, T),
                             .left_by = mat_push(arena, m, T),
                             .right_in = mat_push(arena, E, T),
                             .right_by = mat_push(arena, m, T)};
}

/* dL is G·R = left·(Rᵀ·right)ᵀ, and dR is Gᵀ·L = right·(Lᵀ·left)ᵀ. */
void product_gradient_follow(ProductGradient *g, const HeadProduct *p) {
    mat_copy(&g->left_in, &g->left);
    mat_copy(&g->right_in, &g->right);
    mat_mul_at(&g->left_by, &p->right, &g->right, 1);
    mat_mul_at(&g->right_by, &p->left, &g->left, 1);
}

uint64_t product_step_scratch_bytes(int T, int E, int m) {
    return 4 * mat_bytes(E, m) + 2 * mat_bytes(E, 2 * m) + 2 * mat_bytes(E, m + T);
}

static void put(Mat *out, int first, const Mat *from, float factor) {
    for (int i = 0; i < from->rows; i++)
        for (int j = 0; j < from->cols; j++)
            mat_row(out, i)[first + j] = factor * mat_row(from, i)[j];
}

static void add(Mat *out, int first, const Mat *from, float factor) {
    for (int i = 0; i < from->rows; i++)
        for (int j = 0; j < from->cols; j++)
            mat_row(out, i)[first + j] += factor * mat_row(from, i)[j];
}

/* Take the step on the factors. It changes the product by −η·(dL·Rᵀ + L·dRᵀ) + η²·dL·dRᵀ =
 * −η[dL, L − η·dL]·[R, dR]ᵀ, with dL and dR the gradients of the factors. */
static void step_factors(ProductStep *out, const HeadProduct *p, const ProductGradient *g,
                         float rate, Arena *scratch) {
    size_t mark = scratch->used;
    int E = p->left.rows, m = p->left.cols;
    Mat d_left = mat_push(scratch, E, m), d_right = mat_push(scratch, E, m);
    Mat f = mat_push(scratch, E, 2 * m), h = mat_push(scratch, E, 2 * m);
    mat_mul_bt(&d_left, &g->left_in, &g->left_by, 1);
    mat_mul_bt(&d_right, &g->right_in, &g->right_by, 1);
    put(&f, 0, &d_left, -rate);
    put(&f, m, &p->left, -rate);
    add(&f, m, &d_left, rate * rate);
    put(&h, 0, &p->right, 1);
    put(&h, m, &d_right, 1);
    mat_mul_bt(&out->by_factors, &f, &h, 1);
    out->rank_factors = spectrum_rank(&f, &h);
    /* after the step W is (L − η·dL)·(R − η·dR)ᵀ, whatever the rank of the step */
    Mat left = mat_push(scratch, E, m), right = mat_push(scratch, E, m);
    put(&left, 0, &p->left, 1);
    put(&right, 0, &p->right, 1);
    add(&left, 0, &d_left, -rate);
    add(&right, 0, &d_right, -rate);
    out->rank_after_factors = spectrum_rank(&left, &right);
    scratch->used = mark;
}

/* Take the step on the product, W − η·G = [L, −η·G_left]·[R, G_right]ᵀ. */
static void step_product(ProductStep *out, const HeadProduct *p, const ProductGradient *g,
                         float rate, Arena *scratch) {
    size_t mark = scratch->used;
    int E = p->left.rows, m = p->left.cols, T = g->left.cols;
    Mat a = mat_push(scratch, E, m + T), b = mat_push(scratch, E, m + T);
    put(&a, 0, &p->left, 1);
    put(&a, m, &g->left, -rate);
    put(&b, 0, &p->right, 1);
    put(&b, m, &g->right, 1);
    Mat step = mat_cols(&a, m, T);
    mat_mul_bt(&out->by_product, &step, &g->right, 1);
    out->rank_product = spectrum_rank(&step, &g->right);
    out->rank_after_product = spectrum_rank(&a, &b);
    scratch->used = mark;
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

void product_step(ProductStep *out, const HeadProduct *p, const ProductGradient *g, float rate,
                  Arena *scratch) {
    step_factors(out, p, g, rate, scratch);
    step_product(out, p, g, rate, scratch);
    compare(out);
}
