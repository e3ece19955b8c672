#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/expect.h"
#include "model/layer.h"

static int scheme_named(const char *id) {
    int index = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_in_range(index, 0, SCHEME_REGISTRY.count - 1);
    return index;
}

/* Sums of squares over many seeds; of S only what two different tokens give. */
typedef struct Measured {
    double Q, K, V, S, Z, Y;
} Measured;

static double mean_square(const Mat *m, int block, bool diagonal) {
    double squares = 0, count = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            if (diagonal || i % block != j) {
                squares += (double)mat_row(m, i)[j] * (double)mat_row(m, i)[j];
                count++;
            }
    return squares / count;
}

static Measured measure(AttnShape shape, SchemePlan plan, MaskKind mask, int seeds) {
    Measured sum = {0};
    Layer layer;
    layer_init(&layer, shape, mask, 1);
    for (plan.seed = 1; plan.seed <= (uint64_t)seeds; plan.seed++) {
        Err err;
        layer_draw(&layer.x, 1, plan.seed, 1000);
        assert_true(scheme_draw(&layer.params, &shape, &plan, &err));
        layer_forward(&layer);
        sum.Q += mean_square(&layer.trace.Q, 1, true) / seeds;
        sum.K += mean_square(&layer.trace.K, 1, true) / seeds;
        sum.V += mean_square(&layer.trace.V, 1, true) / seeds;
        sum.S += mean_square(&layer.trace.S, shape.T, false) / seeds;
        sum.Z += mean_square(&layer.trace.Z, 1, true) / seeds;
        sum.Y += mean_square(&layer.trace.Y, 1, true) / seeds;
    }
    layer_release(&layer);
    return sum;
}

static void assert_near(double mean_of_squares, double expected, double tolerance, const char *id,
                        const char *what) {
    if (!(fabs(sqrt(mean_of_squares) - expected) <= tolerance * expected))
        fail_msg("%s: %s is %.6g, expected %.6g", id, what, sqrt(mean_of_squares), expected);
}

/* D, H·K and H·V all differ, so that a fan taken the wrong way round shows. */
static const AttnShape SHAPES[] = {
    {.T = 8, .D = 24, .H = 2, .K = 4, .V = 20, .form = FORM_SEPARATE, .score_factor = 0.5F},
    {.T = 8, .D = 10, .H = 3, .K = 8, .V = 2, .form = FORM_SEPARATE, .score_factor = 0.25F},
    {.T = 8, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 0.35355338F}};

static void every_scheme_does_as_expected(void **state) {
    (void)state;
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++)
        for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
            const char *id = registry_entry(&SCHEME_REGISTRY, scheme)->id;
            SchemePlan plan = scheme_plan(scheme, 1, 0);
            Expected e = expect(&SHAPES[s], &plan, NULL);
            if (SCHEMES[scheme].law == SCHEME_PAIRED) {
                assert_true(isnan(e.Q) && isnan(e.K) && isnan(e.V) && isnan(e.S));
                continue;
            }
            Measured m = measure(SHAPES[s], plan, MASK_NONE, 600);
            assert_near(m.Q, e.Q, 0.03, id, "Q");
            assert_near(m.K, e.K, 0.03, id, "K");
            assert_near(m.V, e.V, 0.03, id, "V");
            if (SCHEMES[scheme].law == SCHEME_CENTRED)
                assert_near(m.S, e.S, 0.05, id, "S");
            else
                assert_true(isnan(e.S));
        }
}

/* Two to the power of -½ on each side of the product: half the deviation. A million scores. */
static void the_fused_matrix_halves_the_scores(void **state) {
    (void)state;
    SchemePlan right = scheme_plan(scheme_named("xavier_uniform"), 1, 0);
    SchemePlan fused = scheme_plan(scheme_named("xavier_fused"), 1, 0);
    SchemePlan fixed = scheme_plan(scheme_named("xavier_fused_fixed"), 1, 0);
    const AttnShape *shape = &SHAPES[2];
    double whole = expect(shape, &right, NULL).S, half = expect(shape, &fused, NULL).S;
    assert_true(fabs(whole - 1) < 1e-6);
    assert_true(fabs(half - 0.5) < 1e-6);
    assert_true(fabs(expect(shape, &fixed, NULL).S - 1) < 1e-6);
    assert_near(measure(*shape, fused, MASK_NONE, 9000).S, half, 0.01, "xavier_fused", "S");
    assert_near(measure(*shape, right, MASK_NONE, 9000).S, whole, 0.01, "xavier_uniform", "S");
}

static void mixed_schemes_are_known_where_one_is_drawn(void **state) {
    (void)state;
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
        SchemePlan plan = scheme_plan(scheme_named("identity"), 1, 0);
        plan.scheme[ATTN_W_K] = scheme_named("he_normal");
        assert_near(measure(SHAPES[s], plan, MASK_NONE, 2000).S, expect(&SHAPES[s], &plan, NULL).S,
                    0.03, "identity and he_normal", "S");
        plan.scheme[ATTN_W_Q] = scheme_named("orthogonal");
        assert_near(measure(SHAPES[s], plan, MASK_NONE, 2000).S, expect(&SHAPES[s], &plan, NULL).S,
                    0.03, "orthogonal and he_normal", "S");
    }
}

/* Where all scores are 0, A is uniform over the open keys. */
static void outputs_are_known_without_scores(void **state) {
    (void)state;
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++)
        for (int causal = 0; causal < 2; causal++) {
            MaskKind kind = causal ? MASK_CAUSAL : MASK_NONE;
            SchemePlan plan = scheme_plan(scheme_named("lecun_normal"), 1, 0);
            plan.scheme[ATTN_W_Q] = scheme_named("zeros");
            Layer layer;
            layer_init(&layer, SHAPES[s], kind, 1);
            Expected e = expect(&SHAPES[s], &plan, &layer.mask);
            layer_release(&layer);
            Measured m = measure(SHAPES[s], plan, kind, 1500);
            assert_true(e.S == 0 && m.S == 0);
            assert_near(m.Z, e.Z, 0.03, "without scores", "Z");
            assert_near(m.Y, e.Y, 0.03, "without scores", "Y");
        }
}

static void nothing_comes_of_zeros(void **state) {
    (void)state;
    SchemePlan plan = scheme_plan(scheme_named("xavier_normal"), 1, 0);
    assert_true(isnan(expect(&SHAPES[0], &plan, NULL).Z));
    assert_true(isnan(expect(&SHAPES[0], &plan, NULL).Y));
    plan.scheme[ATTN_W_O] = scheme_named("zeros");
    assert_true(expect(&SHAPES[0], &plan, NULL).Y == 0);
    plan.scheme[ATTN_W_V] = scheme_named("zeros");
    assert_true(expect(&SHAPES[0], &plan, NULL).Z == 0);
    plan.scheme[ATTN_W_Q] = scheme_named("mimetic");
    plan.scheme[ATTN_W_K] = scheme_named("zeros");
    assert_true(expect(&SHAPES[0], &plan, NULL).S == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_does_as_expected),
        cmocka_unit_test(the_fused_matrix_halves_the_scores),
        cmocka_unit_test(mixed_schemes_are_known_where_one_is_drawn),
        cmocka_unit_test(outputs_are_known_without_scores),
        cmocka_unit_test(nothing_comes_of_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
