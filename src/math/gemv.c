#include "math/gemv.h"

#include <assert.h>
#include <string.h>

#include "math/lanes.h"

#define DEEP 8 /* rows of b that one pass over out takes */

/* A few rows of b, which follow each other in memory, are added to all of out. */
static inline void add_rows(float *out, const float *a, const Mat *b, int first, int deep) {
    int whole = b->cols - b->cols % LANES;
    const float *from = mat_row(b, first);
    size_t stride = (size_t)b->stride;
    for (int j = 0; j < whole; j += LANES) {
        Lanes sum = lanes_load(out + j);
        for (int p = 0; p < deep; p++)
            sum += a[first + p] * lanes_load(from + (size_t)p * stride + j);
        lanes_store(out + j, sum);
    }
    int rest = b->cols - whole;
    if (rest == 0)
        return;
    Lanes sum = lanes_load_some(out + whole, rest);
    for (int p = 0; p < deep; p++)
        sum += a[first + p] * lanes_load_some(from + (size_t)p * stride + whole, rest);
    lanes_store_some(out + whole, sum, rest);
}

static void scale(float *out, int cols, float factor) {
    for (int j = 0; factor != 1 && j < cols; j++)
        out[j] *= factor;
}

void gemv(Mat *out, const Mat *a, const Mat *b, float factor) {
    assert(out->rows == 1 && a->rows == 1 && a->cols == b->rows && out->cols == b->cols);
    int whole = b->rows - b->rows % DEEP;
    memset(out->at, 0, (size_t)out->cols * sizeof *out->at);
    for (int p = 0; p < whole; p += DEEP)
        add_rows(out->at, a->at, b, p, DEEP);
    for (int p = whole; p < b->rows; p++)
        add_rows(out->at, a->at, b, p, 1);
    scale(out->at, out->cols, factor);
}

/* Entries of out by LANES rows of b, turned square by square so that vectors run over rows. */
static void add_squares(float *out, const float *a, const float *b, ptrdiff_t stride, int depth) {
    Lanes sum = {0};
    float square[LANES * LANES] __attribute__((aligned(64)));
    int whole = depth - depth % LANES;
    for (int p = 0; p < whole; p += LANES) {
        lanes_turn(square, LANES, b + p, stride, LANES, LANES);
        LANES_UNROLL for (int q = 0; q < LANES; q++) sum +=
            a[p + q] * lanes_load(square + q * LANES);
    }
    for (int p = whole; p < depth; p++) {
        for (int r = 0; r < LANES; r++)
            square[r] = b[r * stride + p];
        sum += a[p] * lanes_load(square);
    }
    lanes_store(out, sum);
}

void gemv_turned(Mat *out, const Mat *a, const Mat *b, float factor) {
    assert(out->rows == 1 && a->rows == 1 && a->cols == b->cols && out->cols == b->rows);
    int whole = b->rows - b->rows % LANES;
    for (int j = 0; j < whole; j += LANES)
        add_squares(out->at + j, a->at, mat_row(b, j), b->stride, b->cols);
    for (int j = whole; j < b->rows; j++) {
        Lanes sum = {0};
        const float *row = mat_row(b, j);
        for (int p = 0; p < b->cols; p++)
            sum += a->at[p] * (Lanes){row[p]};
        out->at[j] = sum[0];
    }
    scale(out->at, out->cols, factor);
}
