#include "model/stats.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/product_svd.h"
#include "math/softmax.h"

double stats_row_entropy(const float *weights, int count) {
    return softmax_entropy(weights, count);
}

/* Keys are taken eight at a time, key j in lane j % 8 wherever the row ends, so that closed keys at
 * the end, whose weight is 0, change no sum; and a comparison's bits, all or none, choose the terms
 * that count, whatever the others are. The types are GCC's and Clang's portable ones; no function
 * takes or returns one, since compilers warn of that where vectors are narrower. */
#define LANES 8
typedef float Floats __attribute__((vector_size(LANES * sizeof(float))));
typedef double Doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t Bits __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef int32_t Marks __attribute__((vector_size(LANES * sizeof(int32_t))));

typedef struct RowSums {
    Doubles weight, distance, score;
    Doubles jacobian; /* Σ a(1 − a) */
    Doubles fall;     /* Σ a·(s_k − s), s_k the heaviest key's score: entropy comes of it */
    Bits open;        /* keys, less than nothing */
} RowSums;

typedef struct RowKeys {
    Doubles weight, score;
    Bits open; /* all bits, or none */
} RowKeys;

/* Up to eight keys; the others are closed. */
static inline RowKeys load_keys(const float *weights, const float *scores, const uint8_t *open,
                                int count) {
    Floats a = {0}, s = {0};
    Marks marks = {0};
    memcpy(&a, weights, (size_t)count * sizeof(float));
    memcpy(&s, scores, (size_t)count * sizeof(float));
    for (int l = 0; l < count; l++)
        marks[l] = -(int32_t)(open[l] != 0);
    return (RowKeys){__builtin_convertvector(a, Doubles), __builtin_convertvector(s, Doubles),
                     __builtin_convertvector(marks, Bits)};
}

static inline void add_keys(RowSums *sums, const RowKeys *k, const Doubles *away, double top) {
    sums->open += k->open;
    sums->weight += k->weight;
    sums->distance += k->weight * (Doubles)((Bits)*away & INT64_MAX);
    sums->score += (Doubles)((Bits)k->score & k->open);
    sums->jacobian += k->weight * (1 - k->weight);
    sums->fall += (Doubles)((Bits)(k->weight * (top - k->score)) & (k->weight != 0));
}

static RowSums sum_row(const float *weights, const float *scores, const uint8_t *open, int query,
                       int T, double top) {
    RowSums sums = {0};
    Doubles away = {0, 1, 2, 3, 4, 5, 6, 7};
    int j = 0;
    away -= (double)query;
    for (; j + LANES <= T; j += LANES, away += LANES) {
        RowKeys k = load_keys(weights + j, scores + j, open + j, LANES);
        add_keys(&sums, &k, &away, top);
    }
    RowKeys rest = load_keys(weights + j, scores + j, open + j, T - j);
    add_keys(&sums, &rest, &away, top);
    return sums;
}

static double add_lanes(const Doubles *lanes) {
    double sum = 0;
    for (int l = 0; l < LANES; l++)
        sum += (*lanes)[l];
    return sum;
}

static inline void square_keys(Doubles *sum, const RowKeys *k, double mean) {
    Doubles away = (Doubles)((Bits)(k->score - mean) & k->open);
    *sum += away * away;
}

static double squares_about(const float *scores, const uint8_t *open, int T, double mean) {
    Doubles sum = {0};
    int j = 0;
    for (; j + LANES <= T; j += LANES) {
        RowKeys k = load_keys(scores + j, scores + j, open + j, LANES);
        square_keys(&sum, &k, mean);
    }
    RowKeys rest = load_keys(scores + j, scores + j, open + j, T - j);
    square_keys(&sum, &rest, mean);
    return add_lanes(&sum);
}

static int open_keys(const RowSums *sums) {
    int64_t count = 0;
    for (int l = 0; l < LANES; l++)
        count -= sums->open[l];
    return (int)count;
}

/* The first of the heaviest keys, and a NaN passed over. */
static int heaviest(const float *weights, int T) {
    Floats lane = {0};
    float most = weights[0];
    int whole = T - T % LANES, at = 0;
    for (int first = 0; first < whole; first += LANES) {
        Floats w;
        memcpy(&w, weights + first, sizeof w);
        Marks more = w > lane;
        lane = (Floats)(((Marks)w & more) | ((Marks)lane & ~more));
    }
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
    *out = (RowStats){.open = open_keys(&sums)};
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

/* Bits of floats that are not negative are in the floats' order, and those of not-a-numbers above
 * all others; the largest of whole numbers is one that compilers vectorise. */
float stats_row_difference(const float *a, const float *b, const uint8_t *open, int T) {
    int32_t most = 0;
    for (int j = 0; j < T; j++) {
        float away = a[j] - b[j];
        int32_t bits;
        memcpy(&bits, &away, sizeof bits);
        bits = open[j] ? bits & INT32_MAX : 0;
        most = bits > most ? bits : most;
    }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    return largest;
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

/* The rows of every head that have an open key. */
static int rows_with_keys(const Mat *weights, const Mask *mask) {
    int rows = 0, heads = weights->rows / mask->T;
    assert(weights->cols == mask->T && weights->rows % mask->T == 0);
    for (int i = 0; i < mask->T; i++)
        rows += mask_open_keys(mask, i) > 0 ? heads : 0;
    return rows;
}

/* Rows without an open key are 0 and add nothing. */
double stats_mean_entropy(const Mat *weights, const Mask *mask) {
    int rows = rows_with_keys(weights, mask);
    Mat all = mat_gapless(weights);
    double sum = 0;
    for (int i = 0; i < all.rows; i++)
        sum += softmax_entropy(mat_row(&all, i), all.cols);
    return rows > 0 ? sum / rows : 0;
}

double stats_mean_largest(const Mat *weights, const Mask *mask) {
    int rows = rows_with_keys(weights, mask);
    double sum = 0;
    for (int i = 0; i < weights->rows; i++)
        sum += (double)row_largest(mat_row(weights, i), weights->cols);
    return rows > 0 ? sum / rows : 0;
}

int stats_product_rank(const Mat *w_q, const Mat *w_k) {
    int count = w_q->rows < w_q->cols ? w_q->rows : w_q->cols;
    int longest = w_q->rows < w_q->cols ? w_q->cols : w_q->rows, rank = 0;
    Err err;
    if (!mat_is_finite(w_q) || !mat_is_finite(w_k))
        return -1;
    double *sigma = malloc((size_t)count * sizeof *sigma);
    if (sigma == NULL || !product_svd_values(sigma, w_q, w_k, NULL, &err)) {
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
