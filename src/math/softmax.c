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

/* Set exps = exp(scores − largest), 0 at closed keys. Return their sum. */
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
        else /* a NaN score: weights are NaN, except at closed keys */
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
