#include <math.h>
#include <string.h>

#include "math/softmax.h"
#include "model/analysis/spectrum.h"
#include "model/analysis/stats.h"
#include "model/layer.h"
#include "support/test.h"

#define CLOSE 1e-6

static Mat over(float *at, int rows, int cols) {
    return (Mat){at, rows, cols, cols};
}

TEST(deviation_of_known_values) {
    float values[] = {2, 4, 4, 4, 5, 5, 7, 9}, one[] = {3};
    Mat m = over(values, 2, 4), single = over(one, 1, 1), none = {0};
    assert_float_equal(stats_std(&m), 2, 1e-12);
    assert_true(stats_std(&single) == 0);
    assert_true(stats_std(&none) == 0);
}

TEST(deviation_far_from_zero) {
    float values[] = {16777000, 16777001, 16777002, 16777003};
    Mat m = over(values, 4, 1);
    assert_true(fabs(stats_std(&m) - sqrt(1.25)) < 1e-12);
    values[2] = NAN;
    assert_true(isnan(stats_std(&m)));
}

TEST(deviation_looks_only_at_the_view) {
    float values[] = {1, 3, 1e30F, 1, 3, NAN};
    Mat view = {values, 2, 2, 3};
    assert_true(stats_std(&view) == 1);
}

/* One pass over the entries says the same as two. */
TEST(deviation_agrees_with_two_passes) {
    static float at[37 * 41];
    for (int c = 0; c < 6; c++) {
        Mat m = {at, 37, 33 + c, 41};
        double centre = pow(10, c - 2), mean = 0, squares = 0;
        layer_draw(&m, 1, 5, (uint64_t)c);
        for (int i = 0; i < m.rows; i++)
            for (int j = 0; j < m.cols; j++) {
                mat_row(&m, i)[j] += (float)centre;
                mean += (double)mat_row(&m, i)[j] / (m.rows * m.cols);
            }
        for (int i = 0; i < m.rows; i++)
            for (int j = 0; j < m.cols; j++)
                squares += pow((double)mat_row(&m, i)[j] - mean, 2);
        assert_true(fabs(stats_std(&m) / sqrt(squares / (m.rows * m.cols)) - 1) < 1e-12);
    }
}

/* Two heads of three tokens under a causal mask. Values of closed pairs do not count. */
TEST(all_heads_together) {
    float S[] = {1, NAN, NAN, 2, 3, NAN, 4, 5, 6, 7, NAN, NAN, 8, 9, NAN, 10, 11, 12};
    float A[] = {1, 0, 0, 0.5F, 0.5F, 0, 0.25F, 0.25F, 0.5F, 1, 0, 0, 0, 1, 0, 1, 0, 0};
    uint8_t open[] = {1, 0, 0, 1, 1, 0, 1, 1, 1}, closed[9] = {0};
    Mask mask = {open, 3}, none = {closed, 3};
    Mat scores = over(S, 6, 3), weights = over(A, 6, 3);
    assert_true(fabs(stats_score_std(&scores, &mask) - sqrt(143.0 / 12)) < 1e-12);
    assert_true(fabs(stats_mean_entropy(&weights, &mask) - 2.5 * log(2) / 6) < 1e-12);
    assert_true(fabs(stats_mean_largest(&weights, &mask) - 5.0 / 6) < 1e-12);
    assert_true(stats_score_std(&scores, &none) == 0);
    assert_true(stats_mean_entropy(&weights, &none) == 0);
}

TEST(uniform_causal_head) {
    float S[16] = {0}, A[16] = {0};
    uint8_t open[16] = {0};
    double entropy = 0, self = 0, distance = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            A[i * 4 + j] = 1.0F / (float)(i + 1);
            open[i * 4 + j] = 1;
            distance += (double)(i - j) / (i + 1) / 4;
        }
        entropy += log(i + 1) / 4;
        self += 1.0 / (i + 1) / 4;
    }
    Mat scores = over(S, 4, 4), weights = over(A, 4, 4);
    Mask mask = {open, 4};
    HeadStats stats;
    stats_head(&stats, &scores, &weights, &mask);
    assert_float_equal(stats.entropy, entropy, CLOSE);
    assert_float_equal(stats.entropy_uniform, entropy, CLOSE);
    assert_float_equal(stats.to_self, self, CLOSE);
    assert_float_equal(stats.distance, distance, CLOSE);
    assert_true(stats.largest == 1 && stats.score_std == 0);
}

TEST(closed_pairs_and_empty_rows_are_left_out) {
    float step = logf(3); /* so that A is the softmax of S; open: 1; none; 2 and 2 + ln 3 */
    float S[9] = {1, 1e30F, 1e30F, 5, 6, NAN, 2, 2 + step, 0};
    float A[9] = {1, 0, 0, 0, 0, 0, 0.25F, 0.75F, 0};
    uint8_t open[9] = {1, 0, 0, 0, 0, 0, 1, 1, 0};
    Mat scores = over(S, 3, 3), weights = over(A, 3, 3);
    Mask mask = {open, 3};
    HeadStats stats;
    stats_head(&stats, &scores, &weights, &mask);
    double row = -0.25 * log(0.25) - 0.75 * log(0.75);
    assert_float_equal(stats.entropy, row / 2, CLOSE);
    assert_float_equal(stats.entropy_uniform, log(2) / 2, CLOSE);
    double high = 2 + (double)step, mean = (3 + high) / 3;
    double squares = (1 + 4 + high * high) / 3 - mean * mean;
    assert_float_equal(stats.score_std, sqrt(squares), CLOSE);
    assert_float_equal(stats.to_self, 0.5, CLOSE);
    assert_float_equal(stats.distance, (0.25 * 2 + 0.75) / 2, CLOSE);
}

TEST(nothing_open_is_all_zero) {
    float S[4] = {1, NAN, 3, 4}, A[4] = {0};
    uint8_t open[4] = {0};
    Mat scores = over(S, 2, 2), weights = over(A, 2, 2);
    Mask mask = {open, 2};
    HeadStats stats, zero = {0};
    stats_head(&stats, &scores, &weights, &mask);
    assert_memory_equal(&stats, &zero, sizeof stats);
}

TEST(what_is_not_a_number_shows) {
    float S[4] = {1, NAN, 3, 4}, A[4] = {NAN, NAN, 0.5F, 0.5F};
    uint8_t open[4] = {1, 1, 1, 1};
    Mat scores = over(S, 2, 2), weights = over(A, 2, 2);
    Mask mask = {open, 2};
    HeadStats stats;
    stats_head(&stats, &scores, &weights, &mask);
    assert_true(isnan(stats.entropy) && isnan(stats.largest) && isnan(stats.to_self));
    assert_true(isnan(stats.distance) && isnan(stats.score_std));
    assert_true(!isnan(stats.entropy_uniform));
}

static int drawn_rank(int D, int K, int rank) {
    ARENA(arena, 4 * mat_bytes(D, K) + 2 * mat_bytes(K, K));
    Mat q = mat_push(&arena, D, K), k = mat_push(&arena, D, K);
    layer_draw(&q, 1, 3, 1);
    layer_draw(&k, 1, 3, 2);
    for (int i = 0; i < D; i++)
        for (int j = rank; j < K; j++)
            mat_row(&q, i)[j] = j % 2 == 0 ? 0 : 2 * mat_row(&q, i)[0];
    int found = spectrum_rank(&q, &k);
    return found;
}

TEST(rank_of_a_product) {
    assert_int_equal(drawn_rank(64, 16, 16), 16);
    assert_int_equal(drawn_rank(64, 16, 5), 5);
    assert_int_equal(drawn_rank(8, 20, 20), 8);
    assert_int_equal(drawn_rank(8, 20, 3), 3);
    assert_int_equal(drawn_rank(12, 12, 12), 12);
    assert_int_equal(drawn_rank(1, 1, 1), 1);
}

TEST(rank_at_the_edges) {
    float zeros[12] = {0}, bad[12] = {0};
    bad[5] = INFINITY;
    Mat zero = over(zeros, 4, 3), spoilt = over(bad, 4, 3);
    assert_int_equal(spectrum_rank(&zero, &zero), 0);
    assert_int_equal(spectrum_rank(&zero, &spoilt), -1);
    assert_int_equal(spectrum_rank(&spoilt, &zero), -1);
}

/* Rows of two, three and one open key; the last has no choice and does not count. */
static double saturation_of(float first, float second) {
    float scores[9] = {0};
    float weights[9] = {first, 1 - first, 0, second, second, 1 - 2 * second, 1, 0, 0};
    uint8_t open[9] = {1, 1, 0, 1, 1, 1, 1, 0, 0};
    Mat S = over(scores, 3, 3), A = over(weights, 3, 3);
    Mask mask = {open, 3};
    HeadStats stats;
    stats_head(&stats, &S, &A, &mask);
    return stats.saturation;
}

TEST(saturation_of_known_rows) {
    assert_true(fabs(saturation_of(0.5F, 1.0F / 3)) < 1e-6);
    assert_true(fabs(saturation_of(1, 0) - 1) < 1e-6);
    assert_true(fabs(saturation_of(1, 1.0F / 3) - 0.5) < 1e-6);
    assert_true(fabs(saturation_of(0.5F, 0.5F) - 0.5 * (1 - 0.5 / (2.0 / 3))) < 1e-6);
    assert_true(isnan(saturation_of(NAN, 0)));
    float one[1] = {1};
    uint8_t open[1] = {1};
    Mat A = over(one, 1, 1);
    HeadStats stats;
    stats_head(&stats, &A, &A, &(Mask){open, 1});
    assert_true(stats.saturation == 0);
}

TEST(residual_of_known_rows) {
    float zeros[6] = {0}, alike[6] = {3, -1, 3, -1, 3, -1}, unit[4] = {1, 0, 0, 1},
          centred[4] = {2, -5, -2, 5};
    Mat zero = over(zeros, 3, 2), same = over(alike, 3, 2), identity = over(unit, 2, 2),
        around = over(centred, 2, 2);
    assert_true(stats_row_residual(&zero) == 0);
    assert_true(stats_row_residual(&same) < 1e-12);
    assert_true(fabs(stats_row_residual(&identity) - sqrt(0.5)) < 1e-12);
    assert_true(fabs(stats_row_residual(&around) - 1) < 1e-12);
    unit[3] = INFINITY;
    assert_true(isnan(stats_row_residual(&identity)));
}

TEST(the_sharpest_weight_is_that_of_a_softmax_over_all_keys) {
    enum { T = 37 };
    static float scores[2 * T * T], scaled[2 * T * T], weights[2 * T * T];
    static uint8_t open[2 * T * T];
    Mat S = over(scores, 2 * T, T), cold = over(scaled, 2 * T, T), A = over(weights, 2 * T, T);
    memset(open, 1, sizeof open);
    layer_draw(&S, 2, 5, 77);
    const double factors[] = {0.25, 1, 7.84};
    for (int f = 0; f < 3; f++) {
        for (int i = 0; i < 2 * T * T; i++)
            scaled[i] = scores[i] * (float)factors[f];
        softmax_rows(&A, &cold, open);
        assert_float_equal(stats_sharpest(&S, factors[f]), mat_largest(&A), CLOSE);
    }
    float odd[] = {NAN, 1, 0, 0};
    Mat rows = over(odd, 2, 2);
    assert_float_equal(stats_sharpest(&rows, 1), 0.5, 1e-12);
}
