#include "model/analysis/rank_curve.h"

#include <math.h>

#include "math/gemm.h"
#include "math/softmax.h"

double rank_curve_loss(const double *sigma, int count, int rank) {
    double lost = 0, all = 0;
    for (int r = count - 1; r >= 0; r--) {
        all += sigma[r] * sigma[r];
        lost += r >= rank ? sigma[r] * sigma[r] : 0;
    }
    return all > 0 ? sqrt(lost / all) : 0;
}

double rank_curve_divergence(const float *a, const float *b, int count) {
    double sum = 0;
    for (int j = 0; j < count; j++)
        if (a[j] > 0)
            sum += b[j] > 0 ? (double)a[j] * log((double)a[j] / (double)b[j]) : INFINITY;
    return fmax(sum, 0);
}

float rank_curve_mean_divergence(const Mat *a, const Mat *b) {
    double sum = 0;
    if (a->rows == 0 || b->rows == 0)
        return NAN;
    for (int i = 0; i < a->rows; i++)
        sum += rank_curve_divergence(mat_row(a, i), mat_row(b, i), a->cols);
    return (float)(sum / a->rows);
}

/* Add the terms of the singular values with the indices `from` to `to` − 1: those of the product
 * or, with RoPE, of the products of all distances. */
static void add_terms(HeadResult *cut, const HeadProduct *p, const HeadInputs *inputs,
                      const Mat *terms, int from, int to) {
    float factor = inputs->kind == PRODUCT_QK ? inputs->score_factor : 1;
    if (terms->rows > 0) {
        rope_offset_products_add(&cut->S, terms, from, to, factor);
        return;
    }
    Mat left = mat_cols(&p->row_parts, from, to - from);
    Mat right = mat_cols(&p->col_parts, from, to - from);
    gemm(&cut->S, &left, &right, &(GemmPlan){.factor = factor, .transpose_b = true, .add = true});
}

void rank_curve(RankCurve *out, const HeadProduct *p, const HeadInputs *inputs,
                const HeadResult *full, const Mat *terms, Arena *scratch) {
    size_t mark = scratch->used;
    HeadResult cut = {{0}, {0}};
    bool scores = inputs->kind == PRODUCT_QK, turns = inputs->rotations != NULL && scores;
    int points = p->count + 1 < RANK_CURVE_MAX ? p->count + 1 : RANK_CURVE_MAX;
    if (!turns || terms->rows > 0) {
        cut = head_result_push(scratch, inputs);
        mat_diagonal(&cut.S, 0);
    }
    float most = head_result_largest(full, inputs->mask);
    out->count = points;
    out->S_most = most > 0 ? most : 1;
    for (int i = 0, last = 0; i < points; i++) {
        int rank = points > 1 ? (int)((long long)i * p->count / (points - 1)) : 0;
        out->rank[i] = (float)rank;
        out->W[i] = (float)rank_curve_loss(p->sigma, p->count, rank);
        out->S[i] = out->A[i] = out->KL[i] = NAN;
        if (cut.S.rows == 0)
            continue;
        if (rank > last)
            add_terms(&cut, p, inputs, turns ? terms : &(Mat){0}, last, rank);
        last = rank;
        out->S[i] = head_result_difference(full, &cut, inputs->mask, true) / out->S_most;
        if (!scores)
            continue;
        softmax_rows(&cut.A, &cut.S, inputs->mask->open);
        out->A[i] = head_result_difference(full, &cut, inputs->mask, false);
        out->KL[i] = rank_curve_mean_divergence(&full->A, &cut.A);
    }
    scratch->used = mark;
}
