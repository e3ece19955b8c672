#include <math.h>

#include "base/rng.h"
#include "model/analysis/pagerank.h"
#include "support/test.h"

TEST(two_tokens_have_the_closed_form) {
    /* r0 = d(a r0 + c r1) + (1-d)/2 with rows (a, 1-a) and (c, 1-c). */
    float values[4] = {0.9f, 0.1f, 0.4f, 0.6f};
    Mat weights = {values, 2, 2, 2};
    double rank[2], scratch[4], d = PAGERANK_DAMPING;
    pagerank(rank, &weights, scratch);
    double expected = (d * 0.4 + (1 - d) / 2) / (1 - d * (0.9 - 0.4));
    assert_true(fabs(rank[0] - expected) < 1e-6);
    assert_true(fabs(rank[0] + rank[1] - 1) < 1e-9);
}

TEST(uniform_attention_ranks_all_alike) {
    float values[25];
    for (int i = 0; i < 25; i++)
        values[i] = 0.2f;
    Mat weights = {values, 5, 5, 5};
    double rank[5], scratch[10];
    pagerank(rank, &weights, scratch);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(rank[i] - 0.2) < 1e-7);
}

TEST(rows_that_read_nothing_go_anywhere) {
    float values[9] = {0, 0, 0, NAN, -1, INFINITY, 0, 0, 0};
    Mat weights = {values, 3, 3, 3};
    double rank[3], scratch[6];
    pagerank(rank, &weights, scratch);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(rank[i] - 1.0 / 3) < 1e-9);
}

TEST(the_result_is_a_fixed_point) {
    enum { T = 30 };
    float values[T * T];
    double rank[T], scratch[2 * T];
    for (int i = 0; i < T * T; i++)
        values[i] = (float)rng_uniform(rng_stream(4, 0), (uint64_t)i);
    Mat weights = {values, T, T, T};
    pagerank(rank, &weights, scratch);
    for (int j = 0; j < T; j++) {
        double arrives = (1 - PAGERANK_DAMPING) / T;
        for (int i = 0; i < T; i++) {
            double sum = 0;
            for (int k = 0; k < T; k++)
                sum += (double)values[i * T + k];
            arrives += PAGERANK_DAMPING * rank[i] * (double)values[i * T + j] / sum;
        }
        assert_true(fabs(arrives - rank[j]) < 1e-8);
    }
}
