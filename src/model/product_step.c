#include "model/product_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/product_svd.h"
#include "math/updated_rank.h"

#define STEPS_OF_PRODUCT 0.25 /* one multiply-add */
#define STEPS_OF_POWER   0.5  /* the same of a single row */
#define BESIDE           16   /* sums that are kept beside each other, so that they vectorise */
#define STEPS_OF_ENTRY   10.0 /* of a matrix that is walked through */
#define POWERS           24   /* of MᵀM, until its largest singular value stands to a hundredth */

/* The step by factors is −η·(dL·Rᵀ + L·dRᵀ) + η²·dL·dRᵀ = F·Hᵀ with twice as many columns as dL has
 * ranks: those of the head, or the tokens where they are fewer. */
static int thin_columns(int T, int m) {
    return 2 * (T < m ? T : m);
}

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

size_t product_gradient_bytes(int T, int E, int m) {
    size_t wide = mat_bytes(E, T), thin = mat_bytes(m, T);
    return mat_bytes_add(mat_bytes_add(mat_bytes_add(wide, wide), mat_bytes_add(wide, wide)),
                         mat_bytes_add(thin, thin));
}

ProductGradient product_gradient_push(Arena *arena, int T, int E, int m) {
    return (ProductGradient){.left = mat_push(arena, E, T),
                             .right = mat_push(arena, E, T),
                             .left_in = mat_push(arena, E, T),
                             .left_by = mat_push(arena, m, T),
                             .right_in = mat_push(arena, E, T),
                             .right_by = mat_push(arena, m, T)};
}

/* dL = G·R and dR = Gᵀ·L. */
void product_gradient_follow(ProductGradient *g, const HeadProduct *p) {
    mat_copy(&g->left_in, &g->left);
    mat_copy(&g->right_in, &g->right);
    mat_mul_at(&g->left_by, &p->right, &g->right, 1);
    mat_mul_at(&g->right_by, &p->left, &g->left, 1);
}

size_t product_step_scratch_bytes(int T, int E, int m) {
    int k = thin_columns(T, m);
    size_t factors = mat_bytes_add(mat_bytes(E, m), mat_bytes(E, m));
    size_t thin = mat_bytes_add(mat_bytes(E, k), mat_bytes(E, k));
    size_t wide = mat_bytes_add(mat_bytes(1, E), mat_bytes(1, E));
    size_t update = mat_bytes_add(wide, mat_bytes_add(mat_bytes(1, m), mat_bytes(1, k + T)));
    size_t whole = mat_bytes_add(mat_bytes(E, m + T), mat_bytes(E, m + T));
    size_t all = mat_bytes_add(mat_bytes_add(factors, factors), mat_bytes_add(thin, thin));
    return mat_bytes_add(mat_bytes_add(all, mat_bytes(T, T)), mat_bytes_add(update, whole));
}

/* From how large on a singular value is above what rounding leaves. */
static double least_of(double largest, int E) {
    return largest * (double)FLT_EPSILON * E;
}

/* How many singular values of a·bᵀ are above what rounding leaves; -1 where that is not found. */
static int rank_of(const Mat *a, const Mat *b, JobWatch *watch) {
    int count = a->rows < a->cols ? a->rows : a->cols, rank = 0;
    Err err;
    double *sigma = malloc((size_t)count * sizeof *sigma);
    bool found = sigma != NULL && mat_is_finite(a) && mat_is_finite(b) &&
                 product_svd_values(sigma, a, b, watch, &err);
    double least = found ? least_of(sigma[0], a->rows) : 0;
    for (int i = 0; i < count && found; i++)
        rank += sigma[i] > least;
    free(sigma);
    return found ? rank : -1;
}

static double size_of(const float *row, int count) {
    double sum = 0;
    for (int j = 0; j < count; j++)
        sum += (double)row[j] * (double)row[j];
    return sqrt(sum);
}

/* W + f·hᵀ with W as its singular values and vectors. */
typedef struct Sum {
    const HeadProduct *p;
    const Mat *step, *f, *h; /* (E, E), (E, k), (E, k) */
} Sum;

/* The largest row of the sum, into x (1, E); returns its length. */
static double largest_row(Mat *x, const Sum *sum) {
    int E = sum->step->rows, largest = 0;
    double size = 0;
    for (int i = 0; i < E; i++) {
        const float *w = mat_row(&sum->p->product, i), *s = mat_row(sum->step, i);
        for (int j = 0; j < E; j++)
            x->at[j] = w[j] + s[j];
        double row = size_of(x->at, E);
        largest = row > size ? i : largest;
        size = fmax(size, row);
    }
    for (int j = 0; j < E; j++)
        x->at[j] = mat_row(&sum->p->product, largest)[j] + mat_row(sum->step, largest)[j];
    return size;
}

/* to = from·m, or to += from·mᵀ, of a single row, and in no more than the precision of a float. */
static void row_times(float *to, const float *from, const Mat *m) {
    memset(to, 0, (size_t)m->cols * sizeof *to);
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        for (int j = 0; j < m->cols; j++)
            to[j] += from[i] * row[j];
    }
}

static void row_times_turned(float *to, const float *from, const Mat *m) {
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        float parts[BESIDE] = {0};
        int j = 0;
        for (; j + BESIDE <= m->cols; j += BESIDE)
            for (int l = 0; l < BESIDE; l++)
                parts[l] += from[j + l] * row[j + l];
        for (; j < m->cols; j++)
            parts[0] += from[j] * row[j];
        for (int l = 0; l < BESIDE; l++)
            to[i] += parts[l];
    }
}

/* to (E) = from times the sum, or where turned its transpose; c (count) and k (k) are room. */
static void times(float *to, const float *from, const Sum *sum, bool turned, float *c, float *k) {
    const HeadProduct *p = sum->p;
    memset(to, 0, (size_t)sum->step->rows * sizeof *to);
    row_times(c, from, turned ? &p->v : &p->u);
    for (int i = 0; i < p->count; i++)
        c[i] *= (float)p->sigma[i];
    row_times_turned(to, c, turned ? &p->u : &p->v);
    row_times(k, from, turned ? sum->h : sum->f);
    row_times_turned(to, k, turned ? sum->f : sum->h);
}

/* The largest singular value of the sum, from below, by powers of it from its largest row on. */
static double largest_of(const Sum *sum, Arena *scratch) {
    int E = sum->step->rows;
    Mat x = mat_push(scratch, 1, E), y = mat_push(scratch, 1, E);
    Mat c = mat_push(scratch, 1, sum->p->count), k = mat_push(scratch, 1, sum->f->cols);
    double size = largest_row(&x, sum);
    for (int power = 0; power < POWERS && size > 0 && isfinite(size); power++) {
        double length = size_of(x.at, E);
        for (int j = 0; j < E; j++)
            x.at[j] = (float)((double)x.at[j] / length);
        times(y.at, x.at, sum, true, c.at, k.at);
        times(x.at, y.at, sum, false, c.at, k.at);
        size = size_of(y.at, E);
    }
    return size;
}

/* The rank of W + step, the step being f·hᵀ, from W's singular values. */
static int rank_updated(const HeadProduct *p, const Mat *step, const Mat *f, const Mat *h,
                        Arena *scratch) {
    size_t mark = scratch->used;
    int rank = -1;
    Err err;
    double largest = largest_of(&(Sum){p, step, f, h}, scratch);
    const UpdatedRank update = {&p->u, &p->v, p->sigma, f, h};
    if (largest == 0)
        rank = 0;
    else if (isfinite(largest) &&
             !updated_rank(&rank, &update, least_of(largest, step->rows), &err))
        rank = -1;
    scratch->used = mark;
    return rank;
}

/* Whether W's singular values are there and a shorter way than taking W apart again. */
static bool updates(const HeadProduct *p, int columns) {
    return p->count > 0 && updated_rank_steps(p->left.rows, p->count, columns) <
                               product_svd_values_steps(p->left.rows, p->left.cols) / 2;
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

/* dL and dR. */
typedef struct FactorGradients {
    Mat left, right; /* (E, m) */
} FactorGradients;

/* f·hᵀ by the head's ranks: −η[dL, L − η·dL]·[R, dR]ᵀ. */
static void thin_by_head(Mat *f, Mat *h, const HeadProduct *p, const FactorGradients *d,
                         float rate) {
    int m = p->left.cols;
    put(f, 0, &d->left, -rate);
    put(f, m, &p->left, -rate);
    add(f, m, &d->left, rate * rate);
    put(h, 0, &p->right, 1);
    put(h, m, &d->right, 1);
}

/* By the tokens: [A, −η·L·b + η²·A·(aᵀb)]·[−η·R·a, B]ᵀ with dL = A·aᵀ and dR = B·bᵀ. */
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
    mat_mul_on(&second, &g->left_in, &both);
    scratch->used = mark;
}

static void step_factors(ProductStep *out, const HeadProduct *p, const ProductGradient *g,
                         float rate, JobWatch *watch, Arena *scratch) {
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
    out->rank_factors = rank_of(&f, &h, watch);
    if (updates(p, k)) {
        out->rank_after_factors = rank_updated(p, &out->by_factors, &f, &h, scratch);
    } else { /* W is then (L − η·dL)(R − η·dR)ᵀ, whatever the step's own rank */
        Mat left = mat_push(scratch, E, m), right = mat_push(scratch, E, m);
        put(&left, 0, &p->left, 1);
        put(&right, 0, &p->right, 1);
        add(&left, 0, &d.left, -rate);
        add(&right, 0, &d.right, -rate);
        out->rank_after_factors = rank_of(&left, &right, watch);
    }
    scratch->used = mark;
}

/* W − η·G = [L, −η·G_left]·[R, G_right]ᵀ. */
static void step_product(ProductStep *out, const HeadProduct *p, const ProductGradient *g,
                         float rate, JobWatch *watch, Arena *scratch) {
    size_t mark = scratch->used;
    int E = p->left.rows, m = p->left.cols, T = g->left.cols;
    Mat a = mat_push(scratch, E, m + T), b = mat_push(scratch, E, m + T);
    put(&a, 0, &p->left, 1);
    put(&a, m, &g->left, -rate);
    put(&b, 0, &p->right, 1);
    put(&b, m, &g->right, 1);
    Mat step = mat_cols(&a, m, T);
    mat_mul_bt(&out->by_product, &step, &g->right, 1);
    out->rank_product = rank_of(&step, &g->right, watch);
    out->rank_after_product = updates(p, T)
                                  ? rank_updated(p, &out->by_product, &step, &g->right, scratch)
                                  : rank_of(&a, &b, watch);
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

bool product_step(ProductStep *out, const HeadProduct *p, const ProductGradient *g, float rate,
                  JobWatch *watch, Arena *scratch, Err *err) {
    step_factors(out, p, g, rate, watch, scratch);
    step_product(out, p, g, rate, watch, scratch);
    compare(out);
    return job_step(watch, 0) || err_fail(err, "step", "was stopped");
}

/* Of a rank after a step, one way or the other. */
static double after_steps(int E, int m, int columns, int k) {
    double again = product_svd_values_steps(E, columns);
    double powers = STEPS_OF_POWER * 4 * POWERS * E * (double)(m + k) + STEPS_OF_ENTRY * E * E;
    double update = updated_rank_steps(E, m < E ? m : E, k);
    return update < product_svd_values_steps(E, m) / 2 ? update + powers : again;
}

double product_step_steps(int T, int E, int m) {
    int k = thin_columns(T, m);
    double ranks = product_svd_values_steps(E, k) + product_svd_values_steps(E, T) +
                   after_steps(E, m, m, k) + after_steps(E, m, m + T, T);
    double products = E * (double)E * (T + k) + 4.0 * E * (double)m * T;
    return ranks + STEPS_OF_PRODUCT * products + STEPS_OF_ENTRY * E * (double)E;
}
