#include "model/spectrum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "math/decompose.h"

bool spectrum_query_key(double *sigma, const Mat *w_q, const Mat *w_k, Err *err) {
    return decompose_product(NULL, sigma, NULL, w_q, w_k, err);
}

bool spectrum_value_output(double *sigma, const Mat *w_v, const Mat *w_o, Err *err) {
    assert(w_v->rows == w_o->cols && w_v->cols == w_o->rows);
    Arena arena = {0};
    if (!arena_reserve(&arena, mat_bytes(w_o->cols, w_o->rows), err))
        return false;
    Mat turned = mat_push(&arena, w_o->cols, w_o->rows);
    mat_turn(&turned, w_o);
    bool found = decompose_product(NULL, sigma, NULL, w_v, &turned, err);
    arena_release(&arena);
    return found;
}

double spectrum_effective_rank(const double *sigma, int count) {
    double sum = 0, entropy = 0;
    for (int i = 0; i < count; i++)
        sum += sigma[i];
    if (sum == 0)
        return 0;
    for (int i = 0; i < count; i++) {
        double share = sigma[i] / sum;
        entropy -= share > 0 ? share * log(share) : 0;
    }
    return exp(entropy);
}

double spectrum_matrix_effective_rank(const Mat *m) {
    int count = m->rows < m->cols ? m->rows : m->cols;
    Err err;
    double rank = NAN, *sigma = malloc((size_t)count * sizeof *sigma);
    if (sigma != NULL && decompose_matrix(NULL, sigma, NULL, m, &err))
        rank = spectrum_effective_rank(sigma, count);
    free(sigma);
    return rank;
}
