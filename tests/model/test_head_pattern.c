#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "model/analysis/head_pattern.h"
#include "support/test.h"

#define T_MOST 24
#define WORDS  5 /* the words repeat after so many tokens */

typedef struct Bench {
    float weights_at[T_MOST * T_MOST], alike_at[T_MOST * T_MOST];
    uint8_t open[T_MOST * T_MOST];
    int word[T_MOST];
    Mat weights, alike;
    Mask mask;
    HeadPattern role;
} Bench;

static void bench_open(Bench *b, int T, bool causal) {
    memset(b, 0, sizeof *b);
    b->weights = (Mat){b->weights_at, T, T, T};
    b->alike = (Mat){b->alike_at, T, T, T};
    b->mask = (Mask){b->open, T};
    for (int i = 0; i < T; i++)
        b->word[i] = i % WORDS;
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            b->open[i * T + j] = !causal || j <= i;
            mat_row(&b->alike, i)[j] = i == j ? 1 : 0.1f;
        }
}

static void measure(Bench *b) {
    head_pattern_of(&b->role, &b->weights, &b->mask, &b->alike, b->word);
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
static int followed(int i) {
    return i >= WORDS ? i - WORDS + 1 : 0;
}

TEST(a_head_that_leans_is_named_for_it) {
    static int (*const keys[])(int) = {previous, self, first, followed};
    Bench b;
    for (int causal = 0; causal < 2; causal++)
        for (int kind = 0; kind <= PATTERN_INDUCTION; kind++) {
            bench_open(&b, 12, causal);
            lean(&b, 0.8f, keys[kind]);
            measure(&b);
            assert_int_equal(b.role.kind, kind);
            const HeadPatternMeasure *m = &b.role.of[kind];
            assert_true(m->value > 0.8 && m->value < 0.9);
            assert_true(m->chance > 0 && m->chance < (causal ? 0.6 : 0.2));
            assert_true(fabs(head_pattern_excess(m) - (m->value - m->chance) / (1 - m->chance)) <
                        1e-12);
        }
}

TEST(uniform_rows_are_spread_and_at_chance_elsewhere) {
    Bench b;
    for (int T = 6; T <= T_MOST; T++) {
        bench_open(&b, T, T % 2);
        lean(&b, 0, self);
        measure(&b);
        assert_int_equal(b.role.kind, PATTERN_SPREAD);
        assert_true(fabs(b.role.of[PATTERN_SPREAD].value - 1) < 1e-6);
        for (int kind = 0; kind <= PATTERN_INDUCTION; kind++)
            assert_true(head_pattern_excess(&b.role.of[kind]) < 0);
        assert_true(isnan(b.role.of[PATTERN_CONTENT].value));
    }
}

#define DRAWS 2000

/* Rows drawn evenly from all that sum to 1: exponentials over their sum. */
static void draw_rows(Bench *b, uint64_t seed) {
    Rng rng = rng_stream(seed, 7);
    int T = b->weights.rows;
    for (int i = 0; i < T; i++) {
        double sum = 0, drawn[T_MOST];
        int n = mask_open_keys(&b->mask, i);
        for (int j = 0; j < n; j++)
            sum += drawn[j] = -log(1 - rng_uniform(rng, (uint64_t)(i * T + j)));
        for (int j = 0; j < T; j++)
            mat_row(&b->weights, i)[j] = j < n ? (float)(drawn[j] / sum) : 0;
    }
}

TEST(chance_is_two_deviations_above_random_rows) {
    Bench b;
    for (int causal = 0; causal < 2; causal++)
        for (int kind = 0; kind <= PATTERN_SPREAD; kind++) {
            double sum = 0, squares = 0;
            bench_open(&b, 8, causal);
            for (uint64_t draw = 0; draw < DRAWS; draw++) {
                draw_rows(&b, draw);
                measure(&b);
                sum += b.role.of[kind].value;
                squares += b.role.of[kind].value * b.role.of[kind].value;
            }
            double mean = sum / DRAWS, std = sqrt(squares / DRAWS - mean * mean);
            assert_true(fabs(mean + 2 * std - b.role.of[kind].chance) < 0.1 * std);
        }
}

TEST(weights_that_follow_likeness_are_content) {
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
    assert_int_equal(b.role.kind, PATTERN_CONTENT);
    assert_true(fabs(b.role.of[PATTERN_CONTENT].value - 1) < 1e-5);
    assert_true(fabs(b.role.of[PATTERN_CONTENT].chance - 2 / sqrt(131)) < 1e-9);
}

TEST(without_a_choice_nothing_is_claimed) {
    Bench b;
    bench_open(&b, 1, false);
    b.weights_at[0] = 1;
    measure(&b);
    assert_int_equal(b.role.kind, PATTERN_MIXED);
    bench_open(&b, 4, false);
    memset(b.open, 0, sizeof b.open);
    measure(&b);
    assert_int_equal(b.role.kind, PATTERN_MIXED);
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        assert_true(isnan(b.role.of[kind].value));
    bench_open(&b, 4, false);
    lean(&b, 0.5f, self);
    b.weights_at[2] = NAN;
    measure(&b);
    assert_true(isnan(b.role.of[PATTERN_SPREAD].value));
}
