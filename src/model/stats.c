#include "model/stats.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums over entries less an origin. Where the origin is one of the entries it is at most √count
 * deviations from their mean, so that one pass loses no more than count·2⁻⁵² of the result. Partial
 * sums lie side by side, so that the compiler may vectorise them without being allowed to reorder.
 */
#define LANES 8
typedef struct Spread {
    double sum[LANES], squares[LANES];
    double origin;
    long long count;
} Spread;

static void add_entries(Spread *spread, const float *row, int count) {
    double sum[LANES], squares[LANES], origin = spread->origin;
    memcpy(sum, spread->sum, sizeof sum);
    memcpy(squares, spread->squares, sizeof squares);
    int whole = count - count % LANES;
    for (int j = 0; j < whole; j += LANES)
        for (int l = 0; l < LANES; l++) {
            double away = (double)row[j + l] - origin;
            sum[l] += away;
            squares[l] += away * away;
        }
    for (int j = whole; j < count; j++) {
        double away = (double)row[j] - origin;
        sum[j - whole] += away;
        squares[j - whole] += away * away;
    }
    memcpy(spread->sum, sum, sizeof sum);
    memcpy(spread->squares, squares, sizeof squares);
    spread->count += count;
}

static void add_open_entries(Spread *spread, const float *row, const uint8_t *open, int count) {
    for (int j = 0; j < count; j++) {
        if (!open[j])
            continue;
        if (spread->count == 0)
            spread->origin = (double)row[j];
        double away = (double)row[j] - spread->origin;
        spread->sum[j % LANES] += away;
        spread->squares[j % LANES] += away * away;
        spread->count++;
    }
}

static double spread_deviation(const Spread *spread) {
    double sum = 0, squares = 0, count = (double)spread->count;
    if (spread->count == 0)
        return 0;
    for (int l = 0; l < LANES; l++) {
        sum += spread->sum[l];
        squares += spread->squares[l];
    }
    double variance = (squares - sum * sum / count) / count;
    return variance < 0 ? 0 : sqrt(variance);
}

static Spread spread_about(const Mat *m, double origin) {
    Spread spread = {.origin = origin};
    bool gapless = m->stride == m->cols && m->rows <= INT_MAX / m->cols;
    if (gapless)
        add_entries(&spread, m->at, m->rows * m->cols);
    else
        for (int i = 0; i < m->rows; i++)
            add_entries(&spread, mat_row(m, i), m->cols);
    return spread;
}

double stats_deviation(const Mat *m) {
    if (m->rows == 0 || m->cols == 0)
        return 0;
    Spread spread = spread_about(m, (double)m->at[0]);
    return spread_deviation(&spread);
}

double stats_sum_of_squares(const Mat *m) {
    double sum = 0;
    if (m->rows == 0 || m->cols == 0)
        return 0;
    Spread spread = spread_about(m, 0);
    for (int l = 0; l < LANES; l++)
        sum += spread.squares[l];
    return sum;
}

double stats_score_deviation(const Mat *scores, const Mask *mask) {
    Spread spread = {0};
    assert(scores->cols == mask->T && scores->rows % mask->T == 0);
    for (int i = 0; i < scores->rows; i++)
        add_open_entries(&spread, mat_row(scores, i), mask_row(mask, i % mask->T), scores->cols);
    return spread_deviation(&spread);
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
    *out = (HeadStats){.score_deviation = stats_score_deviation(scores, mask)};
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

/* The mean over the rows of every head that have an open key of what `of` says of a row. */
static double mean_of_rows(const Mat *weights, const Mask *mask,
                           double (*of)(const float *row, int count)) {
    double sum = 0;
    int rows = 0, heads = weights->rows / mask->T;
    assert(weights->cols == mask->T && weights->rows % mask->T == 0);
    for (int i = 0; i < mask->T; i++) {
        if (mask_open_keys(mask, i) == 0)
            continue;
        for (int h = 0; h < heads; h++)
            sum += of(mat_row(weights, h * mask->T + i), mask->T);
        rows += heads;
    }
    return rows > 0 ? sum / rows : 0;
}

double stats_mean_entropy(const Mat *weights, const Mask *mask) {
    return mean_of_rows(weights, mask, stats_row_entropy);
}

static double largest_of_row(const float *row, int count) {
    double largest = 0;
    for (int j = 0; j < count; j++)
        largest = larger((double)row[j], largest);
    return largest;
}

double stats_mean_largest(const Mat *weights, const Mask *mask) {
    return mean_of_rows(weights, mask, largest_of_row);
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
