#include "model/analysis/rank_curve.h"

#include <math.h>
#include <string.h>

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

uint64_t rank_curve_bytes(int T, int E) {
    uint64_t wide = mat_bytes(T, E > T ? E : T);
    uint64_t part = wide + mat_bytes(T, T);
    return part + part;
}

/* The matrix to which rank-one terms are added from one rank to the next: those of the product or,
 * with RoPE, of the products of all distances. */
typedef struct Parts {
    const HeadProduct *product;
    const Mat *terms;
    Mat sum, more; /* both have S's shape */
    Mat weights;
    float factor;
} Parts;

static void make_sums(Parts *parts, const HeadInputs *inputs, Arena *scratch) {
    int T = inputs->input->rows, E = inputs->input->cols;
    bool scores = inputs->kind == PRODUCT_QK;
    parts->sum = mat_push(scratch, T, scores ? T : E);
    parts->more = mat_push(scratch, T, scores ? T : E);
    parts->weights = mat_push(scratch, T, T);
    parts->factor = scores ? inputs->score_factor : 1;
    memset(parts->sum.at, 0, (size_t)T * (size_t)parts->sum.cols * sizeof(float));
}

static void add_parts(Parts *parts, int from, int to) {
    if (to == from)
        return;
    if (parts->terms != NULL) {
        rope_offset_products_add(&parts->sum, parts->terms, from, to, parts->factor);
        return;
    }
    Mat left = mat_cols(&parts->product->row_parts, from, to - from);
    Mat right = mat_cols(&parts->product->col_parts, from, to - from);
    mat_mul_bt(&parts->more, &left, &right, parts->factor);
    mat_add_rows(&parts->sum, &parts->more);
}

static void measure(RankCurve *out, int at, Parts *parts, const HeadInputs *inputs,
                    const HeadResult *full) {
    bool scores = inputs->kind == PRODUCT_QK;
    HeadResult cut = {parts->sum, scores ? parts->weights : (Mat){0}};
    out->S[at] = head_result_difference(full, &cut, inputs->mask, true) / out->S_most;
    if (!scores)
        return;
    softmax_rows(&cut.A, &cut.S, inputs->mask->open);
    out->A[at] = head_result_difference(full, &cut, inputs->mask, false);
    out->KL[at] = rank_curve_mean_divergence(&full->A, &cut.A);
}

void rank_curve(RankCurve *out, const HeadProduct *p, const HeadInputs *inputs,
                const HeadResult *full, const Mat *terms, Arena *scratch) {
    size_t mark = scratch->used;
    Parts parts = {0};
    bool turns = inputs->rotations != NULL && inputs->kind == PRODUCT_QK;
    bool measures = !turns || terms->rows > 0;
    int points = p->count + 1 < RANK_CURVE_MAX ? p->count + 1 : RANK_CURVE_MAX;
    out->count = points;
    for (int i = 0; i < points; i++)
        out->rank[i] = points > 1 ? (float)((long long)i * p->count / (points - 1)) : 0;
    if (measures)
        make_sums(&parts, inputs, scratch);
    if (turns)
        parts.terms = terms;
    else
        parts.product = p;
    float most = head_result_largest(full, inputs->mask);
    out->S_most = most > 0 ? most : 1;
    for (int i = 0; i < out->count; i++) {
        out->W[i] = (float)rank_curve_loss(p->sigma, p->count, (int)out->rank[i]);
        out->S[i] = out->A[i] = out->KL[i] = NAN;
        if (!measures)
            continue;
        add_parts(&parts, i > 0 ? (int)out->rank[i - 1] : 0, (int)out->rank[i]);
        measure(out, i, &parts, inputs, full);
    }
    scratch->used = mark;
}
