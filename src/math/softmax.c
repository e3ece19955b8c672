#include "math/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ln.h"
#include "math/lanes.h"

#define ROWS_TOGETHER 32

/* Adding and taking off 1.5·2²³ rounds to a whole number and leaves it in the low bits. */
#define ROUNDER 12582912.0F

static inline Lanes exp_of(Lanes x) {
    Lanes rounded = x * 1.44269504F + ROUNDER;
    Lanes n = rounded - ROUNDER;
    Lanes r = x - n * 0.693359375F; /* ln 2 in two parts, the first exact in 9 bits */
    r = r + n * 2.12194440e-4F;
    Lanes sum = r * (1.0F / 720) + 1.0F / 120;
    sum = sum * r + 1.0F / 24;
    sum = sum * r + 1.0F / 6;
    sum = sum * r + 0.5F;
    sum = sum * r + 1.0F;
    sum = sum * r + 1.0F;
    /* The exponent field of 2ⁿ; the rounder's own bits fall off. */
    Lanes power = (Lanes)(((LaneBits)rounded + 127) << 23);
    return (Lanes)((LaneBits)(sum * power) & ~(x < -87.0F));
}

float softmax_exp(float x) {
    return exp_of((Lanes){0} + x)[0];
}

void softmax_exp_each(float *exps, int count) {
    int rest = count % LANES, whole = count - rest;
    for (int j = 0; j < whole; j += LANES)
        lanes_store(exps + j, exp_of(lanes_load(exps + j)));
    if (rest > 0)
        lanes_store_some(exps + whole, exp_of(lanes_load_some(exps + whole, rest)), rest);
}

/* Lane by lane the largest of the open scores, -∞ where there is none. */
static inline Lanes largest_of(const float *scores, const uint8_t *open, int count) {
    int rest = count % LANES, whole = count - rest;
    Lanes most = (Lanes){0} - INFINITY;
    for (int j = 0; j < whole; j += LANES)
        most = lanes_larger(lanes_load_open(scores + j, open + j), most);
    if (rest > 0)
        most = lanes_larger(lanes_load_open_some(scores + whole, open + whole, rest), most);
    return most;
}

/* Key by key. */
static inline float step_up(float reference, const float *scores, const uint8_t *open, int count) {
    for (int j = 0; j < count; j++)
        if (open[j] && softmax_outgrows(scores[j], reference))
            reference = scores[j];
    return reference;
}

/* Most often it is the first key's, and the rest of the row need not be gone through; where it is
 * not, most keys are yet passed over by the vector. */
static inline float reference_of(float reference, const float *scores, const uint8_t *open,
                                 int count) {
    Lanes largest = largest_of(scores, open, count);
    reference = step_up(reference, scores, open, 1);
    for (int j = 0; lanes_any_above(largest, reference + SOFTMAX_RISE); j += LANES) {
        int some = count - j < LANES ? count - j : LANES;
        if (lanes_any_above(largest_of(scores + j, open + j, some), reference + SOFTMAX_RISE))
            reference = step_up(reference, scores + j, open + j, some);
    }
    return reference;
}

float softmax_reference(float reference, const float *scores, const uint8_t *open, int count) {
    return count < SOFTMAX_LANES ? step_up(reference, scores, open, count)
                                 : reference_of(reference, scores, open, count);
}

/* SoftmaxSum's lanes as vectors, and a vector of exps added to them: the next is the first of a
 * row's, or of every other four. */
#define SUM_VECTORS (2 * SOFTMAX_LANES / LANES)
static inline void add_exps(LaneDoubles sum[SUM_VECTORS], Lanes exps, int at) {
    LaneDoubles halves[2];
    lanes_widen(halves, exps);
    LANES_UNROLL for (int h = 0; h < 2; h++) sum[(2 * at / LANES + h) % SUM_VECTORS] += halves[h];
}

static bool is_any(const uint8_t *open, int count) {
    uint8_t any = 0;
    for (int j = 0; j < count; j++)
        any |= open[j];
    return any != 0;
}

/* Where every open key has -∞, the difference from the reference is no number; where none is open,
 * all is to be 0. */
static inline void exps_of_row(float *exps, SoftmaxSum *total, float reference, const float *scores,
                               const uint8_t *open, int count) {
    int rest = count % LANES, whole = count - rest;
    LaneDoubles sum[SUM_VECTORS] = {0};
    for (int j = 0; j < whole; j += LANES) {
        Lanes e = exp_of(lanes_load_open(scores + j, open + j) - reference);
        lanes_store(exps + j, e);
        add_exps(sum, e, j);
    }
    if (rest > 0) {
        Lanes e = exp_of(lanes_load_open_some(scores + whole, open + whole, rest) - reference);
        lanes_store_some(exps + whole, e, rest);
        add_exps(sum, e, whole);
    }
    for (size_t v = 0; v < SUM_VECTORS; v++)
        memcpy(total->lane + v * SOFTMAX_LANES / SUM_VECTORS, &sum[v], sizeof sum[v]);
    if (reference == -INFINITY && !is_any(open, count)) {
        memset(exps, 0, (size_t)count * sizeof *exps);
        *total = (SoftmaxSum){0};
    }
}

static inline float factor_of(double total) {
    return total == 0 ? 0 : 1 / (float)total;
}

static void factors_of_rows(float *factor, const SoftmaxSum *sums, int count) {
    for (int i = 0; i < count; i++) {
        double total = 0;
        for (int l = 0; l < SOFTMAX_LANES; l++)
            total += sums[i].lane[l];
        factor[i] = factor_of(total);
    }
}

/* Step by step over all rows, since a row has too much to wait for. */
static void exps_of_rows(Mat *exps, float *reference, float *factor, const Mat *scores,
                         const uint8_t *open) {
    SoftmaxSum sums[ROWS_TOGETHER];
    int rows = exps->rows, cols = exps->cols;
    for (int i = 0; i < rows; i++)
        reference[i] = reference_of(-INFINITY, mat_row(scores, i), open + i * cols, cols);
    for (int i = 0; i < rows; i++)
        exps_of_row(mat_row(exps, i), &sums[i], reference[i], mat_row(scores, i), open + i * cols,
                    cols);
    factors_of_rows(factor, sums, rows);
}

void softmax_exps(Mat *exps, float *reference, float *factor, const Mat *scores,
                  const uint8_t *open) {
    assert(exps->rows == scores->rows && exps->cols == scores->cols && exps->cols > 0);
    for (int i = 0; i < exps->rows; i += ROWS_TOGETHER) {
        int count = exps->rows - i < ROWS_TOGETHER ? exps->rows - i : ROWS_TOGETHER;
        Mat to = mat_rows(exps, i, count), from = mat_rows(scores, i, count);
        exps_of_rows(&to, reference + i, factor + i, &from, open + (size_t)i * (size_t)exps->cols);
    }
}

void softmax_exps_from(Mat *exps, const float *reference, const Mat *scores, const uint8_t *open) {
    int cols = exps->cols;
    assert(exps->rows == scores->rows && cols == scores->cols && cols > 0);
    for (int i = 0; i < exps->rows; i++, open += cols) {
        SoftmaxSum sum;
        exps_of_row(mat_row(exps, i), &sum, reference[i], mat_row(scores, i), open, cols);
    }
}

void softmax_add(SoftmaxSum *sum, const float *exps, int first, int end) {
    int j = first;
    if (end - first < SOFTMAX_LANES) {
        for (; j < end; j++)
            sum->lane[j % SOFTMAX_LANES] += (double)exps[j];
        return;
    }
    double lane[SOFTMAX_LANES];
    memcpy(lane, sum->lane, sizeof lane);
    for (; j < end && j % SOFTMAX_LANES != 0; j++)
        lane[j % SOFTMAX_LANES] += (double)exps[j];
    for (; j + SOFTMAX_LANES <= end; j += SOFTMAX_LANES)
        for (int l = 0; l < SOFTMAX_LANES; l++)
            lane[l] += (double)exps[j + l];
    for (int l = 0; j + l < end; l++)
        lane[l] += (double)exps[j + l];
    memcpy(sum->lane, lane, sizeof lane);
}

void softmax_factors(float *factor, const double *lanes, size_t stride, int count) {
    for (int i = 0; i < count; i++) {
        double total = 0;
        for (size_t l = 0; l < SOFTMAX_LANES; l++)
            total += lanes[l * stride + (size_t)i];
        factor[i] = factor_of(total);
    }
}

void softmax_scale(float *weights, const float *exps, float factor, int count) {
    int rest = count % LANES, whole = count - rest;
    for (int j = 0; j < whole; j += LANES)
        lanes_store(weights + j, lanes_load(exps + j) * factor);
    if (rest > 0)
        lanes_store_some(weights + whole, lanes_load_some(exps + whole, rest) * factor, rest);
}

void softmax_spoil(float *exps, float factor, const uint8_t *open, int count) {
    for (int j = 0; j < count; j++)
        exps[j] = open[j] ? exps[j] * factor : 0;
}

void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open) {
    int cols = weights->cols;
    assert(weights->rows == scores->rows && weights->stride == cols && scores->stride == cols);
    for (int i = 0; i < weights->rows; i++, open += cols) {
        float *to = mat_row(weights, i), reference = 0, factor = 0;
        Mat row = mat_rows(weights, i, 1), from = mat_rows(scores, i, 1);
        softmax_exps(&row, &reference, &factor, &from, open);
        if (isfinite(factor))
            softmax_scale(to, to, factor, cols);
        else
            softmax_spoil(to, factor, open, cols);
    }
}

double softmax_entropy(const float *weights, int count) {
    double lane[SOFTMAX_LANES] = {0}, sum = 0;
    int whole = count - count % SOFTMAX_LANES;
    for (int j = 0; j < whole; j += SOFTMAX_LANES)
        for (int l = 0; l < SOFTMAX_LANES; l++) {
            double w = (double)weights[j + l];
            lane[l] -= w * ln_normal(w == 0 ? 1 : w);
        }
    for (int j = whole; j < count; j++) {
        double w = (double)weights[j];
        sum -= w * ln_normal(w == 0 ? 1 : w);
    }
    for (int l = 0; l < SOFTMAX_LANES; l++)
        sum += lane[l];
    return sum;
}
