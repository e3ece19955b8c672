#include "model/stats.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/softmax.h"

/* Sums over entries less an origin. Where the origin is one of the entries it is at most √count
 * deviations from their mean, so that one pass loses no more than count·2⁻⁵² of the result. Partial
 * sums lie side by side, so that the compiler may vectorise them without being allowed to reorder.
 */
#define PARTS 32
typedef struct Spread {
    double sum[PARTS], squares[PARTS];
    double origin;
    long long count;
} Spread;

/* count < PARTS of them. */
static void add_last_entries(Spread *spread, const float *row, int count) {
    for (int l = 0; l < count; l++) {
        double away = (double)row[l] - spread->origin;
        spread->sum[l] += away;
        spread->squares[l] += away * away;
    }
}

/* rows × cols entries, where cols is a multiple of PARTS. */
static void add_whole_entries(Spread *spread, const Mat *m) {
    double sum[PARTS] = {0}, squares[PARTS] = {0}, origin = spread->origin;
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        for (int j = 0; j < m->cols; j += PARTS)
            for (int l = 0; l < PARTS; l++) {
                double away = (double)row[j + l] - origin;
                sum[l] += away;
                squares[l] += away * away;
            }
    }
    memcpy(spread->sum, sum, sizeof sum);
    memcpy(spread->squares, squares, sizeof squares);
}

static void add_open_entries(Spread *spread, const float *row, const uint8_t *open, int count) {
    for (int j = 0; j < count; j++) {
        if (!open[j])
            continue;
        if (spread->count == 0)
            spread->origin = (double)row[j];
        double away = (double)row[j] - spread->origin;
        spread->sum[j % PARTS] += away;
        spread->squares[j % PARTS] += away * away;
        spread->count++;
    }
}

static double spread_deviation(const Spread *spread) {
    double sum = 0, squares = 0, count = (double)spread->count;
    if (spread->count == 0)
        return 0;
    for (int l = 0; l < PARTS; l++) {
        sum += spread->sum[l];
        squares += spread->squares[l];
    }
    double variance = (squares - sum * sum / count) / count;
    return variance < 0 ? 0 : sqrt(variance);
}

static Spread spread_about(const Mat *m, double origin) {
    Spread spread = {.origin = origin, .count = (long long)m->rows * m->cols};
    bool gapless = m->stride == m->cols && m->rows <= INT_MAX / m->cols;
    Mat all = gapless ? (Mat){m->at, 1, m->rows * m->cols, m->rows * m->cols} : *m;
    int rest = all.cols % PARTS;
    Mat whole = mat_cols(&all, 0, all.cols - rest);
    add_whole_entries(&spread, &whole);
    for (int i = 0; rest > 0 && i < all.rows; i++)
        add_last_entries(&spread, mat_row(&all, i) + whole.cols, rest);
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
    for (int l = 0; l < PARTS; l++)
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
    return softmax_entropy(weights, count);
}

/* Keys are taken eight at a time, key j in lane j % 8 wherever the row ends, so that closed keys at
 * the end, whose weight is 0, change no sum; and a comparison's bits, all or none, choose the terms
 * that count, whatever the others are. The types are GCC's and Clang's portable ones; no function
 * takes or returns one, since compilers warn of that where vectors are narrower. */
#define LANES 8
typedef float Floats __attribute__((vector_size(LANES * sizeof(float))));
typedef uint8_t Bytes __attribute__((vector_size(LANES)));
typedef double Doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t Bits __attribute__((vector_size(LANES * sizeof(int64_t))));

typedef struct RowSums {
    Doubles open, weight, distance, score;
    Doubles jacobian; /* Σ a(1 − a) */
    Doubles fall;     /* Σ a·(s_k − s), s_k the heaviest key's score: entropy comes of it */
} RowSums;

typedef struct RowKeys {
    Doubles weight, score, open;
} RowKeys;

/* Eight keys from `first` on; those past the row are closed. */
static inline RowKeys load_keys(const float *weights, const float *scores, const uint8_t *open,
                                int first, int T) {
    Floats a = {0}, s = {0};
    Bytes o = {0};
    size_t count = (size_t)(T - first < LANES ? T - first : LANES);
    if (count == LANES) {
        memcpy(&a, weights + first, sizeof a);
        memcpy(&s, scores + first, sizeof s);
        memcpy(&o, open + first, sizeof o);
    } else {
        memcpy(&a, weights + first, count * sizeof(float));
        memcpy(&s, scores + first, count * sizeof(float));
        memcpy(&o, open + first, count);
    }
    return (RowKeys){__builtin_convertvector(a, Doubles), __builtin_convertvector(s, Doubles),
                     __builtin_convertvector(o, Doubles)};
}

static RowSums sum_row(const float *weights, const float *scores, const uint8_t *open, int query,
                       int T, double top) {
    RowSums sums = {0};
    Doubles away = {0, 1, 2, 3, 4, 5, 6, 7};
    away -= (double)query;
    for (int first = 0; first < T; first += LANES, away += LANES) {
        RowKeys k = load_keys(weights, scores, open, first, T);
        sums.open += k.open;
        sums.weight += k.weight;
        sums.distance += k.weight * (Doubles)((Bits)away & INT64_MAX);
        sums.score += (Doubles)((Bits)k.score & (k.open != 0));
        sums.jacobian += k.weight * (1 - k.weight);
        sums.fall += (Doubles)((Bits)(k.weight * (top - k.score)) & (k.weight != 0));
    }
    return sums;
}

static double add_lanes(const Doubles *lanes) {
    double sum = 0;
    for (int l = 0; l < LANES; l++)
        sum += (*lanes)[l];
    return sum;
}

static double squares_about(const float *scores, const uint8_t *open, int T, double mean) {
    Doubles sum = {0};
    for (int first = 0; first < T; first += LANES) {
        RowKeys k = load_keys(scores, scores, open, first, T);
        Doubles away = (Doubles)((Bits)(k.score - mean) & (k.open != 0));
        sum += away * away;
    }
    return add_lanes(&sum);
}

/* The first of the heaviest keys, and a NaN passed over. */
static int heaviest(const float *weights, int T) {
    float lane[LANES], most = weights[0];
    int whole = T - T % LANES, at = 0;
    for (int l = 0; l < LANES; l++)
        lane[l] = most;
    for (int first = 0; first < whole; first += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] = weights[first + l] > lane[l] ? weights[first + l] : lane[l];
    for (int l = 0; l < LANES; l++)
        most = lane[l] > most ? lane[l] : most;
    for (int j = whole; j < T; j++)
        most = weights[j] > most ? weights[j] : most;
    while (at < T - 1 && weights[at] != most)
        at++;
    return at;
}

void stats_row(RowStats *out, const float *scores, const float *weights, const uint8_t *open,
               int query, int T) {
    int best = heaviest(weights, T);
    double largest = (double)weights[best];
    RowSums sums = sum_row(weights, scores, open, query, T, (double)scores[best]);
    double weight = add_lanes(&sums.weight);
    *out = (RowStats){.open = (int)add_lanes(&sums.open)};
    if (out->open == 0)
        return;
    out->entropy = add_lanes(&sums.fall) - log(largest) * weight;
    out->entropy_uniform = log(out->open);
    out->largest = isnan(weight) ? weight : largest;
    out->to_self = (double)weights[query];
    out->distance = add_lanes(&sums.distance);
    if (out->open > 1)
        out->saturation = 1 - add_lanes(&sums.jacobian) / (1 - 1.0 / out->open);
    out->score_mean = add_lanes(&sums.score) / out->open;
    out->score_squares = squares_about(scores, open, T, out->score_mean);
}

float stats_row_difference(const float *a, const float *b, const uint8_t *open, int T) {
    float lane[LANES] = {0}, largest = 0;
    int wrong[LANES] = {0}, any_wrong = 0, whole = T - T % LANES;
    for (int first = 0; first < whole; first += LANES)
        for (int l = 0; l < LANES; l++) {
            float away = open[first + l] ? fabsf(a[first + l] - b[first + l]) : 0;
            lane[l] = away > lane[l] ? away : lane[l];
            wrong[l] |= away != away;
        }
    for (int j = whole; j < T; j++) {
        float away = open[j] ? fabsf(a[j] - b[j]) : 0;
        largest = away > largest ? away : largest;
        any_wrong |= away != away;
    }
    for (int l = 0; l < LANES; l++) {
        largest = lane[l] > largest ? lane[l] : largest;
        any_wrong |= wrong[l];
    }
    return any_wrong ? NAN : largest;
}

static double larger(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

void stats_add(StatsSum *sum, const RowStats *row) {
    if (row->open == 0)
        return;
    sum->mean.entropy += row->entropy;
    sum->mean.entropy_uniform += row->entropy_uniform;
    sum->mean.largest = larger(row->largest, sum->mean.largest);
    sum->mean.to_self += row->to_self;
    sum->mean.distance += row->distance;
    sum->mean.saturation += row->saturation;
    sum->rows++;
    sum->rows_with_choice += row->open > 1;
    /* Chan, Golub and LeVeque 1979: two groups' squares about the mean of both. */
    double away = row->score_mean - sum->score_mean, before = (double)sum->pairs;
    sum->pairs += row->open;
    sum->score_mean += away * row->open / (double)sum->pairs;
    sum->score_squares +=
        row->score_squares + away * away * before * row->open / (double)sum->pairs;
}

HeadStats stats_finish(const StatsSum *sum) {
    HeadStats out = sum->mean;
    double share = sum->rows > 0 ? 1.0 / sum->rows : 0;
    out.score_deviation = sum->pairs > 0 ? sqrt(sum->score_squares / (double)sum->pairs) : 0;
    out.entropy *= share;
    out.entropy_uniform *= share;
    out.to_self *= share;
    out.distance *= share;
    out.saturation *= sum->rows_with_choice > 0 ? 1.0 / sum->rows_with_choice : 0;
    return out;
}

void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask) {
    int T = mask->T;
    StatsSum sum = {0};
    assert(weights->rows == T && weights->cols == T && scores->rows == T && scores->cols == T);
    for (int i = 0; i < T; i++) {
        RowStats row;
        stats_row(&row, mat_row(scores, i), mat_row(weights, i), mask_row(mask, i), i, T);
        stats_add(&sum, &row);
    }
    *out = stats_finish(&sum);
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
