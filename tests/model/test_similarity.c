#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/analysis/similarity.h"
#include "support/test.h"

#define ROOM 64

/* Rows and their similarity; the rows are kept apart by columns that must not count. */
typedef struct Bench {
    float entries[ROOM * ROOM], cosines[ROOM * ROOM];
    Mat rows, out;
} Bench;

static void bench_open(Bench *b, int T, int D) {
    for (int i = 0; i < ROOM * ROOM; i++)
        b->entries[i] = b->cosines[i] = 7;
    b->rows = (Mat){b->entries, T, D, D + 1};
    b->out = (Mat){b->cosines, T, T, T + 1};
}

static void compute(Bench *b) {
    ARENA(scratch, similarity_scratch_bytes(b->rows.rows, b->rows.cols));
    similarity_cosine(&b->out, &b->rows, &scratch);
}

static void set_row(Bench *b, int row, const float *values) {
    memcpy(mat_row(&b->rows, row), values, (size_t)b->rows.cols * sizeof *values);
}

static double at(const Bench *b, int i, int j) {
    return (double)mat_row(&b->out, i)[j];
}

static void assert_near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %g", actual, expected, tolerance);
}

TEST(angles_are_what_they_are) {
    Bench b;
    bench_open(&b, 5, 2);
    set_row(&b, 0, (float[]){1, 0});
    set_row(&b, 1, (float[]){0, 3});
    set_row(&b, 2, (float[]){-2, 0});
    set_row(&b, 3, (float[]){5, 5});
    set_row(&b, 4, (float[]){1, 1.7320508f});
    compute(&b);
    assert_near(at(&b, 0, 1), 0, 0);
    assert_near(at(&b, 0, 2), -1, 0);
    assert_near(at(&b, 0, 3), sqrt(0.5), 1e-6);
    assert_near(at(&b, 0, 4), 0.5, 1e-6);
    assert_near(at(&b, 2, 4), -0.5, 1e-6);
    assert_near(b.cosines[5], 7, 0);
}

TEST(zero_rows_give_zero) {
    Bench b;
    bench_open(&b, 3, 4);
    set_row(&b, 0, (float[]){1, 2, 3, 4});
    set_row(&b, 1, (float[]){0, 0, -0.0f, 0});
    set_row(&b, 2, (float[]){1, 2, 3, 4});
    compute(&b);
    for (int j = 0; j < 3; j++)
        assert_near(fabs(at(&b, 1, j)) + fabs(at(&b, j, 1)), 0, 0);
    assert_near(at(&b, 0, 2), 1, 1e-6);
}

TEST(lengths_do_not_count) {
    Bench b;
    bench_open(&b, 4, 3);
    set_row(&b, 0, (float[]){FLT_MAX, FLT_MAX, 0});
    set_row(&b, 1, (float[]){1e-44f, 1e-44f, 0});
    set_row(&b, 2, (float[]){0, 1e-30f, 0});
    set_row(&b, 3, (float[]){-FLT_MAX, -FLT_MAX, FLT_MAX});
    compute(&b);
    assert_near(at(&b, 0, 1), 1, 1e-6);
    assert_near(at(&b, 0, 2), sqrt(0.5), 1e-6);
    assert_near(at(&b, 0, 3), -2 / sqrt(6), 1e-6);
}

TEST(what_is_not_finite_spreads_no_further) {
    Bench b;
    bench_open(&b, 4, 3);
    set_row(&b, 0, (float[]){1, 2, 3});
    set_row(&b, 1, (float[]){1, NAN, 3});
    set_row(&b, 2, (float[]){INFINITY, 0, 0});
    set_row(&b, 3, (float[]){3, 2, 1});
    compute(&b);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            bool wrong = i == 1 || j == 1 || i == 2 || j == 2;
            assert_int_equal(isnan(at(&b, i, j)) != 0, wrong);
        }
    assert_near(at(&b, 0, 3), 10.0 / 14, 1e-6);
}

/* Against the definition in double; symmetric, within -1 and 1, and 1 on the diagonal. */
TEST(random_rows_follow_the_definition) {
    for (uint64_t round = 0; round < 40; round++) {
        Rng rng = rng_stream(9, round);
        Bench b;
        int T = 1 + (int)(rng_bits(rng, 0) % 40), D = 1 + (int)(rng_bits(rng, 1) % 60);
        bench_open(&b, T, D);
        for (int i = 0; i < T; i++)
            for (int j = 0; j < D; j++)
                mat_row(&b.rows, i)[j] = (float)rng_normal(rng, 2 + (uint64_t)(i * D + j));
        compute(&b);
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++) {
                double dot = 0, left = 0, right = 0;
                for (int k = 0; k < D; k++) {
                    double x = (double)mat_row(&b.rows, i)[k], y = (double)mat_row(&b.rows, j)[k];
                    dot += x * y;
                    left += x * x;
                    right += y * y;
                }
                assert_near(at(&b, i, j), dot / sqrt(left * right), 1e-6);
                assert_true(at(&b, i, j) == at(&b, j, i) && fabs(at(&b, i, j)) <= 1);
            }
        for (int i = 0; i < T; i++)
            assert_near(at(&b, i, i), 1, 0);
    }
}
