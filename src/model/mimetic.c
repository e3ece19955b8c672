#include "model/mimetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/svd.h"

/* The paper's own for vision transformers, of W_Q W_Kᵀ and of W_V W_O. */
#define QUERY_KEY    0.7
#define VALUE_OUTPUT 0.4

/* Both matrices of a pair draw from the first one's stream. */
static Rng pair_stream(const SchemeSite *site) {
    bool scores = site->param == ATTN_W_Q || site->param == ATTN_W_K;
    return rng_stream(site->seed, (uint64_t)(scores ? ATTN_W_Q : ATTN_W_V));
}

/* m = spread·Z + diagonal·I, row by row, from the draws number `first` on. */
static void draw_product(double *m, int D, Rng rng, uint64_t first, double spread,
                         double diagonal) {
    size_t side = (size_t)D;
    rng_normals(m, rng, first, side * side);
    for (size_t at = 0; at < side * side; at++)
        m[at] = spread / sqrt(D) * m[at];
    for (size_t i = 0; i < side; i++)
        m[i * side + i] += diagonal;
}

/* Either may be NULL. */
static bool fill_query_key(Mat *w_q, Mat *w_k, const SchemeSite *site, double *m, Err *err) {
    int D = site->shape->D;
    for (int h = 0; h < site->shape->H; h++) {
        Mat query = {0}, key = {0};
        if (w_q != NULL)
            query = attn_head_query(w_q, site->shape, h);
        if (w_k != NULL)
            key = attn_head_query(w_k, site->shape, h);
        draw_product(m, D, pair_stream(site), (uint64_t)h * (uint64_t)D * (uint64_t)D, QUERY_KEY,
                     QUERY_KEY);
        if (!svd_split(w_q != NULL ? &query : NULL, w_k != NULL ? &key : NULL, m, D, err) ||
            !scheme_goes_on(site->watch, err))
            return false;
    }
    return true;
}

static void transpose(Mat *out, const Mat *m) {
    for (int i = 0; i < out->rows; i++)
        for (int j = 0; j < out->cols; j++)
            mat_row(out, i)[j] = mat_row(m, j)[i];
}

/* W_V is U·√Σ, and W_O the transpose of V·√Σ. Either may be NULL. */
static bool fill_value_output(Mat *w_v, Mat *w_o, const SchemeSite *site, double *m, Err *err) {
    int D = site->shape->D;
    draw_product(m, D, pair_stream(site), 0, VALUE_OUTPUT, -VALUE_OUTPUT);
    if (w_o == NULL)
        return svd_split(w_v, NULL, m, D, err);
    Arena arena = {0};
    if (!arena_reserve(&arena, mat_bytes(D, w_o->rows), err))
        return false;
    Mat right = mat_push(&arena, D, w_o->rows);
    bool split = svd_split(w_v, &right, m, D, err);
    if (split)
        transpose(w_o, &right);
    arena_release(&arena);
    return split;
}

bool mimetic_fill_pair(Mat *first, Mat *second, const SchemeSite *site, Err *err) {
    size_t D = (size_t)site->shape->D;
    if (D > MIMETIC_D_MAX) {
        char what[64];
        snprintf(what, sizeof what, "--d-model %d", site->shape->D);
        return err_usage(err, what, "mimetic takes a d_model from 1 to %d; choose another scheme",
                         MIMETIC_D_MAX);
    }
    double *m = malloc(D * D * sizeof *m);
    if (m == NULL)
        return err_fail(err, "memory", "too little for mimetic weights; use a smaller d_model");
    bool scores = site->param == ATTN_W_Q || site->param == ATTN_W_K;
    bool filled = (scores ? fill_query_key : fill_value_output)(first, second, site, m, err);
    free(m);
    return filled;
}

bool mimetic_fill(Mat *w, const SchemeSite *site, double deviation, Err *err) {
    (void)deviation;
    bool first = site->param == ATTN_W_Q || site->param == ATTN_W_V;
    return mimetic_fill_pair(first ? w : NULL, first ? NULL : w, site, err);
}
