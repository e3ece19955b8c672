#include "model/analysis/product_step.h"

#include <math.h>

#include "math/gemm.h"
#include "model/analysis/stats.h"

/* The change of the product by a step on the factors is −η·(dL·Rᵀ + L·dRᵀ) + η²·dL·dRᵀ = F·Hᵀ. F
 * has twice as many columns as the rank of dL, which is the head's width or, if smaller, the number
 * of tokens. */
static int thin_columns(int T, int m) {
    return 2 * (T < m ? T : m);
}

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

/* Compute dL = G·R and dR = Gᵀ·L. */
void product_gradient_follow(ProductGradient *g, const HeadProduct *p) {
    mat_copy(&g->left_in, &g->left);
    mat_copy(&g->right_in, &g->right);
    mat_mul_at(&g->left_by, &p->right, &g->right, 1);
    mat_mul_at(&g->right_by, &p->left, &g->left, 1);
}

uint64_t product_step_scratch_bytes(int T, int E, int m) {
    int k = thin_columns(T, m);
    uint64_t factors = mat_bytes(E, m) + mat_bytes(E, m);
    uint64_t thin = mat_bytes(E, k) + mat_bytes(E, k);
    uint64_t whole = mat_bytes(E, m + T) + mat_bytes(E, m + T);
    uint64_t all = factors + factors + thin + thin;
    return all + mat_bytes(T, T) + whole;
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

/* The gradients dL and dR. */
typedef struct FactorGradients {
    Mat left, right; /* (E, m) */
} FactorGradients;

/* Write F and H with the head's width: −η[dL, L − η·dL]·[R, dR]ᵀ. */
static void thin_by_head(Mat *f, Mat *h, const HeadProduct *p, const FactorGradients *d,
                         float rate) {
    int m = p->left.cols;
    put(f, 0, &d->left, -rate);
    put(f, m, &p->left, -rate);
    add(f, m, &d->left, rate * rate);
    put(h, 0, &p->right, 1);
    put(h, m, &d->right, 1);
}

/* Write F and H with the number of tokens: [A, −η·L·b + η²·A·(aᵀb)]·[−η·R·a, B]ᵀ with dL = A·aᵀ and
 * dR = B·bᵀ. */
static void thin_by_tokens(Mat *f, Mat *h, const HeadProduct *p, const ProductGradient *g,
                           float rate, Arena *scratch) {
    size_t mark = scratch->used;
    int T = g->left_in.cols;
    Mat both = mat_push(scratch, T, T), second = mat_cols(f, T, T), first = mat_cols(h, 0, T);
    put(f, 0, &g->left_in, 1);
    put(h, T, &g->right_in, 1);
    mat_mul(&first, &p->right, &g->left_by, -rate);
    mat_mul(&second, &p->left, &g->right_by, -rate);
    mat_mul_at(&both, &g->left_by, &g->right_by, rate * rate);
    gemm(&second, &g->left_in, &both, &(GemmPlan){.factor = 1, .add = true});
    scratch->used = mark;
}

static void step_factors(ProductStep *out, const HeadProduct *p, const ProductGradient *g,
                         float rate, Arena *scratch) {
    size_t mark = scratch->used;
    int E = p->left.rows, m = p->left.cols, T = g->left.cols, k = thin_columns(T, m);
    FactorGradients d = {mat_push(scratch, E, m), mat_push(scratch, E, m)};
    Mat f = mat_push(scratch, E, k), h = mat_push(scratch, E, k);
    mat_mul_bt(&d.left, &g->left_in, &g->left_by, 1);
    mat_mul_bt(&d.right, &g->right_in, &g->right_by, 1);
    if (T < m)
        thin_by_tokens(&f, &h, p, g, rate, scratch);
    else
        thin_by_head(&f, &h, p, &d, rate);
    mat_mul_bt(&out->by_factors, &f, &h, 1);
    out->rank_factors = stats_product_rank(&f, &h);
    /* Then W is (L − η·dL)·(R − η·dR)ᵀ, whatever the rank of the step. */
    Mat left = mat_push(scratch, E, m), right = mat_push(scratch, E, m);
    put(&left, 0, &p->left, 1);
    put(&right, 0, &p->right, 1);
    add(&left, 0, &d.left, -rate);
    add(&right, 0, &d.right, -rate);
    out->rank_after_factors = stats_product_rank(&left, &right);
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
    out->rank_product = stats_product_rank(&step, &g->right);
    out->rank_after_product = stats_product_rank(&a, &b);
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
