#include "model/analysis/product_step.h"

#include <math.h>

#include "model/analysis/spectrum.h"
#include "model/attention/position.h"

/* The gradient of W is left·rightᵀ, both (E, T). left_of and right_of (E, m) are the gradients of
 * the factors L and R. */
typedef struct Gradient {
    Mat left, right, left_of, right_of;
} Gradient;

/* For W_QK, left is Xᵀ and right (score_factor·dS·X)ᵀ; for W_OV, left is (A·X)ᵀ and right the
 * transposed gradient of the output. dL = G·R = left·(Rᵀ·right)ᵀ, dR = Gᵀ·L = right·(Lᵀ·left)ᵀ. */
static void set_gradient(Gradient *g, const HeadProduct *p, const StepInputs *of, Arena *scratch) {
    const HeadInputs *inputs = of->inputs;
    int T = of->shape->T, E = p->left.rows, m = p->left.cols;
    Mat rows = mat_push(scratch, T, E);
    const Mat *other = inputs->input;
    bool scores = p->kind == PRODUCT_QK;
    if (scores) {
        Mat dS = attn_head_scores(&of->back->S, of->shape, of->choice->head);
        mat_mul(&rows, &dS, inputs->input, inputs->score_factor);
    } else {
        mat_mul(&rows, inputs->A, inputs->input, 1);
        other = of->back->sum.rows > 0 ? &of->back->sum : of->G;
    }
    for (int e = 0; e < E; e++)
        for (int t = 0; t < T; t++) {
            float mine = mat_row(&rows, t)[e];
            float theirs = e < other->cols ? mat_row(other, t)[e] : 0;
            mat_row(&g->left, e)[t] = scores ? theirs : mine;
            mat_row(&g->right, e)[t] = scores ? mine : theirs;
        }
    Mat left_by = mat_push(scratch, m, T), right_by = mat_push(scratch, m, T);
    mat_mul_at(&left_by, &p->right, &g->right, 1);
    mat_mul_at(&right_by, &p->left, &g->left, 1);
    mat_mul_bt(&g->left_of, &g->left, &left_by, 1);
    mat_mul_bt(&g->right_of, &g->right, &right_by, 1);
}

/* With RoPE, the W_QK of one distance acts on pairs of a query and the key at that distance. W_Q
 * and W_K get gradients from all distances; the gradient of W_Q is rotated as W_Q is in the
 * product. */
static void set_gradient_at_distance(Gradient *g, const StepInputs *of, Arena *scratch) {
    const HeadChoice *choice = of->choice;
    const AttnShape *shape = of->shape;
    const Mat *input = of->inputs->input;
    Mat dS = attn_head_scores(&of->back->S, shape, choice->head);
    Mat dQ = attn_head_query(&of->back->Q, shape, choice->head);
    Mat dK = attn_head_query(&of->back->K, shape, choice->head);
    for (int t = 0; t < shape->T; t++) {
        int key = t - choice->offset;
        bool is_pair = key >= 0 && key < shape->T;
        float weight = is_pair ? shape->score_factor * mat_row(&dS, t)[key] : 0;
        for (int e = 0; e < input->cols; e++) {
            mat_row(&g->left, e)[t] = weight * mat_row(input, t)[e];
            mat_row(&g->right, e)[t] = is_pair ? mat_row(input, key)[e] : 0;
        }
    }
    Mat rotations = mat_push(scratch, 1, shape->K), rotated = mat_push(scratch, shape->T, shape->K);
    rope_angles(rotations.at, shape->K, choice->offset, shape->traits.rope);
    mat_copy(&rotated, &dQ);
    rope_rotate(&rotated, &rotations);
    mat_mul_at(&g->left_of, input, &rotated, 1);
    mat_mul_at(&g->right_of, input, &dK, 1);
}

/* Copy factor·from into the columns of out that begin at `first`; if adds, add it to them. */
static void put(Mat *out, int first, const Mat *from, float factor, bool adds) {
    for (int i = 0; i < from->rows; i++)
        for (int j = 0; j < from->cols; j++) {
            float *to = mat_row(out, i) + first + j;
            *to = (adds ? *to : 0) + factor * mat_row(from, i)[j];
        }
}

/* Take the step on the factors. It changes the product by −η·(dL·Rᵀ + L·dRᵀ) + η²·dL·dRᵀ =
 * −η[dL, L − η·dL]·[R, dR]ᵀ, with dL and dR the gradients of the factors. */
static void step_factors(ProductStep *out, const HeadProduct *p, const Gradient *g, float rate,
                         Arena *scratch) {
    size_t mark = scratch->used;
    int E = p->left.rows, m = p->left.cols;
    Mat f = mat_push(scratch, E, 2 * m), h = mat_push(scratch, E, 2 * m);
    put(&f, 0, &g->left_of, -rate, false);
    put(&f, m, &p->left, -rate, false);
    put(&f, m, &g->left_of, rate * rate, true);
    put(&h, 0, &p->right, 1, false);
    put(&h, m, &g->right_of, 1, false);
    mat_mul_bt(&out->by_factors, &f, &h, 1);
    out->rank_factors = spectrum_rank(&f, &h);
    /* After the step W is (L − η·dL)·(R − η·dR)ᵀ. */
    Mat left = mat_push(scratch, E, m), right = mat_push(scratch, E, m);
    put(&left, 0, &p->left, 1, false);
    put(&right, 0, &p->right, 1, false);
    put(&left, 0, &g->left_of, -rate, true);
    put(&right, 0, &g->right_of, -rate, true);
    out->rank_after_factors = spectrum_rank(&left, &right);
    scratch->used = mark;
}

/* Take the step on the product, W − η·G = [L, −η·G_left]·[R, G_right]ᵀ. */
static void step_product(ProductStep *out, const HeadProduct *p, const Gradient *g, float rate,
                         Arena *scratch) {
    size_t mark = scratch->used;
    int E = p->left.rows, m = p->left.cols, T = g->left.cols;
    Mat a = mat_push(scratch, E, m + T), b = mat_push(scratch, E, m + T);
    put(&a, 0, &p->left, 1, false);
    put(&a, m, &g->left, -rate, false);
    put(&b, 0, &p->right, 1, false);
    put(&b, m, &g->right, 1, false);
    Mat step = mat_cols(&a, m, T);
    mat_mul_bt(&out->by_product, &step, &g->right, 1);
    out->rank_product = spectrum_rank(&step, &g->right);
    out->rank_after_product = spectrum_rank(&a, &b);
    scratch->used = mark;
}

void product_step_push(ProductStep *out, Arena *arena, const HeadProduct *p, const StepInputs *of,
                       float rate, Arena *scratch) {
    size_t mark = scratch->used;
    int T = of->shape->T, E = p->left.rows, m = p->left.cols;
    double ff = 0, pp = 0, fp = 0;
    Gradient g = {mat_push(scratch, E, T), mat_push(scratch, E, T), mat_push(scratch, E, m),
                  mat_push(scratch, E, m)};
    if (of->shape->rope && p->kind == PRODUCT_QK)
        set_gradient_at_distance(&g, of, scratch);
    else
        set_gradient(&g, p, of, scratch);
    *out = (ProductStep){.by_factors = mat_push(arena, E, E), .by_product = mat_push(arena, E, E)};
    out->difference = mat_push(arena, E, E);
    step_factors(out, p, &g, rate, scratch);
    step_product(out, p, &g, rate, scratch);
    for (int i = 0; i < E; i++)
        for (int j = 0; j < E; j++) {
            float f = mat_row(&out->by_factors, i)[j], w = mat_row(&out->by_product, i)[j];
            mat_row(&out->difference, i)[j] = f - w;
            ff += (double)f * (double)f;
            pp += (double)w * (double)w;
            fp += (double)f * (double)w;
        }
    out->norm_factors = sqrt(ff);
    out->norm_product = sqrt(pp);
    out->cosine = ff > 0 && pp > 0 ? fp / sqrt(ff * pp) : NAN;
    scratch->used = mark;
}
