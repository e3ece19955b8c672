#include <math.h>

#include "base/rng.h"
#include "model/analysis/rollout.h"
#include "support/test.h"

#define TOKENS 7
#define HEADS  3

static float room[6][HEADS * TOKENS * TOKENS];

static Mat mat(int at, int rows) {
    return (Mat){room[at], rows, TOKENS, TOKENS};
}

/* HEADS*TOKENS rows that sum to 1. */
static void fill(Mat *heads, uint64_t seed) {
    Rng rng = rng_stream(seed, 0);
    for (int i = 0; i < heads->rows; i++) {
        double sum = 0;
        for (int j = 0; j < TOKENS; j++)
            sum += rng_uniform(rng, (uint64_t)(i * TOKENS + j));
        for (int j = 0; j < TOKENS; j++)
            mat_row(heads, i)[j] = (float)(rng_uniform(rng, (uint64_t)(i * TOKENS + j)) / sum);
    }
}

static double row_sum(const Mat *m, int i) {
    double sum = 0;
    for (int j = 0; j < m->cols; j++)
        sum += (double)mat_row(m, i)[j];
    return sum;
}

TEST(the_mean_is_over_heads) {
    AttnShape shape = {.T = TOKENS, .H = HEADS};
    Mat heads = mat(0, HEADS * TOKENS), mean = mat(1, TOKENS);
    fill(&heads, 1);
    heads_mean(&mean, &heads, &shape);
    for (int i = 0; i < TOKENS; i++)
        for (int j = 0; j < TOKENS; j++) {
            double sum = 0;
            for (int h = 0; h < HEADS; h++)
                sum += (double)mat_row(&heads, h * TOKENS + i)[j];
            assert_true(fabs((double)mat_row(&mean, i)[j] - sum / HEADS) < 1e-7);
        }
}

/* By the definition, in double, layer upon layer. */
TEST(rollout_is_the_product_with_the_residual) {
    double expected[TOKENS][TOKENS], next[TOKENS][TOKENS];
    Mat rolled = mat(2, TOKENS), below = mat(3, TOKENS), scratch = mat(4, TOKENS),
        mean = mat(1, TOKENS);
    for (uint64_t layer = 0; layer < 4; layer++) {
        fill(&mean, 10 + layer);
        for (int i = 0; i < TOKENS; i++)
            for (int j = 0; j < TOKENS; j++) {
                next[i][j] = 0;
                for (int k = 0; k < TOKENS; k++) {
                    double a = 0.5 * (double)mat_row(&mean, i)[k] + (i == k ? 0.5 : 0);
                    next[i][j] += layer == 0 ? (k == j ? a : 0) : a * expected[k][j];
                }
            }
        rollout_step(&rolled, &scratch, &mean, layer == 0 ? NULL : &below);
        for (int i = 0; i < TOKENS; i++) {
            assert_true(fabs(row_sum(&rolled, i) - 1) < 1e-5);
            for (int j = 0; j < TOKENS; j++) {
                expected[i][j] = next[i][j];
                assert_true(fabs((double)mat_row(&rolled, i)[j] - expected[i][j]) < 1e-6);
            }
        }
        mat_copy(&below, &rolled);
    }
}

TEST(a_row_that_reads_nothing_keeps_itself) {
    Mat mean = mat(1, TOKENS), rolled = mat(2, TOKENS);
    for (int i = 0; i < TOKENS; i++)
        for (int j = 0; j < TOKENS; j++)
            mat_row(&mean, i)[j] = 0;
    rollout_step(&rolled, NULL, &mean, NULL);
    for (int i = 0; i < TOKENS; i++)
        for (int j = 0; j < TOKENS; j++)
            assert_true(mat_row(&rolled, i)[j] == (i == j ? 1 : 0));
}
