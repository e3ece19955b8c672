#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/lanes.h"
#include "math/softmax.h"
#include "support/test.h"

#define COLS 5

static void softmax_5(float *weights, const float *scores, const uint8_t *open) {
    float in[COLS];
    memcpy(in, scores, sizeof in);
    Mat out = {weights, 1, COLS, COLS}, from = {in, 1, COLS, COLS};
    softmax_rows(&out, &from, open);
}

static const uint8_t ALL[COLS] = {1, 1, 1, 1, 1};

static float exp_of(float x) {
    return lanes_exp((Lanes){0} + x)[0];
}

TEST(exp_is_close_everywhere) {
    for (double x = 8; x > -87; x -= 0.0037) {
        double exact = exp((double)(float)x);
        assert_true(fabs((double)exp_of((float)x) / exact - 1) < 3e-7);
    }
}

TEST(exp_at_the_ends) {
    assert_true(exp_of(0) == 1);
    assert_true(exp_of(-0.0F) == 1);
    assert_true(exp_of(-1e-30F) == 1);
    assert_true(exp_of(-87) > 0);
    assert_true(exp_of(-88) == 0);
    assert_true(exp_of(-FLT_MAX) == 0);
    assert_true(exp_of(-INFINITY) == 0);
    assert_true(isnan(exp_of(NAN)));
}

TEST(known_weights) {
    const float scores[COLS] = {0, logf(2), logf(3), 100, 0};
    const uint8_t open[COLS] = {1, 1, 1, 0, 0};
    float weights[COLS];
    softmax_5(weights, scores, open);
    assert_float_equal(weights[0], 1.0 / 6, 1e-7);
    assert_float_equal(weights[1], 2.0 / 6, 1e-7);
    assert_float_equal(weights[2], 3.0 / 6, 1e-7);
    assert_true(weights[3] == 0 && weights[4] == 0);
}

TEST(single_open_key_weighs_exactly_one) {
    const float scores[COLS] = {NAN, INFINITY, -71.3F, NAN, -INFINITY};
    const uint8_t open[COLS] = {0, 0, 1, 0, 0};
    float weights[COLS];
    softmax_5(weights, scores, open);
    for (int j = 0; j < COLS; j++)
        assert_true(weights[j] == (j == 2 ? 1.0F : 0.0F));
}

TEST(no_open_key_gives_zeros) {
    const float scores[COLS] = {1, NAN, INFINITY, -INFINITY, 5};
    const uint8_t none[COLS] = {0};
    float weights[COLS];
    softmax_5(weights, scores, none);
    for (int j = 0; j < COLS; j++)
        assert_true(weights[j] == 0);
}

TEST(huge_scores_do_not_overflow) {
    const float scores[COLS] = {FLT_MAX, FLT_MAX, -FLT_MAX, 0, 1e30F};
    float weights[COLS];
    softmax_5(weights, scores, ALL);
    assert_true(weights[0] == 0.5F && weights[1] == 0.5F);
    assert_true(weights[2] == 0 && weights[3] == 0 && weights[4] == 0);
}

TEST(minus_infinity_weighs_nothing_beside_a_number) {
    const float scores[COLS] = {-INFINITY, 3, 3, -INFINITY, -INFINITY};
    float weights[COLS];
    softmax_5(weights, scores, ALL);
    assert_true(weights[0] == 0 && weights[1] == 0.5F && weights[2] == 0.5F);
}

static void assert_spoilt(float bad, float rest) {
    float scores[COLS] = {rest, rest, bad, rest, rest}, weights[COLS];
    const uint8_t open[COLS] = {1, 1, 1, 0, 1};
    softmax_5(weights, scores, open);
    for (int j = 0; j < COLS; j++)
        assert_true(j == 3 ? weights[j] == 0 : isnan(weights[j]));
}

TEST(what_is_not_finite_shows) {
    assert_spoilt(NAN, 1);
    assert_spoilt(INFINITY, 1);
    assert_spoilt(NAN, -INFINITY);
    assert_spoilt(-INFINITY, -INFINITY);
}

TEST(one_bad_row_leaves_the_others) {
    float scores[3 * COLS] = {0}, weights[3 * COLS];
    uint8_t open[3 * COLS];
    memset(open, 1, sizeof open);
    scores[COLS + 1] = NAN;
    Mat out = {weights, 3, COLS, COLS}, in = {scores, 3, COLS, COLS};
    softmax_rows(&out, &in, open);
    for (int j = 0; j < COLS; j++) {
        assert_float_equal(weights[j], 0.2F, 1e-7);
        assert_true(isnan(weights[COLS + j]));
        assert_float_equal(weights[2 * COLS + j], 0.2F, 1e-7);
    }
}

static void assert_row(const float *weights, const float *scores, const uint8_t *open, int cols) {
    double largest = -INFINITY, sum = 0, total = 0;
    for (int j = 0; j < cols; j++)
        largest = open[j] ? fmax(largest, (double)scores[j]) : largest;
    for (int j = 0; j < cols; j++)
        sum += open[j] ? exp((double)scores[j] - largest) : 0;
    for (int j = 0; j < cols; j++) {
        double exact = open[j] ? exp((double)scores[j] - largest) / sum : 0;
        assert_true(fabs((double)weights[j] - exact) <= 1e-6 * exact + 1e-37);
        total += (double)weights[j];
    }
    assert_true(isinf(largest) || fabs(total - 1) < 1e-6);
}

/* Widths around the vector lengths and the block size, in place as well. */
TEST(every_width_agrees_with_double) {
    static const int widths[] = {1, 2, 7, 8, 9, 13, 15, 16, 17, 31, 64, 333, 2047, 2049, 4096};
    enum { ROWS = 70, WIDEST = 4096 };
    float *scores = malloc(ROWS * WIDEST * sizeof *scores);
    float *weights = malloc(ROWS * WIDEST * sizeof *weights);
    uint8_t *open = malloc(ROWS * WIDEST);
    assert_true(scores != NULL && weights != NULL && open != NULL);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        int cols = widths[w], rows = cols > 100 ? 3 : ROWS;
        Rng rng = rng_stream(1, (uint64_t)cols);
        for (int e = 0; e < rows * cols; e++) {
            scores[e] = (float)(4 * rng_normal(rng, (uint64_t)e) - 50);
            open[e] = rng_bits(rng, (uint64_t)e) % 4 != 0;
        }
        Mat in = {scores, rows, cols, cols}, out = {weights, rows, cols, cols};
        softmax_rows(&out, &in, open);
        for (int i = 0; i < rows; i++)
            assert_row(mat_row(&out, i), mat_row(&in, i), open + i * cols, cols);
        softmax_rows(&in, &in, open);
        assert_memory_equal(scores, weights, (size_t)(rows * cols) * sizeof *scores);
    }
    free(scores), free(weights), free(open);
}

/* Every derivative of a weight by a score, w_k·([j = k] − w_j), by weights in double. */
TEST(gradients_are_the_jacobian) {
    enum { MOST = 70 };
    static const int widths[] = {1, 2, 7, 8, 9, 31, 64, MOST};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        int cols = widths[w];
        float scores[MOST], weights[MOST], dweights[MOST], dscores[MOST];
        double exact[MOST], largest = -INFINITY, sum = 0;
        uint8_t open[MOST];
        Rng rng = rng_stream(3, (uint64_t)cols);
        for (int j = 0; j < cols; j++) {
            scores[j] = (float)(3 * rng_normal(rng, (uint64_t)j));
            dweights[j] = (float)rng_normal(rng, (uint64_t)(j + cols));
            open[j] = j == 0 || j % 3 != 2;
            largest = open[j] ? fmax(largest, (double)scores[j]) : largest;
        }
        for (int j = 0; j < cols; j++)
            sum += exact[j] = open[j] ? exp((double)scores[j] - largest) : 0;
        Mat in = {scores, 1, cols, cols}, out = {weights, 1, cols, cols};
        Mat din = {dweights, 1, cols, cols}, dout = {dscores, 1, cols, cols};
        softmax_rows(&out, &in, open);
        softmax_rows_back(&dout, &out, &din);
        for (int j = 0; j < cols; j++) {
            double expected = 0;
            for (int k = 0; k < cols; k++)
                expected +=
                    (double)dweights[k] * exact[k] / sum * ((double)(j == k) - exact[j] / sum);
            assert_true(fabs((double)dscores[j] - expected) < 1e-6);
            assert_true(open[j] || dscores[j] == 0);
        }
        softmax_rows_back(&din, &out, &din);
        assert_memory_equal(dweights, dscores, (size_t)cols * sizeof *dscores);
    }
}

/* If one key gets all weight but a billionth, the gradients have that size, and the same relative
 * precision. */
TEST(gradients_of_a_saturated_row_keep_their_digits) {
    float scores[] = {30.1F, 9.3F, 8.7F, 30.1F - 18}, dweights[] = {5.3F, 1.1F, -2.9F, 5.9F};
    float weights[4], dscores[4];
    uint8_t open[] = {1, 1, 1, 1};
    double exact[4], sum = 0, mean = 0;
    Mat in = {scores, 1, 4, 4}, out = {weights, 1, 4, 4};
    Mat din = {dweights, 1, 4, 4}, dout = {dscores, 1, 4, 4};
    softmax_rows(&out, &in, open);
    softmax_rows_back(&dout, &out, &din);
    for (int j = 0; j < 4; j++)
        sum += exact[j] = exp((double)scores[j] - (double)scores[0]);
    for (int j = 0; j < 4; j++)
        mean += exact[j] / sum * ((double)dweights[j] - (double)dweights[0]);
    for (int j = 0; j < 4; j++) {
        double expected = exact[j] / sum * ((double)dweights[j] - (double)dweights[0] - mean);
        assert_true(fabs((double)dscores[j] - expected) < 2e-6 * fabs(expected));
    }
}

TEST(a_row_without_weights_has_no_gradient) {
    float weights[] = {0, 0, 0, 1}, dweights[] = {1, -2, 3, 4}, dscores[4];
    Mat out = {weights, 2, 2, 2}, din = {dweights, 2, 2, 2}, dout = {dscores, 2, 2, 2};
    softmax_rows_back(&dout, &out, &din);
    for (int e = 0; e < 4; e++)
        assert_true(dscores[e] == 0);
}

/* One weight at a time over all of float's range, then rows of every length around the vectors'. */
TEST(entropy_agrees_with_the_library) {
    for (double x = 1; x > 1e-45; x *= 0.9973) {
        float w = (float)x;
        double exact = -(double)w * log((double)w);
        assert_true(fabs(softmax_entropy(&w, 1) - exact) <= 1e-15 * fabs(exact) + 1e-300);
    }
    float weights[70];
    Rng rng = rng_stream(4, 0);
    for (int count = 0; count <= 70; count++) {
        double exact = 0;
        for (int j = 0; j < count; j++) {
            weights[j] = j % 7 == 3 ? 0 : (float)rng_uniform(rng, (uint64_t)j) / (float)count;
            exact -= weights[j] > 0 ? (double)weights[j] * log((double)weights[j]) : 0;
        }
        assert_true(fabs(softmax_entropy(weights, count) - exact) < 1e-14);
    }
    weights[40] = NAN;
    assert_true(isnan(softmax_entropy(weights, 70)) && !isnan(softmax_entropy(weights, 40)));
    const float sure[] = {0, 1, 0};
    float zeros[] = {0, 0};
    assert_true(softmax_entropy(sure, 3) == 0 && softmax_entropy(zeros, 2) == 0);
}

/* The terms that are shown make the weight, however large or small the scores are. */
TEST(terms_make_the_weight) {
    static const float shifts[] = {-418, -20, 0, 3, 20, 700};
    const uint8_t open[] = {1, 0, 1, 1};
    for (size_t k = 0; k < ARRAY_COUNT(shifts); k++) {
        float scores[] = {shifts[k] + 1, shifts[k] + 9, shifts[k] - 2, shifts[k] + 0.5F};
        SoftmaxTerms first = softmax_terms(scores, open, 4, 0);
        SoftmaxTerms closed = softmax_terms(scores, open, 4, 1);
        assert_true(first.largest == (double)scores[0] && first.power == 1);
        assert_true(fabs(first.sum - (1 + exp(-3) + exp(-0.5))) < 1e-4);
        assert_true(closed.power == 0 && closed.sum == first.sum);
        assert_true(softmax_terms(scores, open, 1, 0).sum == 1); /* one number is all there is */
    }
    const uint8_t none[] = {0, 0, 0, 0};
    const float scores[] = {1, 2, 3, 4};
    assert_true(softmax_terms(scores, none, 4, 2).sum == 0);
}
