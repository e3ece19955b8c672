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

typedef struct LaneSums {
    Doubles height, squares, distance, fall, below, below_squares, top, rise;
    Bits open; /* keys, less than nothing */
} LaneSums;

typedef struct RowKeys {
    Doubles height, score;
    Bits open; /* all bits, or none */
} RowKeys;

/* Up to eight keys; the others are closed. */
static inline RowKeys load_keys(const float *heights, const float *scores, const uint8_t *open,
                                int count) {
    Floats h = {0}, s = {0};
    Marks marks = {0};
    memcpy(&h, heights, (size_t)count * sizeof(float));
    memcpy(&s, scores, (size_t)count * sizeof(float));
    for (int l = 0; l < count; l++)
        marks[l] = -(int32_t)(open[l] != 0);
    return (RowKeys){__builtin_convertvector(h, Doubles), __builtin_convertvector(s, Doubles),
                     __builtin_convertvector(marks, Bits)};
}

/* Lane by lane the larger of both; b where a is not a number. */
static inline void raise_to(Doubles *b, const Doubles *a) {
    Bits is_a = *a > *b;
    *b = (Doubles)(((Bits)*a & is_a) | ((Bits)*b & ~is_a));
}

static inline void add_keys(LaneSums *sums, const RowKeys *k, const Doubles *away,
                            double reference) {
    Doubles fall = reference - k->score, below = (Doubles)((Bits)fall & k->open), above = -below;
    sums->open += k->open;
    sums->height += k->height;
    sums->squares += k->height * k->height;
    sums->distance += k->height * (Doubles)((Bits)*away & INT64_MAX);
    sums->fall += (Doubles)((Bits)(k->height * fall) & (k->height != 0));
    sums->below += below;
    sums->below_squares += below * below;
    raise_to(&sums->top, &k->height);
    raise_to(&sums->rise, &above);
}

static inline double add_lanes(const Doubles *lanes) {
    const Doubles l = *lanes;
    return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

static inline double largest_lane(const Doubles *lanes, double largest) {
    for (int l = 0; l < LANES; l++)
        largest = (*lanes)[l] > largest ? (*lanes)[l] : largest;
    return largest;
}

static inline void add_block(RowSums *sums, const LaneSums *block) {
    for (int l = 0; l < LANES; l++)
        sums->open -= (int)block->open[l];
    sums->height += add_lanes(&block->height);
    sums->squares += add_lanes(&block->squares);
    sums->distance += add_lanes(&block->distance);
    sums->fall += add_lanes(&block->fall);
    sums->below += add_lanes(&block->below);
    sums->below_squares += add_lanes(&block->below_squares);
    sums->top = largest_lane(&block->top, sums->top);
    sums->rise = largest_lane(&block->rise, sums->rise);
}

void stats_sum_keys(RowSums *sums, const StatsRow *row, int end) {
    assert(sums->keys % STATS_BLOCK == 0 && end <= row->T);
    Doubles away = {0, 1, 2, 3, 4, 5, 6, 7};
    away += (double)(sums->keys - row->query);
    for (int first = sums->keys; first < end; first += STATS_BLOCK) {
        int last = end - first < STATS_BLOCK ? end : first + STATS_BLOCK;
        LaneSums block = {0};
        for (int j = first; j < last; j += LANES, away += LANES) {
            int count = last - j < LANES ? last - j : LANES;
            RowKeys k = count == LANES
                            ? load_keys(row->heights + j, row->scores + j, row->open + j, LANES)
                            : load_keys(row->heights + j, row->scores + j, row->open + j, count);
            add_keys(&block, &k, &away, (double)row->reference);
        }
        add_block(sums, &block);
    }
    sums->keys = end;
}

/* With weights h/Σh, and ln h − ln h' = s − s' for any two. */
void stats_row_of(RowStats *out, const RowSums *sums, const StatsRow *row) {
    double height = sums->height, share = 1 / height, n = sums->open;
    *out = (RowStats){.open = sums->open};
    if (sums->open == 0)
        return;
    out->entropy = sums->fall * share + sums->rise + log(height / sums->top);
    out->entropy = out->entropy < 0 ? 0 : out->entropy; /* but for rounding it is not */
    out->entropy_uniform = log(n);
    out->largest = isnan(height) ? height : (double)((float)sums->top * row->factor);
    out->to_self = (double)(row->heights[row->query] * row->factor);
    out->distance = sums->distance * share;
    if (sums->open > 1)
        out->saturation = 1 - (1 - sums->squares * share * share) / (1 - 1 / n);
    double below = sums->below / n, squares = sums->below_squares - sums->below * below;
    out->score_mean = (double)row->reference - below;
    out->score_squares = squares < 0 ? 0 : squares;
}

/* Of the first of the heaviest keys, and a NaN passed over. */
float stats_row_reference(const float *scores, const float *weights, int T) {
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
    return scores[at];
}

void stats_row(RowStats *out, const float *scores, const float *weights, const uint8_t *open,
               int query, int T) {
    RowSums sums = {0};
    const StatsRow row = {scores, weights, open, query, T, stats_row_reference(scores, weights, T),
                          1};
    stats_sum_keys(&sums, &row, T);
    stats_row_of(out, &sums, &row);
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
