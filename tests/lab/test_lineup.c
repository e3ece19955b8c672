/* Schemes side by side, and the broken ones of Spot the bug. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "lab/bugs.h"
#include "lab/lineup.h"
#include "model/layer.h"
#include "model/stats.h"

#define T 10
#define D 32

static int scheme_named(const char *id) {
    int row = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_true(row >= 0);
    return row;
}

static StudyPlan plan_of(const Layer *layer, const char *const *ids, int count) {
    StudyPlan plan = {.shape = layer->shape,
                      .x = &layer->x,
                      .mask = layer->mask,
                      .scheme_count = count,
                      .layers = 1,
                      .seeds = 1,
                      .parts = STUDY_FILES | STUDY_SIGNAL};
    for (int i = 0; i < count; i++) {
        int scheme = scheme_named(ids[i]);
        plan.schemes[i] = (StudyScheme){scheme, scheme_plan(scheme, 1, 5)};
    }
    return plan;
}

static void columns_are_the_study_of_their_scheme(void **state) {
    (void)state;
    static const char *const ids[] = {"xavier_uniform", "normal", "zeros"};
    Layer layer;
    Lineup lineup = {0};
    Study study;
    StudyBench bench;
    Err err;
    layer_init(&layer, bug_shape(T, D), MASK_CAUSAL, 3);
    StudyPlan plan = plan_of(&layer, ids, 3);
    assert_true(study_init(&study, &plan, &err) && study_bench_init(&bench, &plan, &err));
    assert_true(study_step(&study, &bench, 3, &err));
    for (int count = 3; count >= 1; count--) { /* fewer columns keep the memory of more */
        plan.scheme_count = count;
        assert_true(lineup_make(&lineup, &(LineupPlan){.study = &plan}, NULL, &err));
        for (int i = 0; i < count; i++)
            for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
                float a = lineup.values[i][s], b = study_value(&study, i, 0, 0, s);
                assert_true(a == b || (isnan(a) && isnan(b)));
            }
    }
    lineup_release(&lineup);
    study_release(&study);
    study_bench_release(&bench);
    layer_release(&layer);
}

static void every_value_is_counted_or_beyond(void **state) {
    (void)state;
    static const char *const ids[] = {"xavier_uniform", "he_normal", "identity", "zeros"};
    Layer layer;
    Lineup lineup = {0};
    Err err;
    layer_init(&layer, bug_shape(T, D), MASK_CAUSAL, 3);
    StudyPlan plan = plan_of(&layer, ids, 4);
    for (LineupSpread s = 0; s < SPREAD_COUNT; s++) {
        assert_true(lineup_make(&lineup, &(LineupPlan){&plan, s, NULL}, NULL, &err));
        for (int i = 0; i < 4; i++) {
            const LineupCounts *of = &lineup.counts[i];
            float sum = 0;
            for (int k = 0; k < LINEUP_BINS; k++)
                sum += of->counts[k];
            bool pairs = s == SPREAD_S || s == SPREAD_A;
            assert_true(of->lo < of->hi);
            assert_int_equal((long)sum + of->outside, of->all);
            assert_int_equal(of->all, pairs                            ? 4 * T * (T + 1) / 2
                                      : s == SPREAD_Q || s == SPREAD_K ? T * D
                                                                       : D * D);
        }
    }
    lineup_release(&lineup);
    layer_release(&layer);
}

/* How many of the values would have to lie in another bin to lie as the curve has it. */
static double apart(const LineupCounts *of) {
    double sum = 0;
    for (int i = 0; i < LINEUP_BINS; i++) {
        double at = (i + 0.5) / LINEUP_BINS * (LINEUP_PLACES - 1), part = at - floor(at);
        const float *curve = &of->curve[(int)at];
        sum +=
            fabs((double)of->counts[i] - (1 - part) * (double)curve[0] - part * (double)curve[1]);
    }
    return sum / 2 / (double)of->all;
}

/* With an X of independent entries, of every quantity whose law is known; that of a sphere's and of
 * fixed weights' softmax is not. */
static void values_lie_as_the_curve_over_them_has_it(void **state) {
    (void)state;
    static const char *const ids[] = {"xavier_uniform", "normal", "gpt2", "identity"};
    static const MaskKind masks[] = {MASK_NONE, MASK_CAUSAL};
    for (size_t mask = 0; mask < ARRAY_COUNT(masks); mask++) {
        Layer layer;
        Lineup lineup = {0};
        Err err;
        layer_init(&layer, bug_shape(40, 64), masks[mask], 3);
        StudyPlan plan = plan_of(&layer, ids, 4);
        for (LineupSpread s = 0; s < SPREAD_COUNT; s++) {
            assert_true(lineup_make(&lineup, &(LineupPlan){&plan, s, NULL}, NULL, &err));
            for (int i = 0; i < 3; i++) {
                assert_true(lineup.counts[i].has_curve);
                if (!(apart(&lineup.counts[i]) < 0.1))
                    fail_msg("%s of %s: %g of the values", registry_entry(&SPREADS, (int)s)->id,
                             ids[i], apart(&lineup.counts[i]));
            }
            assert_false(lineup.counts[3].has_curve); /* nothing of it is random */
        }
        lineup_release(&lineup);
        layer_release(&layer);
    }
}

static void check_same(const Lineup *a, const Lineup *b) {
    assert_int_equal(a->plan.scheme_count, b->plan.scheme_count);
    assert_memory_equal(a->values, b->values, (size_t)a->plan.scheme_count * sizeof a->values[0]);
    for (int i = 0; i < a->plan.scheme_count; i++)
        assert_true(mat_max_difference(&a->weights[i], &b->weights[i]) == 0);
}

/* What was drawn before is what is drawn: after more tokens, in every form, of another seed. */
static void what_is_kept_is_what_is_drawn(void **state) {
    (void)state;
    static const char *const ids[] = {"xavier_uniform", "orthogonal", "mimetic"};
    for (AttnForm form = 0; form < FORM_COUNT; form++) {
        Lineup lineup = {0};
        Err err;
        for (int turn = 0; turn < 4; turn++) {
            Layer layer;
            Lineup fresh = {0};
            AttnShape shape = bug_shape(T + turn / 2, D);
            shape.form = form;
            shape.rank = 3;
            shape.bias = BIAS_NONE;
            layer_init(&layer, shape, MASK_CAUSAL, 3);
            StudyPlan plan = plan_of(&layer, ids, 3);
            for (int i = 0; i < 3; i++)
                plan.schemes[i].plan.seed = turn == 3 ? 6 : 5;
            LineupPlan wanted = {&plan, SPREAD_S, NULL};
            assert_true(lineup_make(&lineup, &wanted, NULL, &err));
            assert_true(lineup_make(&fresh, &wanted, NULL, &err));
            assert_true(lineup.drawn_of[0] != 0);
            check_same(&lineup, &fresh);
            lineup_release(&fresh);
            layer_release(&layer);
        }
        lineup_release(&lineup);
    }
}

/* Told to stop, it has no columns, and can be made again. */
static void a_lineup_can_be_stopped(void **state) {
    (void)state;
    static const char *const ids[] = {"xavier_uniform", "normal"};
    Layer layer;
    Lineup lineup = {0};
    JobWatch watch;
    Err err;
    layer_init(&layer, bug_shape(T, D), MASK_NONE, 3);
    StudyPlan plan = plan_of(&layer, ids, 2);
    LineupPlan wanted = {&plan, SPREAD_S, NULL};
    job_watch_begin(&watch);
    atomic_store(&watch.stop, true);
    assert_false(lineup_make(&lineup, &wanted, &watch, &err));
    assert_int_equal(lineup.plan.scheme_count, 0);
    job_watch_begin(&watch);
    assert_true(lineup_make(&lineup, &wanted, &watch, &err));
    double share = (double)atomic_load(&watch.done) / study_steps(&plan);
    assert_true(share > 0.99 && share < 1.01);
    lineup_release(&lineup);
    layer_release(&layer);
}

/* Passes one by one end in the same numbers as whole units. */
static void a_unit_may_be_computed_in_passes(void **state) {
    (void)state;
    static const char *const ids[] = {"xavier_uniform", "gpt2"};
    Layer layer;
    Study whole, parts;
    StudyBench bench;
    Err err;
    int pass = 0, calls = 0;
    layer_init(&layer, bug_shape(T, D), MASK_NONE, 3);
    StudyPlan plan = plan_of(&layer, ids, 2);
    plan.layers = 5;
    plan.seeds = 3;
    assert_true(study_init(&whole, &plan, &err) && study_init(&parts, &plan, &err) &&
                study_bench_init(&bench, &plan, &err));
    assert_true(study_step(&whole, &bench, 6, &err));
    for (; parts.in < parts.units; calls++)
        assert_true(study_step_passes(&parts, &bench, &pass, 3, &err));
    assert_int_equal(calls, 6 * study_unit_passes(&plan) / 3);
    assert_memory_equal(whole.values, parts.values,
                        (size_t)(6 * 5 * STUDY_STAT_COUNT) * sizeof *whole.values);
    study_release(&whole);
    study_release(&parts);
    study_bench_release(&bench);
    layer_release(&layer);
}

typedef struct Broken {
    Layer layer;
    Lineup lineup;
    Arena arena;
} Broken;

static void break_layer(Broken *b, const Bug *bug) {
    Err err;
    AttnParams params;
    layer_init(&b->layer, bug_shape(T, D), MASK_NONE, 3);
    StudyPlan plan = plan_of(&b->layer, (const char *const[]){bug->scheme, bug->scheme}, 2);
    plan.schemes[0].plan = plan.schemes[1].plan = bug_plan(bug, 5);
    assert_true(arena_reserve(&b->arena, attn_params_bytes(&plan.shape), &err));
    params = attn_params_push(&b->arena, &plan.shape);
    assert_true(bug_draw(&params, &plan.shape, bug, 5, &err));
    const AttnParams *given[] = {NULL, &params};
    assert_true(lineup_make(&b->lineup, &(LineupPlan){&plan, SPREAD_S, given}, NULL, &err));
}

static void release(Broken *b) {
    lineup_release(&b->lineup);
    arena_release(&b->arena);
    layer_release(&b->layer);
    *b = (Broken){0};
}

/* What each bug does to a deviation, as its own words have it. */
static void every_bug_does_what_it_says(void **state) {
    (void)state;
    static const struct {
        const char *id;
        StudyStat stat;
        double ratio; /* as drawn over as meant */
    } laws[] = {
        {"fused", STUDY_STD_W_Q, 0.70710678},
        {"fused", STUDY_STD_S, 0.5},
        {"depth", STUDY_STD_W_O, 4.8989795},
        {"depth", STUDY_STD_W_Q, 1},
        {"swapped", STUDY_STD_Q, 2},
        {"swapped", STUDY_STD_S, 4},
        {"zero", STUDY_STD_S, 0},
        {"zero", STUDY_STD_GRAD_W_K, 0},
        {"per-head", STUDY_STD_S, 1.6},
        {"none", STUDY_STD_S, 1},
        {"none", STUDY_STD_GRAD_W_Q, 1},
    };
    Broken b = {0};
    for (size_t i = 0; i < ARRAY_COUNT(laws); i++) {
        int row = registry_find(&BUG_REGISTRY, laws[i].id, strlen(laws[i].id));
        assert_true(row >= 0);
        break_layer(&b, &BUGS[row]);
        double meant = (double)b.lineup.values[0][laws[i].stat];
        double drawn = (double)b.lineup.values[1][laws[i].stat];
        if (!(fabs(drawn - laws[i].ratio * meant) <= 1e-4 * meant))
            fail_msg("%s: %g of %g", laws[i].id, drawn, meant);
        release(&b);
    }
}

static void heads_of_one_seed_are_one_head(void **state) {
    (void)state;
    Broken b = {0};
    break_layer(&b, &BUGS[registry_find(&BUG_REGISTRY, "same", 4)]);
    for (int column = 0; column < 2; column++)
        for (int h = 1; h < 4; h++) {
            Mat first = lineup_weights(&b.lineup, column, 0);
            Mat other = lineup_weights(&b.lineup, column, h);
            assert_true((mat_max_difference(&first, &other) == 0) == (column == 1));
        }
    /* They get the same gradients, so that they never come apart. */
    const AttnParams *grads = &b.lineup.bench.grads;
    for (int h = 1; h < 4; h++) {
        const AttnShape *shape = &b.lineup.plan.shape;
        const Mat *W_O = &grads->p[ATTN_W_O];
        Mat first = attn_head_query(&grads->p[ATTN_W_K], shape, 0);
        Mat other = attn_head_query(&grads->p[ATTN_W_K], shape, h);
        assert_true(mat_max_difference(&first, &other) < 1e-6F * (1 + mat_largest(&first)));
        first = mat_rows(W_O, 0, shape->V);
        other = mat_rows(W_O, h * shape->V, shape->V);
        assert_true(mat_max_difference(&first, &other) < 1e-6F * (1 + mat_largest(&first)));
    }
    release(&b);
}

static void every_bug_has_words_and_a_scheme(void **state) {
    (void)state;
    assert_true(BUG_REGISTRY.count >= 8);
    for (int i = 0; i < BUG_REGISTRY.count; i++) {
        scheme_named(BUGS[i].scheme);
        assert_true(strlen(BUGS[i].source) > 10 && strlen(BUGS[i].entry.help) > 40);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_the_study_of_their_scheme),
        cmocka_unit_test(every_value_is_counted_or_beyond),
        cmocka_unit_test(values_lie_as_the_curve_over_them_has_it),
        cmocka_unit_test(what_is_kept_is_what_is_drawn),
        cmocka_unit_test(a_lineup_can_be_stopped),
        cmocka_unit_test(a_unit_may_be_computed_in_passes),
        cmocka_unit_test(every_bug_does_what_it_says),
        cmocka_unit_test(heads_of_one_seed_are_one_head),
        cmocka_unit_test(every_bug_has_words_and_a_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
