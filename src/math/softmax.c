#include "math/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ln.h"

/* Partial results side by side, so that the compiler may vectorise a maximum or a sum without
 * being allowed to reorder one. Entry j goes to lane j % LANES wherever the row ends, so that
 * closed keys at the end, which are 0, change no sum. */
#define LANES 8

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

static float sum_of(const float *row, int count) {
    double lane[LANES] = {0}, sum = 0;
    int whole = count - count % LANES;
    for (int j = 0; j < whole; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += (double)row[j + l];
    for (int j = whole; j < count; j++)
        lane[j - whole] += (double)row[j];
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return (float)sum;
}

static void softmax_block(float *weights, const float *scores, const uint8_t *open, int rows,
                          int cols) {
    int entries = rows * cols;
    for (int e = 0; e < entries; e++)
        weights[e] = open[e] ? scores[e] : -INFINITY;
    for (int i = 0; i < rows; i++) {
        float *row = weights + i * cols, largest = largest_of(row, cols);
        for (int j = 0; j < cols; j++)
            row[j] -= largest;
    }
    for (int e = 0; e < entries; e++)
        weights[e] = exp_inline(weights[e]);
    for (int i = 0; i < rows; i++) {
        float *row = weights + i * cols, factor = 1 / sum_of(row, cols);
        for (int j = 0; j < cols; j++)
            row[j] *= factor;
    }
    for (int e = 0; e < entries; e++)
        weights[e] = open[e] ? weights[e] : 0;
}

void softmax_rows(Mat *weights, const Mat *scores, const uint8_t *open) {
    int rows = weights->rows, cols = weights->cols;
    assert(rows == scores->rows && cols == scores->cols && cols > 0);
    assert(weights->stride == cols && scores->stride == cols);
    int together = cols < BLOCK_ENTRIES ? BLOCK_ENTRIES / cols : 1;
    for (int i = 0; i < rows; i += together) {
        int count = rows - i < together ? rows - i : together;
        size_t at = (size_t)i * (size_t)cols;
        softmax_block(weights->at + at, scores->at + at, open + at, count, cols);
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
