#include <assert.h>

#include "math/lanes.h"
#include "math/softmax.h"

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
 * exactly 1, so divide by their sum. Without this division, if one weight is nearly 1, its gradient
 * minus the mean would be only rounding error. */
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

/* The mean as a sum of two floats, so that subtracting it from a nearly equal value loses no
 * digits. */
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
