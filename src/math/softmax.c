#include "math/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ln.h"

/* Partial results side by side, so that the compiler may vectorise a maximum or a sum without
 * being allowed to reorder one. */
#define LANES SOFTMAX_LANES

/* Rows are taken together up to so many entries: enough that short rows fill whole vectors, few
 * enough to stay in the first cache from one pass to the next. */
#define BLOCK_ENTRIES 2048

/* Adding and taking off 1.5·2²³ rounds to a whole number and leaves it in the low bits. */
#define ROUNDER 12582912.0F

/* Without branches or library calls, so that the loop around it is vectorised. */
static inline float exp_inline(float x) {
    float rounded = x * 1.44269504F + ROUNDER;
    float n = rounded - ROUNDER;
    float r = x - n * 0.693359375F; /* ln 2 in two parts, the first exact in 9 bits */
    r = r + n * 2.12194440e-4F;
    float sum = 1.0F / 720;
    sum = sum * r + 1.0F / 120;
    sum = sum * r + 1.0F / 24;
    sum = sum * r + 1.0F / 6;
    sum = sum * r + 0.5F;
    sum = sum * r + 1.0F;
    sum = sum * r + 1.0F;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    bits = (bits + 127) << 23; /* the exponent field of 2ⁿ; the rounder's own bits fall off */
    float power;
    memcpy(&power, &bits, sizeof power);
    return x < -87.0F ? 0.0F : sum * power;
}

float softmax_exp(float x) {
    return exp_inline(x);
}

/* −∞ where no entry is larger. */
static float largest_of(const float *row, int count) {
    float lane[LANES], largest = -INFINITY;
    for (int l = 0; l < LANES; l++)
        lane[l] = -INFINITY;
    int whole = count - count % LANES;
    for (int j = 0; j < whole; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] = row[j + l] > lane[l] ? row[j + l] : lane[l];
    for (int j = whole; j < count; j++)
        largest = row[j] > largest ? row[j] : largest;
    for (int l = 0; l < LANES; l++)
        largest = lane[l] > largest ? lane[l] : largest;
    return largest;
}

void softmax_exp_each(float *exps, int count) {
    for (int e = 0; e < count; e++)
        exps[e] = exp_inline(exps[e]);
}

/* Where no key is open, or all that are have -∞, the difference from the largest is no number: the
 * first is to be 0 throughout. */
static void take_off(float *row, float largest, const uint8_t *open, int count) {
    for (int j = 0; j < count; j++)
        row[j] -= largest;
    if (largest == -INFINITY && memchr(open, 1, (size_t)count) == NULL)
        for (int j = 0; j < count; j++)
            row[j] = -INFINITY;
}

static inline float factor_of(const double lane[LANES]) {
    double total = 0;
    for (int l = 0; l < LANES; l++)
        total += lane[l];
    return total == 0 ? 0 : 1 / (float)total;
}

/* Of a whole row; the bits of softmax_add from 0. */
static inline float factor_of_row(const float *exps, int count) {
    int whole = count - count % LANES;
    double lane[LANES] = {0};
    for (int j = 0; j < whole; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)exps[j + l];
    for (int j = whole; j < count; j++)
        lane[j - whole] += (double)exps[j];
    return factor_of(lane);
}

static void exps_of_block(float *exps, float *largest, float *factor, const float *scores,
                          const uint8_t *open, int rows, int cols) {
    int entries = rows * cols;
    for (int e = 0; e < entries; e++)
        exps[e] = open[e] ? scores[e] : -INFINITY;
    for (int i = 0; i < rows; i++) {
        largest[i] = largest_of(exps + i * cols, cols);
        take_off(exps + i * cols, largest[i], open + i * cols, cols);
    }
    softmax_exp_each(exps, entries);
    for (int i = 0; factor != NULL && i < rows; i++)
        factor[i] = factor_of_row(exps + i * cols, cols);
}

void softmax_exps(Mat *exps, float *largest, float *factor, const Mat *scores,
                  const uint8_t *open) {
    int rows = exps->rows, cols = exps->cols;
    assert(rows == scores->rows && cols == scores->cols && cols > 0);
    bool gapless = exps->stride == cols && scores->stride == cols;
    int together = gapless && cols < BLOCK_ENTRIES ? BLOCK_ENTRIES / cols : 1;
    for (int i = 0; i < rows; i += together) {
        int count = rows - i < together ? rows - i : together;
        exps_of_block(mat_row(exps, i), largest + i, factor != NULL ? factor + i : NULL,
                      mat_row(scores, i), open + (size_t)i * (size_t)cols, count, cols);
    }
}

float softmax_largest(float largest, const float *scores, const uint8_t *open, int count) {
    float lane[LANES];
    int whole = count - count % LANES;
    for (int l = 0; whole > 0 && l < LANES; l++)
        lane[l] = largest;
    for (int j = 0; j < whole; j += LANES)
        for (int l = 0; l < LANES; l++) {
            float score = open[j + l] ? scores[j + l] : -INFINITY;
            lane[l] = score > lane[l] ? score : lane[l];
        }
    for (int j = whole; j < count; j++)
        largest = open[j] && scores[j] > largest ? scores[j] : largest;
    for (int l = 0; whole > 0 && l < LANES; l++)
        largest = lane[l] > largest ? lane[l] : largest;
    return largest;
}

void softmax_add(SoftmaxSum *sum, const float *exps, int first, int end) {
    int j = first;
    if (end - first < LANES) {
        for (; j < end; j++)
            sum->lane[j % LANES] += (double)exps[j];
        return;
    }
    double lane[LANES];
    memcpy(lane, sum->lane, sizeof lane);
    for (; j < end && j % LANES != 0; j++)
        lane[j % LANES] += (double)exps[j];
    for (; j + LANES <= end; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)exps[j + l];
    for (int l = 0; j + l < end; l++)
        lane[l] += (double)exps[j + l];
    memcpy(sum->lane, lane, sizeof lane);
}

void softmax_factors(float *factor, const double *lanes, size_t stride, int count) {
    for (int i = 0; i < count; i++) {
        double total = 0;
        for (size_t l = 0; l < LANES; l++)
            total += lanes[l * stride + (size_t)i];
        factor[i] = total == 0 ? 0 : 1 / (float)total;
    }
}

void softmax_scale(float *restrict weights, const float *restrict exps, float factor, int count) {
    for (int j = 0; j < count; j++)
        weights[j] = exps[j] * factor;
}

void softmax_spoil(float *exps, float factor, const uint8_t *open, int count) {
    for (int j = 0; j < count; j++)
        exps[j] = open[j] ? exps[j] * factor : 0;
}

void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open) {
    int cols = weights->cols, together = cols < BLOCK_ENTRIES ? BLOCK_ENTRIES / cols : 1;
    assert(weights->rows == scores->rows && weights->stride == cols && scores->stride == cols);
    float largest[BLOCK_ENTRIES], factor[BLOCK_ENTRIES];
    for (int i = 0; i < weights->rows; i += together) {
        int count = weights->rows - i < together ? weights->rows - i : together;
        Mat exps = mat_rows(weights, i, count), from = mat_rows(scores, i, count);
        const uint8_t *keys = open + (size_t)i * (size_t)cols;
        softmax_exps(&exps, largest, factor, &from, keys);
        for (int r = 0; r < count; r++)
            if (isfinite(factor[r]))
                for (int j = 0; j < cols; j++)
                    mat_row(&exps, r)[j] *= factor[r];
            else
                softmax_spoil(mat_row(&exps, r), factor[r], keys + r * cols, cols);
    }
}

double softmax_entropy(const float *weights, int count) {
    double lane[LANES] = {0}, sum = 0;
    int whole = count - count % LANES;
    for (int j = 0; j < whole; j += LANES)
        for (int l = 0; l < LANES; l++) {
            double w = (double)weights[j + l];
            lane[l] -= w * ln_normal(w == 0 ? 1 : w);
        }
    for (int j = whole; j < count; j++) {
        double w = (double)weights[j];
        sum -= w * ln_normal(w == 0 ? 1 : w);
    }
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}
