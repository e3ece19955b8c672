#include "model/init/mimetic.h"

#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "math/decompose.h"

/* The paper's constants for vision transformers. */
#define QUERY_KEY    0.7
#define VALUE_OUTPUT 0.4

/* A pair uses the random stream of its first matrix. */
static Rng pair_stream(const SchemeInputs *inputs) {
    bool scores = inputs->param == ATTN_W_Q || inputs->param == ATTN_W_K;
    return rng_stream(inputs->seed, (uint64_t)(scores ? ATTN_W_Q : ATTN_W_V));
}

/* m (D, D) and its decomposition. */
typedef struct Pair {
    Mat m, u, v;
    double *draws, *sigma;
} Pair;

/* Sample m = spread·N + diagonal·I, where N has independent entries of variance 1/D from random
 * number `first` on, and decompose it. */
static bool draw_product(Pair *pair, Rng rng, uint64_t first, double spread, double diagonal,
                         Err *err) {
    int D = pair->m.rows;
    for (int i = 0; i < D; i++) {
        rng_normals(pair->draws, rng, first + (uint64_t)i * (uint64_t)D, (size_t)D);
        for (int j = 0; j < D; j++)
            mat_row(&pair->m, i)[j] =
                (float)(spread / sqrt(D) * pair->draws[j] + (i == j ? diagonal : 0));
    }
    return decompose_matrix(&pair->u, pair->sigma, &pair->v, &pair->m, err);
}

/* Fill out (D, r) with vectors·√Σ for the r largest singular values; if r > D, the last columns are
 * 0. */
static void scale(Mat *out, const Mat *vectors, const double *sigma) {
    for (int i = 0; i < out->rows; i++)
        for (int j = 0; j < out->cols; j++)
            mat_row(out, i)[j] =
                j < vectors->cols ? (float)((double)mat_row(vectors, i)[j] * sqrt(sigma[j])) : 0;
}

static bool fill_query_key(Mat *w_q, Mat *w_k, const SchemeInputs *inputs, Pair *pair, Err *err) {
    uint64_t entries = (uint64_t)inputs->shape->D * (uint64_t)inputs->shape->D;
    for (int h = 0; h < inputs->shape->H; h++) {
        if (!draw_product(pair, pair_stream(inputs), (uint64_t)h * entries, QUERY_KEY, QUERY_KEY,
                          err))
            return false;
        Mat query = w_q != NULL ? attn_head_query(w_q, inputs->shape, h) : (Mat){0};
        Mat key = w_k != NULL ? attn_head_query(w_k, inputs->shape, h) : (Mat){0};
        scale(&query, &pair->u, pair->sigma);
        scale(&key, &pair->v, pair->sigma);
    }
    return true;
}

/* Fill W_V = U·√Σ and W_O = (V·√Σ)ᵀ; either may be NULL. */
static bool fill_value_output(Mat *w_v, Mat *w_o, const SchemeInputs *inputs, Pair *pair,
                              Err *err) {
    if (!draw_product(pair, pair_stream(inputs), 0, VALUE_OUTPUT, -VALUE_OUTPUT, err))
        return false;
    if (w_v != NULL)
        scale(w_v, &pair->u, pair->sigma);
    for (int r = 0; w_o != NULL && r < w_o->rows; r++)
        for (int i = 0; i < w_o->cols; i++)
            mat_row(w_o, r)[i] =
                r < pair->v.cols ? (float)((double)mat_row(&pair->v, i)[r] * sqrt(pair->sigma[r]))
                                 : 0;
    return true;
}

bool mimetic_fill_pair(Mat *first, Mat *second, const SchemeInputs *inputs, Err *err) {
    int D = inputs->shape->D;
    if (D > MIMETIC_D_MAX) {
        char what[64];
        snprintf(what, sizeof what, "--d-model %d", D);
        return err_usage(err, what, "mimetic takes a d_model from 1 to %d; choose another scheme",
                         MIMETIC_D_MAX);
    }
    Arena arena = {0};
    size_t row = (size_t)D * sizeof(double);
    if (!arena_reserve(&arena, 3 * mat_bytes(D, D) + 2 * arena_padded(row), err))
        return false;
    Pair pair = {.m = mat_push(&arena, D, D), .u = mat_push(&arena, D, D)};
    pair.v = mat_push(&arena, D, D);
    pair.draws = arena_push(&arena, row);
    pair.sigma = arena_push(&arena, row);
    bool scores = inputs->param == ATTN_W_Q || inputs->param == ATTN_W_K;
    bool filled = (scores ? fill_query_key : fill_value_output)(first, second, inputs, &pair, err);
    arena_release(&arena);
    return filled;
}

bool mimetic_fill(Mat *w, const SchemeInputs *inputs, double std, Err *err) {
    (void)std;
    bool first = inputs->param == ATTN_W_Q || inputs->param == ATTN_W_V;
    return mimetic_fill_pair(first ? w : NULL, first ? NULL : w, inputs, err);
}
