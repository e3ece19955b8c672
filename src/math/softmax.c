#include "math/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ln.h"
#include "math/lanes.h"

/* Return the largest open score, ignoring NaN; -∞ if no key is open. */
static inline float largest_of(const float *scores, const uint8_t *open, int count) {
    int rest = count % LANES, whole = count - rest;
    Lanes lanes = (Lanes){0} - INFINITY;
    for (int j = 0; j < whole; j += LANES)
        lanes = lanes_larger(lanes_load_open(scores + j, open + j), lanes);
    if (rest > 0)
        lanes = lanes_larger(lanes_load_open_some(scores + whole, open + whole, rest), lanes);
    float largest = lanes[0];
    for (int l = 1; l < LANES; l++)
        largest = lanes[l] > largest ? lanes[l] : largest;
    return largest;
}

/* Set exps = exp(scores − largest), 0 at closed keys, and return their sum. */
static inline double exps_of(float *exps, const float *scores, const uint8_t *open, int count,
                             float largest) {
    int rest = count % LANES, whole = count - rest;
    LaneDoubles sums[2] = {{0}, {0}}, halves[2];
    double sum = 0;
    for (int j = 0; j < whole; j += LANES) {
        Lanes e = lanes_exp(lanes_load_open(scores + j, open + j) - largest);
        lanes_store(exps + j, e);
        lanes_widen(halves, e);
        sums[0] += halves[0];
        sums[1] += halves[1];
    }
    if (rest > 0) {
        Lanes e = lanes_exp(lanes_load_open_some(scores + whole, open + whole, rest) - largest);
        lanes_store_some(exps + whole, e, rest);
        lanes_widen(halves, e);
        sums[0] += halves[0];
        sums[1] += halves[1];
    }
    for (int l = 0; l < LANES / 2; l++)
        sum += sums[0][l] + sums[1][l];
    return sum;
}

static inline void scale(float *weights, float factor, int count) {
    int rest = count % LANES, whole = count - rest;
    for (int j = 0; j < whole; j += LANES)
        lanes_store(weights + j, lanes_load(weights + j) * factor);
    if (rest > 0)
        lanes_store_some(weights + whole, lanes_load_some(weights + whole, rest) * factor, rest);
}

void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open) {
    int cols = weights->cols;
    assert(weights->rows == scores->rows && weights->stride == cols && scores->stride == cols);
    for (int i = 0; i < weights->rows; i++, open += cols) {
        float *row = mat_row(weights, i);
        const float *from = mat_row(scores, i);
        float largest = largest_of(from, open, cols);
        if (largest == -INFINITY && memchr(open, 1, (size_t)cols) == NULL) {
            memset(row, 0, (size_t)cols * sizeof *row);
            continue;
        }
        float factor = 1 / (float)exps_of(row, from, open, cols, largest);
        if (isfinite(factor))
            scale(row, factor, cols);
        else /* a NaN or infinite score */
            for (int j = 0; j < cols; j++)
                row[j] = open[j] ? NAN : 0;
    }
}

#define ENTROPY_LANES 8

double softmax_entropy(const float *weights, int count) {
    double lane[ENTROPY_LANES] = {0}, sum = 0;
    int whole = count - count % ENTROPY_LANES;
    for (int j = 0; j < whole; j += ENTROPY_LANES)
        for (int l = 0; l < ENTROPY_LANES; l++) {
            double w = (double)weights[j + l];
            lane[l] -= w * ln_normal(w == 0 ? 1 : w);
        }
    for (int j = whole; j < count; j++) {
        double w = (double)weights[j];
        sum -= w * ln_normal(w == 0 ? 1 : w);
    }
    for (int l = 0; l < ENTROPY_LANES; l++)
        sum += lane[l];
    return sum;
}

SoftmaxTerms softmax_terms(const float *scores, const uint8_t *open, int count, int key) {
    SoftmaxTerms terms = {.largest = -INFINITY};
    for (int j = 0; j < count; j++)
        terms.largest = open[j] ? fmax(terms.largest, (double)scores[j]) : terms.largest;
    for (int j = 0; j < count; j++)
        terms.sum += open[j] ? exp((double)scores[j] - terms.largest) : 0;
    terms.power = open[key] ? exp((double)scores[key] - terms.largest) : 0;
    return terms;
}

static inline double add_up(const LaneDoubles v[2]) {
    LaneDoubles lanes = v[0] + v[1];
    double sum = 0;
    for (int i = 0; i < LANES / 2; i++)
        sum += lanes[i];
    return sum;
}

typedef struct Sums {
    LaneDoubles weighed[2], weights[2];
} Sums;

static inline void add(Sums *sums, Lanes weights, Lanes gradients) {
    LaneDoubles w[2], g[2];
    lanes_widen(w, weights);
    lanes_widen(g, gradients);
    LANES_UNROLL for (int h = 0; h < 2; h++) {
        sums->weighed[h] += w[h] * g[h];
        sums->weights[h] += w[h];
    }
}

/* Return the weighted mean of the gradients; 0 if all weights are 0. Rounded weights do not sum to
 * exactly 1, so divide by their sum: otherwise, if one weight is nearly 1, its gradient minus the
 * mean would be only rounding error. */
static inline double mean_by(const float *weights, const float *gradients, int count) {
    int rest = count % LANES, whole = count - rest;
    Sums sums = {0};
    for (int j = 0; j < whole; j += LANES)
        add(&sums, lanes_load(weights + j), lanes_load(gradients + j));
    if (rest > 0)
        add(&sums, lanes_load_some(weights + whole, rest),
            lanes_load_some(gradients + whole, rest));
    double weighed = add_up(sums.weighed), total = add_up(sums.weights);
    return total > 0 ? weighed / total : weighed;
}

/* The mean as a sum of two floats, so that nearly equal gradients minus the mean lose no digits. */
typedef struct Mean {
    float high, low;
} Mean;

static inline Lanes weigh(Lanes weights, Lanes gradients, Mean mean) {
    return weights * ((gradients - mean.high) - mean.low);
}

void softmax_rows_back(Mat *dscores, const Mat *weights, const Mat *dweights) {
    int rows = weights->rows, cols = weights->cols, rest = cols % LANES, whole = cols - rest;
    assert(dscores->rows == rows && dscores->cols == cols && dscores->stride == cols);
    assert(dweights->rows == rows && dweights->cols == cols && dweights->stride == cols);
    for (int i = 0; i < rows; i++) {
        const float *w = mat_row(weights, i), *g = mat_row(dweights, i);
        float *out = mat_row(dscores, i);
        double exact = mean_by(w, g, cols);
        float high = (float)exact;
        Mean mean = {high, (float)(exact - (double)high)};
        for (int j = 0; j < whole; j += LANES)
            lanes_store(out + j, weigh(lanes_load(w + j), lanes_load(g + j), mean));
        if (rest > 0)
            lanes_store_some(
                out + whole,
                weigh(lanes_load_some(w + whole, rest), lanes_load_some(g + whole, rest), mean),
                rest);
    }
}
