#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "model/role.h"

#define T_MOST 24

typedef struct Bench {
    float weights_at[T_MOST * T_MOST], alike_at[T_MOST * T_MOST];
    uint8_t open[T_MOST * T_MOST];
    Mat weights, alike;
    Mask mask;
    Role role;
} Bench;

static void bench_open(Bench *b, int T, bool causal) {
    memset(b, 0, sizeof *b);
    b->weights = (Mat){b->weights_at, T, T, T};
    b->alike = (Mat){b->alike_at, T, T, T};
    b->mask = (Mask){b->open, T};
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            b->open[i * T + j] = !causal || j <= i;
            mat_row(&b->alike, i)[j] = i == j ? 1 : 0.1f;
        }
}

static void measure(Bench *b) {
    role_of(&b->role, &b->weights, &b->mask, &b->alike);
}

/* Row i gives share to the key that key_of names and the rest evenly to its open keys. */
static void lean(Bench *b, float share, int (*key_of)(int)) {
    int T = b->weights.rows;
    for (int i = 0; i < T; i++) {
        int n = mask_open_keys(&b->mask, i);
        for (int j = 0; j < T; j++)
            mat_row(&b->weights, i)[j] = mask_row(&b->mask, i)[j] ? (1 - share) / (float)n : 0;
        mat_row(&b->weights, i)[key_of(i)] += share;
    }
}

static int previous(int i) {
    return i > 0 ? i - 1 : 0;
}
static int self(int i) {
    return i;
}
static int first(int i) {
    (void)i;
    return 0;
}

static void a_head_that_leans_is_named_for_it(void **state) {
    (void)state;
    static int (*const keys[])(int) = {previous, self, first};
    Bench b;
    for (int causal = 0; causal < 2; causal++)
        for (int kind = 0; kind <= ROLE_FIRST; kind++) {
            bench_open(&b, 12, causal);
            lean(&b, 0.8f, keys[kind]);
            measure(&b);
            assert_int_equal(b.role.kind, kind);
            const RoleMeasure *m = &b.role.of[kind];
            assert_true(fabs(m->value - (0.8 + 0.2 * m->chance)) < 1e-5);
            assert_true(fabs(role_excess(m) - 0.8) < 1e-5);
        }
}

static void uniform_rows_are_spread_and_at_chance_elsewhere(void **state) {
    (void)state;
    Bench b;
    for (int T = 2; T <= T_MOST; T++) {
        bench_open(&b, T, T % 2);
        lean(&b, 0, self);
        measure(&b);
        assert_int_equal(b.role.kind, ROLE_SPREAD);
        assert_true(fabs(b.role.of[ROLE_SPREAD].value - 1) < 1e-6);
        for (int kind = 0; kind <= ROLE_FIRST; kind++)
            assert_true(fabs(role_excess(&b.role.of[kind])) < 1e-6);
        assert_true(isnan(b.role.of[ROLE_CONTENT].value));
    }
}

/* Rows drawn evenly from the simplex: exponentials over their sum. */
static void the_chance_of_spread_is_that_of_a_random_row(void **state) {
    (void)state;
    Bench b;
    double value = 0, chance = 0;
    for (uint64_t draw = 0; draw < 400; draw++) {
        Rng rng = rng_stream(draw, 7);
        bench_open(&b, 10, false);
        for (int i = 0; i < 10; i++) {
            double sum = 0;
            for (int j = 0; j < 10; j++)
                sum += -log(1 - rng_uniform(rng, (uint64_t)(i * 10 + j)));
            for (int j = 0; j < 10; j++)
                mat_row(&b.weights, i)[j] =
                    (float)(-log(1 - rng_uniform(rng, (uint64_t)(i * 10 + j))) / sum);
        }
        measure(&b);
        value += b.role.of[ROLE_SPREAD].value / 400;
        chance = b.role.of[ROLE_SPREAD].chance;
    }
    assert_true(fabs(value - chance) < 0.003);
}

static void weights_that_follow_likeness_are_content(void **state) {
    (void)state;
    Bench b;
    bench_open(&b, 12, false);
    for (int i = 0; i < 12; i++) {
        float sum = 0;
        for (int j = 0; j < 12; j++) {
            bool alike = i % 3 == j % 3 && i != j;
            mat_row(&b.alike, i)[j] = alike ? 0.9f : 0.05f;
            mat_row(&b.weights, i)[j] = alike ? 1 : 0.01f;
            sum += mat_row(&b.weights, i)[j];
        }
        for (int j = 0; j < 12; j++)
            mat_row(&b.weights, i)[j] /= sum;
    }
    measure(&b);
    assert_int_equal(b.role.kind, ROLE_CONTENT);
    assert_true(fabs(b.role.of[ROLE_CONTENT].value - 1) < 1e-5);
    assert_true(fabs(b.role.of[ROLE_CONTENT].chance - 2 / sqrt(131)) < 1e-9);
}

static void without_a_choice_nothing_is_claimed(void **state) {
    (void)state;
    Bench b;
    bench_open(&b, 1, false);
    b.weights_at[0] = 1;
    measure(&b);
    assert_int_equal(b.role.kind, ROLE_MIXED);
    bench_open(&b, 4, false);
    memset(b.open, 0, sizeof b.open);
    measure(&b);
    assert_int_equal(b.role.kind, ROLE_MIXED);
    for (int kind = 0; kind < ROLE_COUNT; kind++)
        assert_true(isnan(b.role.of[kind].value));
    bench_open(&b, 4, false);
    lean(&b, 0.5f, self);
    b.weights_at[2] = NAN;
    measure(&b);
    assert_true(isnan(b.role.of[ROLE_SPREAD].value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_that_leans_is_named_for_it),
        cmocka_unit_test(uniform_rows_are_spread_and_at_chance_elsewhere),
        cmocka_unit_test(the_chance_of_spread_is_that_of_a_random_row),
        cmocka_unit_test(weights_that_follow_likeness_are_content),
        cmocka_unit_test(without_a_choice_nothing_is_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
