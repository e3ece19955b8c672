#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/pool.h"
#include "support/test.h"

#define ROWS 37
#define COLS 300 /* two chunks and a part of one */

static Mat make(float *values, int rows, int cols) {
    return (Mat){values, rows, cols, cols};
}

static double magnitude(float v) {
    return v == -INFINITY ? -1 : isfinite(v) ? (double)fabsf(v) : (double)INFINITY;
}

/* Every entry is the largest of its block, also if the block has NaN and closed entries. */
TEST(every_block_keeps_its_extreme) {
    static float values[ROWS * COLS], small[ROWS * COLS];
    Rng rng = rng_stream(5, 0);
    for (uint64_t i = 0; i < ROWS * COLS; i++) {
        double kind = rng_uniform(rng, 2 * i);
        float number = (float)(2 * rng_uniform(rng, 2 * i + 1) - 1);
        values[i] = kind < 0.6 ? -INFINITY : kind > 0.998 ? NAN : kind > 0.996 ? INFINITY : number;
    }
    Mat in = make(values, ROWS, COLS);
    for (int side = 1; side <= 40; side += side < 8 ? 1 : 8) {
        Mat out = make(small, (ROWS + side - 1) / side, (COLS + side - 1) / side);
        pool_blocks(&out, &in, side, side);
        for (int i = 0; i < out.rows; i++)
            for (int j = 0; j < out.cols; j++) {
                double most = -1;
                for (int r = i * side; r < (i + 1) * side && r < ROWS; r++)
                    for (int c = j * side; c < (j + 1) * side && c < COLS; c++)
                        most = fmax(most, magnitude(mat_row(&in, r)[c]));
                assert_true(magnitude(mat_row(&out, i)[j]) == most);
            }
    }
}

/* Blocks need not be square. */
TEST(rows_and_columns_are_pooled_apart) {
    float values[] = {1, -2, 3, 4, -5, 6, 7, 8, 9, -10, 11, 12}, small[4];
    Mat in = make(values, 3, 4), out = make(small, 2, 2), column = make(small, 1, 4);
    pool_blocks(&out, &in, 2, 3);
    assert_true(small[0] == 7 && small[1] == 8 && small[2] == 11 && small[3] == 12);
    pool_blocks(&column, &in, 3, 1);
    assert_true(small[0] == 9 && small[1] == -10 && small[2] == 11 && small[3] == 12);
}

TEST(a_sign_stays) {
    float values[] = {1, -2, 0, 0.5f, -0.25f, 0.125f}, small[2];
    Mat in = make(values, 2, 3), out = make(small, 1, 2);
    pool_blocks(&out, &in, 2, 2);
    assert_true(small[0] == -2 && small[1] == 0.125f);
}
