#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/layer.h"
#include "model/stats.h"

static const AttnShape SHAPES[] = {
    {4, 64, 4, 16, 16, FORM_SEPARATE, 1}, {4, 48, 2, 70, 9, FORM_SEPARATE, 1},
    {4, 96, 3, 8, 40, FORM_SEPARATE, 1},  {4, 1, 1, 1, 1, FORM_SEPARATE, 1},
    {4, 7, 1, 3, 2, FORM_SEPARATE, 1},
};

static int scheme_named(const char *id) {
    int index = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_in_range(index, 0, SCHEME_REGISTRY.count - 1);
    return index;
}

static void draw(Layer *layer, AttnShape shape, const char *id, uint64_t seed) {
    Err err;
    layer_init(layer, shape, MASK_NONE, 1);
    assert_true(scheme_draw(&layer->params, &shape, scheme_named(id), seed, &err));
}

/* Pooled over so many draws that its own deviation is known: with n entries the measured variance
 * is off by √(2/n) of itself for normal entries, and by less for the others. */
static void measure(AttnShape shape, int scheme, AttnParam param) {
    double squares = 0, sum = 0, count = 0;
    Layer layer;
    layer_init(&layer, shape, MASK_NONE, 1);
    Mat *w = &layer.params.p[param];
    int draws = 1 + 40000 / (w->rows * w->cols);
    for (int seed = 0; seed < draws; seed++) {
        Err err;
        assert_true(scheme_draw_one(w, &shape, scheme, param, (uint64_t)seed, &err));
        for (int i = 0; i < w->rows; i++)
            for (int j = 0; j < w->cols; j++) {
                sum += (double)mat_row(w, i)[j];
                squares += (double)mat_row(w, i)[j] * (double)mat_row(w, i)[j];
                count++;
            }
    }
    double measured = sqrt(squares / count - sum / count * (sum / count));
    double expected = scheme_deviation(scheme, param, &shape);
    if (!(fabs(measured - expected) <= 5 * expected / sqrt(2 * count) + 1e-7))
        fail_msg("%s %s (%d, %d): measured %.6g, expected %.6g",
                 registry_entry(&SCHEME_REGISTRY, scheme)->id, PARAMS[param].entry.id, w->rows,
                 w->cols, measured, expected);
    layer_release(&layer);
}

static void every_scheme_has_its_deviation(void **state) {
    (void)state;
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++)
        for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++)
            for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
                measure(SHAPES[s], scheme, p);
}

static void expected_deviations_are_the_papers(void **state) {
    (void)state;
    AttnShape s = {4, 64, 4, 8, 24, FORM_SEPARATE, 1}; /* H·K = 32, H·V = 96 */
    double e = 1e-12;
    int xavier = scheme_named("xavier_uniform"), he = scheme_named("he_normal");
    assert_true(fabs(scheme_deviation(xavier, ATTN_W_Q, &s) - sqrt(2.0 / 96)) < e);
    assert_true(fabs(scheme_deviation(xavier, ATTN_W_V, &s) - sqrt(2.0 / 160)) < e);
    assert_true(fabs(scheme_deviation(xavier, ATTN_W_O, &s) - sqrt(2.0 / 160)) < e);
    assert_true(fabs(scheme_deviation(he, ATTN_W_K, &s) - sqrt(2.0 / 64)) < e);
    assert_true(fabs(scheme_deviation(he, ATTN_W_O, &s) - sqrt(2.0 / 96)) < e);
    assert_true(fabs(scheme_deviation(scheme_named("normal"), ATTN_W_Q, &s) - 1) < e);
    assert_true(fabs(scheme_deviation(scheme_named("normal_002"), ATTN_W_O, &s) - 0.02) < e);
}

/* WᵀW or WWᵀ, whichever is the smaller, is the identity. */
static void assert_orthonormal(const Mat *w) {
    int count = w->rows < w->cols ? w->rows : w->cols;
    bool tall = w->rows >= w->cols;
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int p = 0; p < (tall ? w->rows : w->cols); p++)
                sum += tall ? (double)mat_row(w, p)[a] * (double)mat_row(w, p)[b]
                            : (double)mat_row(w, a)[p] * (double)mat_row(w, b)[p];
            assert_true(fabs(sum - (a == b)) < 2e-6);
        }
}

static void orthogonal_is_orthogonal(void **state) {
    (void)state;
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
        Layer layer;
        draw(&layer, SHAPES[s], "orthogonal", 3);
        for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
            assert_orthonormal(&layer.params.p[p]);
        layer_release(&layer);
    }
}

static void identity_is_exact(void **state) {
    (void)state;
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
        Layer layer;
        draw(&layer, SHAPES[s], "identity", 3);
        for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
            const Mat *w = &layer.params.p[p];
            for (int i = 0; i < w->rows; i++)
                for (int j = 0; j < w->cols; j++)
                    assert_true(mat_row(w, i)[j] == (i == j ? 1.0F : 0.0F));
        }
        layer_release(&layer);
    }
}

static bool same_bits(const Mat *a, const Mat *b) {
    for (int i = 0; i < a->rows; i++)
        if (memcmp(mat_row(a, i), mat_row(b, i), (size_t)a->cols * sizeof(float)) != 0)
            return false;
    return true;
}

static void a_seed_repeats_and_another_does_not(void **state) {
    (void)state;
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++) {
        const char *id = registry_entry(&SCHEME_REGISTRY, scheme)->id;
        bool drawn = strcmp(id, "identity") != 0;
        Layer one, again, other;
        draw(&one, SHAPES[0], id, 1);
        draw(&again, SHAPES[0], id, 1);
        draw(&other, SHAPES[0], id, UINT64_MAX);
        assert_true(same_bits(&one.params.fused, &again.params.fused));
        assert_true(same_bits(&one.params.p[ATTN_W_O], &again.params.p[ATTN_W_O]));
        assert_true(same_bits(&one.params.fused, &other.params.fused) != drawn);
        layer_release(&one), layer_release(&again), layer_release(&other);
    }
}

static void matrices_do_not_depend_on_each_other(void **state) {
    (void)state;
    Err err;
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++)
        for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
            Layer all, alone;
            draw(&all, SHAPES[1], registry_entry(&SCHEME_REGISTRY, scheme)->id, 9);
            layer_init(&alone, SHAPES[1], MASK_NONE, 1);
            assert_true(scheme_draw_one(&alone.params.p[p], &SHAPES[1], scheme, p, 9, &err));
            assert_true(same_bits(&all.params.p[p], &alone.params.p[p]));
            layer_release(&all), layer_release(&alone);
        }
}

static void assert_scaled(const Layer *a, const Layer *b, double factor) {
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        for (int i = 0; i < a->params.p[p].rows; i++)
            for (int j = 0; j < a->params.p[p].cols; j++) {
                double scaled = factor * (double)mat_row(&a->params.p[p], i)[j];
                double other = (double)mat_row(&b->params.p[p], i)[j];
                assert_true(fabs(scaled - other) <= 2e-7 * fabs(scaled));
            }
}

static void the_same_draws_underlie_all_scales(void **state) {
    (void)state;
    Layer normal, narrow, xavier;
    draw(&normal, SHAPES[0], "normal", 4);
    draw(&narrow, SHAPES[0], "normal_002", 4);
    draw(&xavier, SHAPES[0], "xavier_normal", 4);
    assert_scaled(&normal, &narrow, 0.02);
    assert_scaled(&normal, &xavier, 0.125);
    layer_release(&normal), layer_release(&narrow), layer_release(&xavier);
}

/* The normal is the quantile of the same uniform: entry by entry the ranks agree. */
static void uniform_and_normal_share_their_ranks(void **state) {
    (void)state;
    Layer uniform, normal;
    draw(&uniform, SHAPES[0], "xavier_uniform", 4);
    draw(&normal, SHAPES[0], "normal", 4);
    const Mat *u = &uniform.params.p[ATTN_W_K], *n = &normal.params.p[ATTN_W_K];
    for (int i = 0; i < u->rows; i++)
        for (int j = 0; j < u->cols; j++) {
            double share = 0.5 * (1 + (double)mat_row(u, i)[j] / (sqrt(3) * 0.125));
            double below = 0.5 * erfc(-(double)mat_row(n, i)[j] / sqrt(2));
            assert_true(fabs(share - below) < 1e-6);
        }
    layer_release(&uniform), layer_release(&normal);
}

static void uniform_stays_within_its_bounds(void **state) {
    (void)state;
    Layer layer;
    draw(&layer, SHAPES[0], "xavier_uniform", 4);
    float bound = (float)(sqrt(3) * 0.125), largest = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < layer.params.fused.cols; j++)
            largest = fmaxf(largest, fabsf(mat_row(&layer.params.fused, i)[j]));
    assert_true(largest <= bound && largest > 0.99F * bound);
    layer_release(&layer);
}

static void rows_are_complete_and_in_order(void **state) {
    (void)state;
    static const char *const ids[] = {"identity",      "normal",    "normal_002", "xavier_uniform",
                                      "xavier_normal", "he_normal", "orthogonal"};
    int last = -1;
    for (size_t i = 0; i < ARRAY_COUNT(ids); i++) {
        int index = scheme_named(ids[i]);
        assert_true(index > last);
        last = index;
    }
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        const Entry *e = registry_entry(&SCHEME_REGISTRY, i);
        assert_true(e->label[0] != '\0' && e->formula[0] != '\0' && e->help[0] != '\0');
        assert_true(SCHEMES[i].source[0] != '\0');
        assert_int_equal(registry_find(&SCHEME_REGISTRY, e->id, strlen(e->id)), i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_has_its_deviation),
        cmocka_unit_test(expected_deviations_are_the_papers),
        cmocka_unit_test(orthogonal_is_orthogonal),
        cmocka_unit_test(identity_is_exact),
        cmocka_unit_test(a_seed_repeats_and_another_does_not),
        cmocka_unit_test(matrices_do_not_depend_on_each_other),
        cmocka_unit_test(the_same_draws_underlie_all_scales),
        cmocka_unit_test(uniform_and_normal_share_their_ranks),
        cmocka_unit_test(uniform_stays_within_its_bounds),
        cmocka_unit_test(rows_are_complete_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
