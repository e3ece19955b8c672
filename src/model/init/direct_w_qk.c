#include "model/init/direct_w_qk.h"

#include <math.h>
#include <string.h>

#include "math/decompose.h"

/* Measure the root mean square of the entries of W_Q·W_Kᵀ in the first head; the other heads have
 * the same distribution. */
static bool measure(double *std, const AttnShape *shape, const SchemePlan *plan, Err *err) {
    Arena arena = {0};
    int D = shape->D, HK = shape->H * shape->K;
    if (!arena_reserve(&arena, 2 * mat_bytes(D, HK) + mat_bytes(D, D), err))
        return false;
    Mat W_Q = mat_push(&arena, D, HK), W_K = mat_push(&arena, D, HK);
    Mat product = mat_push(&arena, D, D);
    bool drawn = scheme_draw_one(&W_Q, shape, plan, ATTN_W_Q, err) &&
                 scheme_draw_one(&W_K, shape, plan, ATTN_W_K, err);
    if (drawn) {
        Mat query = attn_head_query(&W_Q, shape, 0), key = attn_head_query(&W_K, shape, 0);
        mat_mul_bt(&product, &query, &key, 1);
        double sum = 0;
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                sum += (double)mat_row(&product, i)[j] * (double)mat_row(&product, i)[j];
        *std = sqrt(sum / ((double)D * D));
    }
    arena_release(&arena);
    return drawn;
}

/* Find the root mean square of an entry of W_Q·W_Kᵀ: √d_k times the standard deviations of W_Q and
 * W_K if these are independent, otherwise measured on one draw. */
static bool find_std(double *std, const AttnShape *shape, const SchemePlan *plan, Err *err) {
    bool centred = SCHEMES[plan->scheme[ATTN_W_Q]].law == SCHEME_CENTRED &&
                   SCHEMES[plan->scheme[ATTN_W_K]].law == SCHEME_CENTRED;
    if (!centred)
        return measure(std, shape, plan, err);
    *std = sqrt(shape->K) * scheme_std(plan, ATTN_W_Q, shape) * scheme_std(plan, ATTN_W_K, shape);
    return true;
}

static void draw_head(Mat *w, int head, int D, double std, uint64_t seed) {
    Mat rows = mat_rows(w, 0, D), entries = mat_cols(&rows, 0, D);
    uint64_t first = (uint64_t)head * (uint64_t)D * (uint64_t)D;
    mat_diagonal(w, 0);
    mat_normals(&entries, rng_stream(seed, ATTN_W_QK), first, std);
}

bool direct_w_qk_sample(Mat *w, const AttnShape *shape, const SchemePlan *plan, Err *err) {
    double std;
    int E = attn_input_width(shape);
    if (!find_std(&std, shape, plan, err))
        return false;
    for (int h = 0; h < w->rows / E; h++) {
        Mat head = mat_rows(w, h * E, E);
        draw_head(&head, h, shape->D, std, plan->seed);
    }
    return true;
}

bool direct_w_qk_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                          Err *err) {
    /* Decompose the matrix without the row and column for biases, because these only add a singular
     * value of 0. */
    int D = shape->D, E = attn_input_width(shape);
    Arena arena = {0};
    double std;
    if (!find_std(&std, shape, plan, err) || !arena_reserve(&arena, mat_bytes(D, D), err))
        return false;
    Mat w = mat_push(&arena, D, D);
    memset(sigma, 0, (size_t)E * sizeof *sigma);
    draw_head(&w, head, D, std, plan->seed);
    bool found = decompose_matrix(NULL, sigma, NULL, &w, err);
    arena_release(&arena);
    return found;
}
