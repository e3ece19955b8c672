#include "model/stats.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The spread of the entries that a mask leaves open, or of all where mask is NULL. */
typedef struct Spread {
    double mean, squares; /* squares: Σ (value − mean)² */
    long long count;
} Spread;

static void spread_pass(Spread *spread, const Mat *m, const Mask *mask, double centre) {
    double sum = 0, squares = 0;
    spread->count = 0;
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        const uint8_t *open = mask != NULL ? mask_row(mask, i) : NULL;
        for (int j = 0; j < m->cols; j++) {
            if (open != NULL && !open[j])
                continue;
            double away = (double)row[j] - centre;
            sum += away;
            squares += away * away;
            spread->count++;
        }
    }
    spread->mean = spread->count > 0 ? centre + sum / (double)spread->count : 0;
    spread->squares = squares;
}

/* Twice over, so that the difference of two large sums is never taken. */
static double deviation_of(const Mat *m, const Mask *mask) {
    Spread spread;
    spread_pass(&spread, m, mask, 0);
    spread_pass(&spread, m, mask, spread.mean);
    return spread.count > 0 ? sqrt(spread.squares / (double)spread.count) : 0;
}

double stats_deviation(const Mat *m) {
    return deviation_of(m, NULL);
}

double stats_row_entropy(const float *weights, int count) {
    double sum = 0;
    for (int j = 0; j < count; j++)
        if (weights[j] != 0)
            sum -= (double)weights[j] * log((double)weights[j]);
    return sum;
}

static double larger(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

/* One row's part of HeadStats.saturation; weights that are not numbers stay so. */
static double row_saturation(const float *weights, int T, int open_keys) {
    double trace = 0;
    for (int j = 0; j < T; j++)
        trace += (double)weights[j] * (1 - (double)weights[j]);
    return 1 - trace / (1 - 1.0 / open_keys);
}

static void add_row(HeadStats *sums, const float *weights, int query, int T, int open_keys) {
    double distance = 0;
    for (int j = 0; j < T; j++) {
        distance += (double)weights[j] * abs(query - j);
        sums->largest = larger((double)weights[j], sums->largest);
    }
    sums->entropy += stats_row_entropy(weights, T);
    sums->entropy_uniform += log(open_keys);
    sums->to_self += (double)weights[query];
    sums->distance += distance;
    if (open_keys > 1)
        sums->saturation += row_saturation(weights, T, open_keys);
}

void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask) {
    int T = mask->T, rows = 0, rows_with_choice = 0;
    assert(weights->rows == T && weights->cols == T && scores->rows == T && scores->cols == T);
    *out = (HeadStats){.score_deviation = deviation_of(scores, mask)};
    for (int i = 0; i < T; i++) {
        int open_keys = mask_open_keys(mask, i);
        if (open_keys == 0)
            continue;
        add_row(out, mat_row(weights, i), i, T, open_keys);
        rows++;
        rows_with_choice += open_keys > 1;
    }
    double share = rows > 0 ? 1.0 / rows : 0;
    out->entropy *= share;
    out->entropy_uniform *= share;
    out->to_self *= share;
    out->distance *= share;
    out->saturation *= rows_with_choice > 0 ? 1.0 / rows_with_choice : 0;
}

int stats_product_rank(const Mat *w_q, const Mat *w_k) {
    int count = w_q->rows < w_q->cols ? w_q->rows : w_q->cols;
    int longest = w_q->rows < w_q->cols ? w_q->cols : w_q->rows, rank = 0;
    Err err;
    if (!mat_is_finite(w_q) || !mat_is_finite(w_k))
        return -1;
    double *sigma = malloc((size_t)count * sizeof *sigma);
    if (sigma == NULL || !mat_product_sigma(sigma, w_q, w_k, &err)) {
        free(sigma);
        return -1;
    }
    double threshold = longest * (double)FLT_EPSILON * sigma[0];
    while (rank < count && sigma[rank] > threshold)
        rank++;
    free(sigma);
    return rank;
}

double stats_row_residual(const Mat *x) {
    double residual = 0, whole = 0;
    for (int j = 0; j < x->cols; j++) {
        double mean = 0;
        for (int i = 0; i < x->rows; i++)
            mean += (double)mat_row(x, i)[j] / x->rows;
        for (int i = 0; i < x->rows; i++) {
            double entry = (double)mat_row(x, i)[j];
            residual += (entry - mean) * (entry - mean);
            whole += entry * entry;
        }
    }
    return whole == 0 ? 0 : sqrt(residual / whole);
}
