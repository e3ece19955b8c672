#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "model/analysis/stats.h"

/* Sums over entries minus an origin, as separate partial sums, which the compiler can vectorise
 * without reordering. */
#define PARTS 32
typedef struct Parts {
    double sum[PARTS], squares[PARTS];
} Parts;

typedef struct Spread {
    double sum, squares;
    long long count;
} Spread;

static inline double add_up(const double parts[PARTS]) {
    double sum[PARTS];
    memcpy(sum, parts, sizeof sum);
    for (int width = PARTS / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            sum[l] += sum[l + width];
    return sum[0];
}

/* Add the last count < PARTS entries of a row. */
static inline void add_last_entries(Parts *parts, const float *row, int count, double origin) {
    for (int l = 0; l < count; l++) {
        double away = (double)row[l] - origin;
        parts->sum[l] += away;
        parts->squares[l] += away * away;
    }
}

/* Add rows × cols entries; cols is a multiple of PARTS. */
static inline void add_whole_entries(Parts *parts, const Mat *m, double origin) {
    double sum[PARTS] = {0}, squares[PARTS] = {0};
    for (int i = 0; i < m->rows; i++) {
        const float *row = mat_row(m, i);
        for (int j = 0; j < m->cols; j += PARTS)
            for (int l = 0; l < PARTS; l++) {
                double away = (double)row[j + l] - origin;
                sum[l] += away;
                squares[l] += away * away;
            }
    }
    memcpy(parts->sum, sum, sizeof sum);
    memcpy(parts->squares, squares, sizeof squares);
}

/* Force inlining, so that the subtraction disappears if origin is 0. */
static inline __attribute__((always_inline)) Spread spread_about(const Mat *m, double origin) {
    Mat all = mat_gapless(m);
    int rest = all.cols % PARTS;
    Mat whole = mat_cols(&all, 0, all.cols - rest);
    Parts parts;
    add_whole_entries(&parts, &whole, origin);
    for (int i = 0; rest > 0 && i < all.rows; i++)
        add_last_entries(&parts, mat_row(&all, i) + whole.cols, rest, origin);
    return (Spread){add_up(parts.sum), add_up(parts.squares), (long long)m->rows * m->cols};
}

static double variance(const Spread *spread) {
    double count = (double)spread->count;
    return (spread->squares - spread->sum * spread->sum / count) / count;
}

static double std(const Spread *spread) {
    double square = variance(spread);
    return square < 0 ? 0 : sqrt(square);
}

/* Return the standard deviation. With origin 0 it is the root of a difference of squares; if that
 * is small, rounding would dominate. Then sums are taken relative to an entry, which is at most
 * √count standard deviations from the mean, so that at most count·2⁻⁵² of the result is lost. */
double stats_std(const Mat *m) {
    if (m->rows == 0 || m->cols == 0)
        return 0;
    Spread spread = spread_about(m, 0);
    bool little = !(16 * variance(&spread) >= spread.squares / (double)spread.count);
    if (little)
        spread = spread_about(m, (double)m->at[0]);
    return std(&spread);
}

double stats_sum_of_squares(const Mat *m) {
    return m->rows == 0 || m->cols == 0 ? 0 : spread_about(m, 0).squares;
}

/* Add count <= PARTS entries. Return how many are open. */
static inline int add_some_open(Parts *parts, const float *row, const uint8_t *open, int count,
                                double origin) {
    int opened = 0;
    for (int l = 0; l < count; l++) {
        double away = (double)row[l] - origin;
        uint64_t bits;
        memcpy(&bits, &away, sizeof bits);
        bits &= -(uint64_t)open[l]; /* branch-free: 0 if closed */
        memcpy(&away, &bits, sizeof away);
        parts->sum[l] += away;
        parts->squares[l] += away * away;
        opened += open[l];
    }
    return opened;
}

static int add_open_entries(Parts *parts, const float *row, const uint8_t *open, int count,
                            double origin) {
    int whole = count - count % PARTS, opened = 0;
    for (int j = 0; j < whole; j += PARTS)
        opened += add_some_open(parts, row + j, open + j, PARTS, origin);
    return opened + add_some_open(parts, row + whole, open + whole, count - whole, origin);
}

/* Use the first open entry as the origin. */
static bool find_origin(double *origin, const Mat *scores, const Mask *mask) {
    for (int i = 0; i < scores->rows; i++) {
        const uint8_t *open = mask_row(mask, i % mask->T), *at = memchr(open, 1, (size_t)mask->T);
        if (at != NULL) {
            *origin = (double)mat_row(scores, i)[at - open];
            return true;
        }
    }
    return false;
}

double stats_score_std(const Mat *scores, const Mask *mask) {
    Parts parts = {0};
    Spread spread = {0};
    double origin;
    assert(scores->cols == mask->T && scores->rows % mask->T == 0);
    if (!find_origin(&origin, scores, mask))
        return 0;
    int together = scores->stride == scores->cols ? mask->T : 1; /* rows */
    for (int i = 0; i < scores->rows; i += together)
        spread.count += add_open_entries(&parts, mat_row(scores, i), mask_row(mask, i % mask->T),
                                         together * mask->T, origin);
    spread.sum = add_up(parts.sum);
    spread.squares = add_up(parts.squares);
    return std(&spread);
}
