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
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            uint64_t at = (uint64_t)i * (uint64_t)D + (uint64_t)j;
            m[at] = spread / sqrt(D) * rng_normal(rng, first + at) + (i == j ? diagonal : 0);
        }
}

static bool fill_query_key(Mat *w, const SchemeSite *site, double *m, Err *err) {
    int D = site->shape->D;
    for (int h = 0; h < site->shape->H; h++) {
        Mat head = attn_head_query(w, site->shape, h);
        draw_product(m, D, pair_stream(site), (uint64_t)h * (uint64_t)D * (uint64_t)D, QUERY_KEY,
                     QUERY_KEY);
        bool query = site->param == ATTN_W_Q;
        if (!svd_split(query ? &head : NULL, query ? NULL : &head, m, D, err))
            return false;
    }
    return true;
}

/* W_V is U·√Σ, and W_O the transpose of V·√Σ. */
static bool fill_value_output(Mat *w, const SchemeSite *site, double *m, Err *err) {
    int D = site->shape->D;
    draw_product(m, D, pair_stream(site), 0, VALUE_OUTPUT, -VALUE_OUTPUT);
    if (site->param == ATTN_W_V)
        return svd_split(w, NULL, m, D, err);
    size_t bytes = mat_bytes(D, w->rows);
    Arena arena = {0};
    if (!arena_reserve(&arena, bytes, err))
        return false;
    Mat right = mat_push(&arena, D, w->rows);
    bool split = svd_split(NULL, &right, m, D, err);
    for (int i = 0; split && i < w->rows; i++)
        for (int j = 0; j < D; j++)
            mat_row(w, i)[j] = mat_row(&right, j)[i];
    arena_release(&arena);
    return split;
}

bool mimetic_fill(Mat *w, const SchemeSite *site, double deviation, Err *err) {
    (void)deviation;
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
    bool filled = (scores ? fill_query_key : fill_value_output)(w, site, m, err);
    free(m);
    return filled;
}
