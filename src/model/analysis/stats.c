#include "model/analysis/stats.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "math/softmax.h"

/* Number of keys that are processed together: key j is in lane j % LANES, so closed keys at the end
 * do not change any sum. The vector types are portable between GCC and Clang. No function takes or
 * returns one, because compilers warn about that on targets with narrower vectors. */
#define LANES 8
typedef float Floats __attribute__((vector_size(LANES * sizeof(float))));
typedef double Doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t Bits __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef int32_t Marks __attribute__((vector_size(LANES * sizeof(int32_t))));

/* Sums over the keys of a row with weights w and scores s: of w, w², w·|i−j| and w·(r − s); and
 * over its open keys: of r − s and (r − s)². r is `reference`, the score of the key with the
 * largest weight. */
typedef struct RowSums {
    Doubles weight, squares, distance, fall, below, below_squares;
    Bits open; /* in each lane: the number of open keys, negated */
} RowSums;

/* Add at most eight keys; `away` is the distance of the first key from the query. Comparison masks
 * select the terms that count. */
static inline void add_keys(RowSums *sums, const float *weights, const float *scores,
                            const uint8_t *open, int count, int away, double reference) {
    Floats w32 = {0}, s32 = {0};
    Marks marks = {0};
    memcpy(&w32, weights, (size_t)count * sizeof(float));
    memcpy(&s32, scores, (size_t)count * sizeof(float));
    for (int l = 0; l < count; l++)
        marks[l] = -(int32_t)(open[l] != 0);
    Bits is_open = __builtin_convertvector(marks, Bits);
    Doubles w = __builtin_convertvector(w32, Doubles);
    Doubles fall = reference - __builtin_convertvector(s32, Doubles);
    Doubles below = (Doubles)((Bits)fall & is_open);
    Doubles offset = (Doubles){0, 1, 2, 3, 4, 5, 6, 7} + (double)away;
    sums->open += is_open;
    sums->weight += w;
    sums->squares += w * w;
    sums->distance += w * (Doubles)((Bits)offset & INT64_MAX);
    sums->fall += (Doubles)((Bits)(w * fall) & (w != 0));
    sums->below += below;
    sums->below_squares += below * below;
}

static inline double add_lanes(const Doubles *lanes) {
    const Doubles l = *lanes;
    return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

/* Return the first key with the largest weight; any key if a weight is NaN. */
static int heaviest_key(const float *weights, int T) {
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

double stats_sharpest(const Mat *scores, double factor) {
    double sharpest = 0;
    for (int i = 0; i < scores->rows; i++) {
        const float *row = mat_row(scores, i);
        float most = row[0];
        for (int j = 1; j < scores->cols; j++)
            most = row[j] > most ? row[j] : most;
        /* Stop if the sum exceeds 1 / sharpest: this row's largest weight, 1 / sum, is then below
         * `sharpest`. Most rows stop after a few keys. */
        double sum = 0;
        int j = 0;
        for (; j < scores->cols && sum * sharpest <= 1; j++)
            sum += exp(factor * ((double)row[j] - (double)most));
        if (j == scores->cols && sum * sharpest < 1 && sum >= 1)
            sharpest = 1 / sum;
    }
    return sharpest;
}

float stats_larger(float a, float b) {
    return isnan(a) || a > b ? a : b;
}

float stats_difference(const Mat *a, const Mat *b, const Mask *mask) {
    float largest = 0;
    for (int i = 0; i < a->rows; i++)
        largest = stats_larger(
            row_difference(mat_row(a, i), mat_row(b, i), mask_row(mask, i % mask->T), mask->T),
            largest);
    return largest;
}

typedef struct StatsSum {
    HeadStats mean; /* sums over the rows so far, but `largest` is the maximum */
    int rows, rows_with_choice;
    long long pairs;
    float strongest;                  /* weight of the strongest cell */
    double score_mean, score_squares; /* mean of the open scores, and Σ (s − mean)² */
} StatsSum;

static void add_row(StatsSum *sum, const float *scores, const float *weights, const uint8_t *open,
                    int query, int T) {
    RowSums sums = {0};
    HeadStats *mean = &sum->mean;
    int heaviest = heaviest_key(weights, T), whole = T - T % LANES, keys = 0;
    double reference = (double)scores[heaviest], largest = (double)weights[heaviest];
    for (int j = 0; j < whole; j += LANES)
        add_keys(&sums, weights + j, scores + j, open + j, LANES, j - query, reference);
    if (whole < T)
        add_keys(&sums, weights + whole, scores + whole, open + whole, T - whole, whole - query,
                 reference);
    for (int l = 0; l < LANES; l++)
        keys -= (int)sums.open[l];
    if (keys == 0)
        return;
    double n = keys, all = add_lanes(&sums.weight), share = 1 / all;
    /* Compute the entropy −Σ w·ln w with one logarithm: ln w = s − reference + ln(largest). */
    double entropy = add_lanes(&sums.fall) * share + log(all / largest);
    mean->entropy += entropy < 0 ? 0 : entropy; /* rounding can make it slightly negative */
    mean->entropy_uniform += log(n);
    largest = isnan(all) ? all : largest;
    mean->largest = isnan(largest) || largest > mean->largest ? largest : mean->largest;
    mean->to_self += (double)weights[query];
    mean->distance += add_lanes(&sums.distance) * share;
    if (keys > 1 && weights[heaviest] > sum->strongest) {
        sum->strongest = weights[heaviest];
        mean->strongest_query = query + 1;
        mean->strongest_key = heaviest + 1;
    }
    if (keys > 1)
        mean->saturation += 1 - (1 - add_lanes(&sums.squares) * share * share) / (1 - 1 / n);
    sum->rows++;
    sum->rows_with_choice += keys > 1;
    /* Combine two groups' sums of squares about their common mean, as in Chan, Golub and LeVeque
     * 1979. */
    double below = add_lanes(&sums.below) / n;
    double squares = add_lanes(&sums.below_squares) - add_lanes(&sums.below) * below;
    double away = reference - below - sum->score_mean, before = (double)sum->pairs;
    sum->pairs += keys;
    sum->score_mean += away * n / (double)sum->pairs;
    sum->score_squares +=
        (squares < 0 ? 0 : squares) + away * away * before * n / (double)sum->pairs;
}

void stats_head(HeadStats *out, const Mat *scores, const Mat *weights, const Mask *mask) {
    int T = mask->T;
    StatsSum sum = {0};
    assert(weights->rows == T && weights->cols == T && scores->rows == T && scores->cols == T);
    for (int i = 0; i < T; i++)
        add_row(&sum, mat_row(scores, i), mat_row(weights, i), mask_row(mask, i), i, T);
    double share = sum.rows > 0 ? 1.0 / sum.rows : 0;
    *out = sum.mean;
    out->score_std = sum.pairs > 0 ? sqrt(sum.score_squares / (double)sum.pairs) : 0;
    out->entropy *= share;
    out->entropy_uniform *= share;
    out->to_self *= share;
    out->distance *= share;
    out->saturation *= sum.rows_with_choice > 0 ? 1.0 / sum.rows_with_choice : 0;
}

static int rows_with_keys(const Mat *weights, const Mask *mask) {
    int rows = 0, heads = weights->rows / mask->T;
    assert(weights->cols == mask->T && weights->rows % mask->T == 0);
    for (int i = 0; i < mask->T; i++)
        rows += mask_open_keys(mask, i) > 0 ? heads : 0;
    return rows;
}

/* Rows without an open key add 0. */
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

/* Sums of the entries and of their squares, after an origin is subtracted from each. */
typedef struct Spread {
    double sum, squares;
    long long count;
} Spread;

#define PARTS 32

/* Add count <= PARTS entries; if open is not NULL, only those that are open. */
static inline __attribute__((always_inline)) void add_entries(double sum[PARTS],
                                                              double squares[PARTS],
                                                              const float *row, const uint8_t *open,
                                                              int count, double origin) {
    for (int l = 0; l < count; l++) {
        double away = (double)row[l] - origin;
        uint64_t bits;
        memcpy(&bits, &away, sizeof bits);
        if (open != NULL)
            bits &= -(uint64_t)open[l]; /* branch-free: 0 if closed */
        memcpy(&away, &bits, sizeof away);
        sum[l] += away;
        squares[l] += away * away;
    }
}

static double add_up(double parts[PARTS]) {
    for (int width = PARTS / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            parts[l] += parts[l + width];
    return parts[0];
}

/* Add up all entries or, if open is not NULL, the open entries of each row. The sums are split into
 * parts, which the compiler can vectorise without reordering. */
static inline __attribute__((always_inline)) Spread spread_about(const Mat *m, const uint8_t *open,
                                                                 double origin) {
    double sum[PARTS] = {0}, squares[PARTS] = {0};
    long long count = 0;
    int whole = m->cols - m->cols % PARTS;
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        for (int j = 0; j < whole; j += PARTS)
            add_entries(sum, squares, row + j, open != NULL ? open + j : NULL, PARTS, origin);
        add_entries(sum, squares, row + whole, open != NULL ? open + whole : NULL, m->cols - whole,
                    origin);
        for (int j = 0; open != NULL && j < m->cols; j++)
            count += open[j];
    }
    return (Spread){add_up(sum), add_up(squares),
                    open != NULL ? count : (long long)m->rows * m->cols};
}

static double std(const Spread *spread) {
    double count = (double)spread->count;
    double variance = (spread->squares - spread->sum * spread->sum / count) / count;
    return variance < 0 ? 0 : sqrt(variance);
}

/* Sums are taken relative to an entry, which is at most √count standard deviations from the mean,
 * so that the difference of squares loses at most count·2⁻⁵² of the result. */
double stats_std(const Mat *m) {
    if (m->rows == 0 || m->cols == 0)
        return 0;
    Mat all = mat_gapless(m);
    Spread spread = spread_about(&all, NULL, (double)m->at[0]);
    return std(&spread);
}

double stats_sum_of_squares(const Mat *m) {
    Mat all = mat_gapless(m);
    return m->rows == 0 || m->cols == 0 ? 0 : spread_about(&all, NULL, 0).squares;
}

double stats_score_std(const Mat *scores, const Mask *mask) {
    int T = mask->T;
    assert(scores->cols == T && scores->stride == T && scores->rows % T == 0);
    const Mat heads = {scores->at, scores->rows / T, T * T, T * T};
    const uint8_t *at = memchr(mask->open, 1, (size_t)T * (size_t)T);
    if (at == NULL)
        return 0;
    Spread spread = spread_about(&heads, mask->open, (double)heads.at[at - mask->open]);
    return std(&spread);
}
