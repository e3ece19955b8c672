#include <math.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/norm.h"
#include "support/test.h"

enum { ROWS = 3, MOST = 40 };

static Mat drawn(float *at, int cols, uint64_t stream) {
    Mat m = {at, ROWS, cols, cols};
    Rng rng = rng_stream(11, stream);
    for (int e = 0; e < ROWS * cols; e++)
        at[e] = (float)(rng_normal(rng, (uint64_t)e) * 3 + 50);
    return m;
}

TEST(rows_have_mean_0_and_deviation_1) {
    for (int cols = 2; cols <= MOST; cols++) {
        float room[ROWS * MOST], normal[ROWS * MOST];
        Mat x = drawn(room, cols, 1), y = {normal, ROWS, cols, cols};
        norm_rows(&y, &x, (NormKind){0});
        for (int i = 0; i < ROWS; i++) {
            double mean = 0, square = 0;
            for (int j = 0; j < cols; j++) {
                mean += (double)mat_row(&y, i)[j] / cols;
                square += pow((double)mat_row(&y, i)[j], 2) / cols;
            }
            assert_true(fabs(mean) < 1e-5 && fabs(square - 1) < 2e-3);
        }
    }
}

/* With a variance of 0 ε alone is left, and nothing is divided by 0. */
TEST(equal_entries_become_0) {
    float room[] = {3, 3, 3, 7}, out[4];
    Mat x = {room, 1, 3, 3}, y = {out, 1, 3, 3}, one = {room + 3, 1, 1, 1}, z = {out + 3, 1, 1, 1};
    norm_rows(&y, &x, (NormKind){0});
    norm_rows(&z, &one, (NormKind){0});
    for (int e = 0; e < 4; e++)
        assert_true(out[e] == 0);
}

static double loss(const double *x, const float *dy, int count) {
    double mean = 0, variance = 0, sum = 0;
    for (int j = 0; j < count; j++)
        mean += x[j] / count;
    for (int j = 0; j < count; j++)
        variance += pow(x[j] - mean, 2) / count;
    for (int j = 0; j < count; j++)
        sum += (double)dy[j] * (x[j] - mean) / sqrt(variance + NORM_EPSILON);
    return sum;
}

TEST(gradients_are_slopes) {
    static const int widths[] = {1, 2, 3, 8, MOST};
    for (size_t w = 0; w < ARRAY_COUNT(widths); w++) {
        int cols = widths[w];
        float room[ROWS * MOST], droom[ROWS * MOST], out[ROWS * MOST];
        Mat x = drawn(room, cols, 2), dy = drawn(droom, cols, 3), dx = {out, ROWS, cols, cols};
        norm_rows_back(&dx, &dy, &x, (NormKind){0});
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < cols; j++) {
                double row[MOST], step = 1e-5;
                for (int c = 0; c < cols; c++)
                    row[c] = (double)mat_row(&x, i)[c] + (c == j) * step;
                double above = loss(row, mat_row(&dy, i), cols);
                row[j] -= 2 * step;
                double slope = (above - loss(row, mat_row(&dy, i), cols)) / (2 * step);
                assert_true(fabs((double)mat_row(&dx, i)[j] - slope) < 1e-5 + 1e-5 * fabs(slope));
            }
        norm_rows_back(&dy, &dy, &x, (NormKind){0});
        assert_memory_equal(droom, out, (size_t)(ROWS * cols) * sizeof *out);
    }
}
