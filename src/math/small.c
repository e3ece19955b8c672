#include "math/small.h"

#include <assert.h>
#include <string.h>

/* A tile is TILE_ROWS vectors of LANES floats, which the compiler keeps in registers. The vector
 * type is GCC's and Clang's portable one: a narrower machine splits it.
 *
 * Where this pays was measured against OpenBLAS 0.3.21 on one core, µs there and here:
 *   (rows, depth)·(depth, cols)    BLAS   512 bits   256 bits
 *   (8, 64)·(64, 192)              2.66       1.28       2.25
 *   (8, 8)·(8, 16)                0.086      0.045      0.063
 *   (13, 64)·(64, 64)              1.33       0.98       1.60
 *   (13, 256)·(256, 512)           55.0       22.5       45.1
 *   (32, 32)·(32, 16)              0.46       0.49       0.62
 * So 512 bits take everything with few rows, and less than that only the smallest. A transposed
 * operand would have to be copied column by column, which BLAS does better at any size. */
#ifdef __AVX512F__
#define LANES          16
#define SMALL_PRODUCTS (1 << 30)
#else
#define LANES          8
#define SMALL_PRODUCTS (1 << 11)
#endif
#define TILE_ROWS   8
#define SMALL_ROWS  32
#define SMALL_DEPTH 256 /* keeps the packed copies, 24 KB, on the stack and in the first cache */
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));

bool small_fits(const Mat *a, const Mat *b) {
    return a->rows <= SMALL_ROWS && b->rows <= SMALL_DEPTH &&
           (long long)a->rows * b->rows * b->cols <= SMALL_PRODUCTS;
}

static int at_most(int a, int b) {
    return a < b ? a : b;
}

/* Rows first.. of a, depth by depth; where a ends inside the tile its last row is repeated. */
static void pack_rows(float *packed, const Mat *a, int first) {
    for (int r = 0; r < TILE_ROWS; r++) {
        const float *row = mat_row(a, at_most(first + r, a->rows - 1));
        for (int p = 0; p < a->cols; p++)
            packed[p * TILE_ROWS + r] = row[p];
    }
}

/* The last, incomplete LANES columns of b, filled up with 0. */
static void pack_cols(float *packed, const Mat *b, int first) {
    size_t count = (size_t)(b->cols - first);
    memset(packed, 0, (size_t)b->rows * LANES * sizeof *packed);
    for (int p = 0; p < b->rows; p++)
        memcpy(packed + p * LANES, mat_row(b, p) + first, count * sizeof *packed);
}

static void multiply_tile(Lanes *tile, const float *a, const float *b, int b_stride, int depth) {
    Lanes sum[TILE_ROWS] = {0};
    for (int p = 0; p < depth; p++) {
        Lanes row;
        memcpy(&row, b + (size_t)p * (size_t)b_stride, sizeof row);
        for (int r = 0; r < TILE_ROWS; r++)
            sum[r] += a[p * TILE_ROWS + r] * row;
    }
    memcpy(tile, sum, sizeof sum);
}

static void store_tile(Mat *out, const Lanes *tile, int row, int col, float factor) {
    int rows = at_most(out->rows - row, TILE_ROWS), cols = at_most(out->cols - col, LANES);
    for (int r = 0; r < rows; r++) {
        Lanes scaled = tile[r] * factor;
        memcpy(mat_row(out, row + r) + col, &scaled, (size_t)cols * sizeof(float));
    }
}

void small_mul(Mat *out, const Mat *a, const Mat *b, float factor) {
    assert(small_fits(a, b));
    float rows[SMALL_DEPTH * TILE_ROWS], cols[SMALL_DEPTH * LANES];
    int whole = b->cols - b->cols % LANES;
    if (whole < b->cols)
        pack_cols(cols, b, whole);
    for (int i = 0; i < a->rows; i += TILE_ROWS) {
        Lanes tile[TILE_ROWS];
        pack_rows(rows, a, i);
        for (int j = 0; j < whole; j += LANES) {
            multiply_tile(tile, rows, b->at + j, b->stride, b->rows);
            store_tile(out, tile, i, j, factor);
        }
        if (whole < b->cols) {
            multiply_tile(tile, rows, cols, LANES, b->rows);
            store_tile(out, tile, i, whole, factor);
        }
    }
}
