#include <math.h>

#include "base/util.h"
#include "math/decompose.h"
#include "model/analysis/factor_transform.h"
#include "support/test.h"

#define SIDE           24
#define CONDITION_MOST 60 /* a larger one lets rounding be seen in the product */

static const int WIDTH_SWEEP_SIZES[] = {1, 2, 3, 16, 24};
static const float TURNS[] = {0, 0.01f, 0.5f, 1};

typedef struct Pair {
    Arena arena;
    Mat r, inverse;
    double largest, condition; /* of R's singular values, the largest over the smallest */
} Pair;

static void make(Pair *p, int m, FactorTransform transform) {
    double sigma[SIDE];
    *p = (Pair){0};
    must(arena_reserve(&p->arena, 3 * mat_bytes(m, m), &told));
    ARENA(scratch, mat_bytes(m, m));
    Mat frame = mat_push(&p->arena, m, m);
    p->r = mat_push(&p->arena, m, m);
    p->inverse = mat_push(&p->arena, m, m);
    must(factor_transform_frame(&frame, transform.seed, &told));
    factor_transform_apply(&p->r, &frame, &frame, &transform, FACTOR_LEFT, &scratch); /* of W = I */
    factor_transform_apply(&p->inverse, &frame, &frame, &transform, FACTOR_RIGHT, &scratch);
    assert_int_equal(scratch.used, 0);
    must(decompose_matrix(NULL, sigma, NULL, &p->r, &told));
    p->largest = sigma[0];
    p->condition = sigma[0] / sigma[m - 1];
}

/* R·(R⁻ᵀ)ᵀ = I, within the precision that the condition number allows. */
TEST(its_inverse_undoes_it) {
    for (size_t w = 0; w < ARRAY_COUNT(WIDTH_SWEEP_SIZES); w++)
        for (size_t t = 0; t < ARRAY_COUNT(TURNS); t++)
            for (int rotation = 0; rotation < 2; rotation++) {
                float at[SIDE * SIDE];
                int m = WIDTH_SWEEP_SIZES[w];
                Pair p;
                make(&p, m, (FactorTransform){rotation != 0, TURNS[t], w + 7});
                Mat product = {at, m, m, m};
                mat_mul_bt(&product, &p.r, &p.inverse, 1);
                for (int i = 0; i < m; i++)
                    for (int j = 0; j < m; j++)
                        assert_true(fabs((double)mat_row(&product, i)[j] - (i == j)) <
                                    4e-6 * p.condition);
                arena_release(&p.arena);
            }
}

/* A rotation keeps lengths, and every other R stretches by the stated factor, also at the end of a
 * turn. */
TEST(stretches_as_it_says) {
    for (size_t w = 0; w < ARRAY_COUNT(WIDTH_SWEEP_SIZES); w++)
        for (size_t t = 0; t < ARRAY_COUNT(TURNS); t++) {
            int m = WIDTH_SWEEP_SIZES[w];
            Pair rotation, any;
            make(&rotation, m, (FactorTransform){true, TURNS[t], w + 3});
            make(&any, m, (FactorTransform){false, TURNS[t], w + 3});
            assert_true(fabs(rotation.largest - 1) < 1e-5);
            assert_true(fabs(rotation.condition - 1) < 1e-5);
            double expected = m > 1 ? exp(4 * (double)TURNS[t]) : 1;
            assert_true(fabs(any.condition / expected - 1) < 1e-3);
            assert_true(any.condition <= CONDITION_MOST);
            arena_release(&rotation.arena);
            arena_release(&any.arena);
        }
}

/* At 0 it is the identity, and another seed is another R. */
TEST(starts_at_the_identity) {
    Pair p, q;
    make(&p, 16, (FactorTransform){false, 0, 1});
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            assert_true(fabs((double)mat_row(&p.r, i)[j] - (i == j)) < 1e-6);
    arena_release(&p.arena);
    make(&p, 16, (FactorTransform){true, 1, 1});
    make(&q, 16, (FactorTransform){true, 1, 2});
    assert_true(mat_max_difference(&p.r, &q.r) > 0.1f);
    arena_release(&p.arena);
    arena_release(&q.arena);
}

TEST(says_how_far_a_matrix_moved) {
    float a[] = {3, 4}, b[] = {3, 4}, c[] = {0, 0};
    Mat m = {a, 1, 2, 2}, same = {b, 1, 2, 2}, zero = {c, 1, 2, 2};
    assert_true(factor_transform_moved(&m, &same) == 0);
    assert_true(fabs(factor_transform_moved(&m, &zero) - 1) < 1e-12);
    assert_true(factor_transform_moved(&zero, &zero) == 0);
    assert_true(isinf(factor_transform_moved(&zero, &m)));
}
