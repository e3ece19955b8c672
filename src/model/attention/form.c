#include "model/attention/form.h"

#include <math.h>
#include <stdint.h>

#include "base/util.h"
#include "math/decompose.h"
#include "math/gemm.h"
#include "model/attention/position.h"

/* Fill back->Q and back->K, before rotation, from back->S. In the functions *_back, a comment with
 * a call is a line of the forward pass. The code below it differentiates that line. */
static void score_factors_back(AttnBack *back, const AttnShape *shape, const AttnTrace *trace) {
    for (int h = 0; h < shape->H; h++) {
        Mat dS = attn_head_scores(&back->S, shape, h);
        Mat Q = attn_head_query(&trace->Q, shape, h), dQ = attn_head_query(&back->Q, shape, h);
        Mat K = attn_head_query(&trace->K, shape, h), dK = attn_head_query(&back->K, shape, h);
        /* mat_mul_bt(&S, &query, &key, shape->score_factor) */
        mat_mul(&dQ, &dS, &K, shape->score_factor);
        mat_mul_at(&dK, &dS, &Q, shape->score_factor);
    }
    /* rope_rotate(&trace->Q, &trace->rotations), and the same for K */
    if (shape->rope) {
        rope_rotate_back(&back->Q, &trace->rotations);
        rope_rotate_back(&back->K, &trace->rotations);
    }
}

/* Replace d, the gradient of QK-norm's result, by that of its input, the columns of unnormed from
 * `first` on. */
static void norm_heads_back(Mat *d, const AttnShape *shape, const Mat *unnormed, int first,
                            const Mat *gain) {
    const NormKind kind = {true, shape->traits.qk_epsilon};
    for (int h = 0; h < shape->H; h++) {
        Mat head = attn_head_query(d, shape, h);
        Mat x = mat_cols(unnormed, first + h * shape->K, shape->K);
        for (int t = 0; t < shape->T; t++)
            for (int k = 0; k < shape->K; k++)
                mat_row(&head, t)[k] *= gain->at[k];
        norm_rows_back(&head, &head, &x, kind);
    }
}

static void project_factors_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                                 const AttnParams *params, const AttnTrace *trace) {
    score_factors_back(back, shape, trace);
    /* norm_heads(&trace->Q, shape, &params->gain[0]), and the same for K */
    if (shape->traits.qk_epsilon > 0) {
        norm_heads_back(&back->Q, shape, &trace->unnormed, 0, &params->gain[0]);
        norm_heads_back(&back->K, shape, &trace->unnormed, shape->H * shape->K, &params->gain[1]);
    }
    /* mat_mul(&trace->fused, &trace->input, &params->fused, 1) */
    const Mat weights = mat_rows(&params->fused, 0, shape->D);
    mat_mul_bt(&back->X, &back->fused, &weights, 1);
    mat_mul_at(&grads->fused, &trace->input, &back->fused, 1);
}

static void head_product_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                              const AttnTrace *trace, int h) {
    int D = shape->D, E = attn_input_width(shape);
    Mat dS = attn_head_scores(&back->S, shape, h);
    Mat XW = mat_cols(&trace->XW, h * E, D), dXW = mat_cols(&back->XW, h * E, E);
    Mat product = attn_head_product(&trace->W_QK, shape, h), rows = mat_rows(&product, 0, D);
    Mat dproduct = attn_head_product(&grads->p[ATTN_W_QK], shape, h);
    /* mat_mul_bt(&S, &query, &key, shape->score_factor) */
    mat_mul(&dXW, &dS, &trace->input, shape->score_factor);
    gemm(&back->X, &dS, &XW,
         &(GemmPlan){.factor = shape->score_factor, .transpose_a = true, .add = true});
    /* mat_mul(&XW, &trace->input, &W_QK, 1) */
    gemm(&back->X, &dXW, &rows, &(GemmPlan){.factor = 1, .transpose_b = true, .add = true});
    mat_mul_at(&dproduct, &trace->input, &dXW, 1);
}

/* In forms with products grads->fused has only W_V and b_V. */
static void project_products_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                                  const AttnParams *params, const AttnTrace *trace) {
    /* mat_mul(&trace->V, &trace->input, &W_V, 1) */
    mat_mul_bt(&back->X, &back->V, &params->p[ATTN_W_V], 1);
    mat_mul_at(&grads->fused, &trace->input, &back->V, 1);
    for (int h = 0; h < shape->H; h++)
        head_product_back(grads, back, shape, trace, h);
}

static void project_merged_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                                const AttnParams *params, const AttnTrace *trace) {
    (shape->rope ? project_factors_back : project_products_back)(grads, back, shape, params, trace);
}

static const struct {
    AttnParam full, head, product, bias;
} NESTED[] = {{ATTN_W_Q_FULL, ATTN_W_Q_HEAD, ATTN_W_Q, ATTN_B_Q},
              {ATTN_W_K_FULL, ATTN_W_K_HEAD, ATTN_W_K, ATTN_B_K},
              {ATTN_W_V_FULL, ATTN_W_V_HEAD, ATTN_W_V, ATTN_B_V}};

static void project_nested_back(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                                const AttnParams *params, const AttnTrace *trace) {
    const Mat x = mat_cols(&trace->input, 0, shape->D);
    const Mat *const dout[] = {&back->Q, &back->K, &back->V};
    score_factors_back(back, shape, trace);
    /* Gradients of the products W_Q, W_K and W_V, and of the biases: mat_add_rows(out[i], bias) */
    mat_mul_at(&grads->fused, &trace->input, &back->fused, 1);
    for (size_t i = 0; i < ARRAY_COUNT(NESTED); i++) {
        const Mat *full = &params->p[NESTED[i].full], *head = &params->p[NESTED[i].head];
        /* mat_mul(out[i], &trace->nested[i], &params->p[NESTED[i].head], 1) */
        mat_mul_bt(&back->nested[i], dout[i], head, 1);
        mat_mul_at(&grads->p[NESTED[i].head], &trace->nested[i], dout[i], 1);
        /* mat_mul(&trace->nested[i], &x, &params->p[NESTED[i].full], 1) */
        gemm(&back->X, &back->nested[i], full,
             &(GemmPlan){.factor = 1, .transpose_b = true, .add = i > 0});
        mat_mul_at(&grads->p[NESTED[i].full], &x, &back->nested[i], 1);
    }
}

static bool fold_nested(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err) {
    (void)trace, (void)shape, (void)err;
    for (size_t i = 0; i < ARRAY_COUNT(NESTED); i++)
        mat_mul(&params->p[NESTED[i].product], &params->p[NESTED[i].full],
                &params->p[NESTED[i].head], 1);
    return true;
}

static void multiply_factors(Mat *products, const AttnShape *shape, const AttnParams *params) {
    for (int h = 0; h < shape->H; h++) {
        Mat product = attn_head_product(products, shape, h);
        Mat query = attn_head_factor(params, shape, ATTN_W_Q, h);
        Mat key = attn_head_factor(params, shape, ATTN_W_K, h);
        mat_mul_bt(&product, &query, &key, 1);
    }
}

static bool fold_merged(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err) {
    (void)err;
    if (!shape->rope)
        multiply_factors(&trace->W_QK, shape, params);
    return true;
}

static bool fold_rank(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err) {
    multiply_factors(&trace->W_QK_exact, shape, params);
    mat_copy(&trace->W_QK, &trace->W_QK_exact);
    for (int h = 0; h < shape->H; h++) {
        Mat product = attn_head_product(&trace->W_QK, shape, h),
            sigma = mat_rows(&trace->sigma, h, 1);
        Mat query = attn_head_factor(params, shape, ATTN_W_Q, h);
        Mat key = attn_head_factor(params, shape, ATTN_W_K, h);
        if (!decompose_truncate(&product, &sigma, &query, &key, shape->rank, err))
            return false;
    }
    return true;
}

static bool fold_free(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err) {
    (void)shape, (void)err;
    trace->W_QK = params->p[ATTN_W_QK];
    return true;
}

uint64_t attn_offset_bytes(const AttnShape *shape) {
    uint64_t E = (uint64_t)attn_input_width(shape), count = (uint64_t)(2 * shape->T - 1);
    return arena_padded(count * (uint64_t)shape->H * E * E * sizeof(float)) +
           mat_bytes(1, shape->K) + mat_bytes((int)E, shape->K);
}

Mat attn_offset_push(Arena *arena, const AttnShape *shape, const AttnParams *params) {
    int E = attn_input_width(shape), count = 2 * shape->T - 1;
    Mat family = mat_push(arena, count * shape->H * E, E);
    Mat rotations = mat_push(arena, 1, shape->K), rotated = mat_push(arena, E, shape->K);
    for (int o = 0; o < count; o++) {
        rope_angles(rotations.at, shape->K, o - (shape->T - 1), shape->traits.rope);
        for (int h = 0; h < shape->H; h++) {
            Mat query = attn_head_factor(params, shape, ATTN_W_Q, h);
            Mat key = attn_head_factor(params, shape, ATTN_W_K, h);
            Mat product = mat_rows(&family, (o * shape->H + h) * E, E);
            mat_copy(&rotated, &query);
            rope_rotate(&rotated, &rotations);
            mat_mul_bt(&product, &rotated, &key, 1);
        }
    }
    return family;
}

uint64_t attn_offset_gradient_bytes(const AttnShape *shape) {
    return attn_offset_bytes(shape) + mat_bytes(shape->T, attn_input_width(shape));
}

/* Fill scratch with a row score_factor·dS_ij·x_i for each pair (i, j) with i − j = first. */
static void weigh_queries(Mat *scratch, const AttnShape *shape, const AttnTrace *trace,
                          const Mat *dS, int first) {
    for (int r = 0; r < scratch->rows; r++) {
        int query = first > 0 ? r + first : r, key = query - first;
        float weight = shape->score_factor * mat_row(dS, query)[key];
        const float *x = mat_row(&trace->input, query);
        for (int e = 0; e < scratch->cols; e++)
            mat_row(scratch, r)[e] = weight * x[e];
    }
}

Mat attn_offset_gradient_push(Arena *arena, const AttnShape *shape, const AttnTrace *trace,
                              const AttnBack *back) {
    int E = attn_input_width(shape), T = shape->T, H = shape->H, count = 2 * T - 1;
    Mat family = mat_push(arena, count * H * E, E), weighed = mat_push(arena, T, E);
    for (int o = 0; o < count; o++) {
        int offset = o - (T - 1), pairs = T - (offset < 0 ? -offset : offset);
        Mat queries = mat_rows(&weighed, 0, pairs);
        Mat keys = mat_rows(&trace->input, offset < 0 ? -offset : 0, pairs);
        for (int h = 0; h < H; h++) {
            Mat dS = attn_head_scores(&back->S, shape, h);
            Mat gradient = mat_rows(&family, (o * H + h) * E, E);
            weigh_queries(&queries, shape, trace, &dS, offset);
            mat_mul_at(&gradient, &queries, &keys, 1);
        }
    }
    return family;
}

static int multiply_terms(float *terms, const float *a, const float *b, int count) {
    for (int m = 0; m < count; m++)
        terms[m] = a[m] * b[m];
    return count;
}

/* Write the terms (x_i W_QK)_d·x_jd with the W_QK of distance i − j. x_i·W_QK is W_K times the
 * rotated query, rotated back by the angle of the key. */
static int offset_terms(float *terms, const AttnTrace *trace, const AttnShape *shape,
                        const AttnParams *params, int head, int query, int key) {
    Mat W_K = attn_head_factor(params, shape, ATTN_W_K, head);
    const float *q = mat_row(&trace->Q, query) + head * shape->K,
                *rotations = mat_row(&trace->rotations, key);
    const float *x = mat_row(&trace->input, key);
    for (int d = 0; d < W_K.rows; d++) {
        const float *w = mat_row(&W_K, d);
        double sum = 0;
        for (int i = 0; i < shape->K; i += 2) {
            double c = (double)rotations[i], s = (double)rotations[i + 1];
            double a = (double)q[i] * c + (double)q[i + 1] * s;
            double b = (double)q[i + 1] * c - (double)q[i] * s;
            sum += a * (double)w[i] + b * (double)w[i + 1];
        }
        terms[d] = (float)sum * x[d];
    }
    return W_K.rows;
}

int attn_score_terms(float *terms, int most, const AttnTrace *trace, const AttnShape *shape,
                     const AttnParams *params, int head, int query, int key) {
    int E = attn_input_width(shape), K = shape->K;
    bool merged = shape->form == FORM_MERGED, products = !attn_has_factors(shape);
    if ((merged || products ? E : K) > most)
        return 0;
    if (products)
        return multiply_terms(terms, mat_row(&trace->XW, query) + head * E,
                              mat_row(&trace->input, key), E);
    if (merged)
        return offset_terms(terms, trace, shape, params, head, query, key);
    return multiply_terms(terms, mat_row(&trace->Q, query) + head * K,
                          mat_row(&trace->K, key) + head * K, K);
}

/* The cost of all heads, with n = E, m = K, p = T as in form.h. */
static Cost cost_of_factors(const AttnShape *shape) {
    long long H = shape->H, n = attn_input_width(shape), m = shape->K, p = shape->T;
    return (Cost){2 * H * n * m, 2 * H * p * n * m + H * p * p * m};
}

static Cost cost_of_products(const AttnShape *shape) {
    long long H = shape->H, n = attn_input_width(shape), p = shape->T;
    if (attn_has_factors(shape))
        return cost_of_factors(shape);
    return (Cost){H * n * n, H * p * n * n + H * p * p * n};
}

/* The cost of separate, and of the D × D matrices of queries and keys that all heads share. */
static Cost cost_of_nested(const AttnShape *shape) {
    long long D = shape->D, p = shape->T;
    Cost cost = cost_of_factors(shape);
    return (Cost){cost.parameters + 2 * D * D, cost.multiply_adds + 2 * p * D * D};
}

const FormRow FORMS[FORM_COUNT] = {
    [FORM_SEPARATE] = {{"separate", "Separate", "S = (X·W_Q)(X·W_K)ᵀ / √d_k",
                        "Queries and keys are computed separately, with d_k numbers for each "
                        "token, and compared by their dot product."},
                       project_factors_back,
                       NULL,
                       cost_of_factors},
    [FORM_MERGED] = {{"merged", "Merged", "S = X·W_QK·Xᵀ / √d_k,  W_QK = W_Q·W_Kᵀ",
                      "One matrix of d_model × d_model in place of two: the same scores, because "
                      "they depend on W_Q and W_K only through W_Q·W_Kᵀ."},
                     project_merged_back,
                     fold_merged,
                     cost_of_products},
    [FORM_RANK] = {{"rank", "Rank R", "S = X·W_R·Xᵀ / √d_k,  W_R = Σ_{r≤R} σ_r·u_r·v_rᵀ",
                    "W_Q·W_Kᵀ cut to rank R: only its R largest singular values are kept. From R = "
                    "d_k up nothing is lost."},
                   project_products_back,
                   fold_rank,
                   cost_of_products},
    [FORM_FREE] = {{"free", "Free", "S = X·W_QK·Xᵀ / √d_k,  W_QK one matrix",
                    "One matrix of full rank for each head, with d_model² weights. If d_k < "
                    "d_model, no product W_Q·W_Kᵀ equals it."},
                   project_products_back,
                   fold_free,
                   cost_of_products},
    [FORM_NESTED] =
        {{"nested", "Nested", "Q = (X·W^Q)·W_i^Q,  W_Q = W^Q·W_i^Q",
          "One W^Q for all heads before each head's own W_i^Q, as the paper's formula seems to say "
          "at first sight. The two can be multiplied into one matrix for each head."},
         project_nested_back,
         fold_nested,
         cost_of_nested},
};

const Registry ATTN_FORMS = REGISTRY("forms", "form", FORMS);

double form_rounding(const Mat *scores) {
    return 1e-5 * fmax(1, (double)mat_largest(scores));
}

Cost cost_of_scores(const AttnShape *shape) {
    return FORMS[shape->form].score_cost(shape);
}

Cost cost_of(const AttnShape *shape) {
    Cost scores = cost_of_scores(shape);
    long long T = shape->T, D = shape->D, HV = (long long)shape->H * shape->V;
    long long E = attn_input_width(shape), shared = shape->form == FORM_NESTED ? D * D : 0;
    long long biases = shape->bias == BIAS_NONE ? 0 : D;
    long long values = T * E * HV + T * shared, read = T * T * HV, output = T * HV * D;
    int key_heads = shape->traits.key_heads;
    bool has_keys = shape->form == FORM_SEPARATE || (shape->form == FORM_MERGED && shape->rope);
    /* heads without key and value weights of their own */
    long long copies = key_heads > 0 ? shape->H - key_heads : 0;
    scores.parameters -= copies * E * (shape->V + (has_keys ? shape->K : 0));
    return (Cost){scores.parameters + E * HV + shared + HV * D + biases,
                  scores.multiply_adds + values + read + output};
}
