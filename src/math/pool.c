#include "math/pool.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define CHUNK 128 /* columns that are processed at a time */

/* Return bits that sort like magnitudes: NaN and +∞ are equal and the largest, −∞ the smallest. No
 * branch, so the loops vectorise. */
static inline int32_t rank_of(float value) {
    uint32_t bits, magnitude;
    memcpy(&bits, &value, sizeof bits);
    magnitude = bits & 0x7FFFFFFFu;
    magnitude = magnitude < 0x7F800000u ? magnitude : 0x7F800000u;
    return bits == 0xFF800000u ? -1 : (int32_t)magnitude;
}

static inline float larger(float a, float b) {
    return rank_of(b) > rank_of(a) ? b : a;
}

static void pool_columns(float best[CHUNK], const Mat *in, int row, int count, int col, int width) {
    for (int k = 0; k < CHUNK; k++)
        best[k] = -INFINITY;
    for (int i = row; i < row + count; i++) {
        const float *from = mat_row(in, i) + col;
        for (int k = 0; width == CHUNK && k < CHUNK; k++)
            best[k] = larger(best[k], from[k]);
        for (int k = 0; width < CHUNK && k < width; k++)
            best[k] = larger(best[k], from[k]);
    }
}

static void pool_row(float *to, const Mat *in, int side, int row, int count) {
    float best[CHUNK], most = -INFINITY;
    int left = side;
    for (int col = 0; col < in->cols; col += CHUNK) {
        int width = col + CHUNK < in->cols ? CHUNK : in->cols - col;
        pool_columns(best, in, row, count, col, width);
        for (int k = 0; k < width; k++) {
            most = larger(most, best[k]);
            if (--left > 0)
                continue;
            *to++ = most;
            most = -INFINITY;
            left = side;
        }
    }
    if (left < side)
        *to = most;
}

void pool_blocks(Mat *out, const Mat *in, int rows, int cols) {
    assert(rows > 0 && cols > 0 && out->rows == (in->rows + rows - 1) / rows);
    assert(out->cols == (in->cols + cols - 1) / cols);
    for (int i = 0; i < out->rows; i++) {
        int row = i * rows, count = row + rows < in->rows ? rows : in->rows - row;
        pool_row(mat_row(out, i), in, cols, row, count);
    }
}
