/* Schemes side by side, and the broken ones of Spot the bug. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "lab/broken_inits.h"
#include "lab/comparison.h"
#include "lab/studied.h"
#include "support/test.h"

#define T 10
#define D 32

TEST(columns_are_the_study_of_their_scheme) {
    static const char *const ids[] = {"xavier_uniform", "normal", "zeros"};
    LOCAL(comparison_release) Comparison comparison = {0};
    LAYER(layer, broken_init_shape(T, D), MASK_CAUSAL, 3);
    StudyPlan plan = studied_plan(&layer, ids, 3);
    LOCAL(studied_drop) Study *study = studied(&plan);
    for (int count = 3; count >= 1; count--) { /* fewer columns keep the memory of more */
        plan.scheme_count = count;
        must(comparison_make(&comparison, &plan, SPREAD_S, NULL, &told));
        for (int i = 0; i < count; i++)
            for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
                float a = comparison.values[i][s], b = study_value(study, i, 0, 0, s);
                assert_true(a == b || (isnan(a) && isnan(b)));
            }
    }
}

TEST(every_value_is_counted_or_beyond) {
    static const char *const ids[] = {"xavier_uniform", "he_normal", "identity", "zeros"};
    LOCAL(comparison_release) Comparison comparison = {0};
    LAYER(layer, broken_init_shape(T, D), MASK_CAUSAL, 3);
    StudyPlan plan = studied_plan(&layer, ids, 4);
    for (ComparisonSpread s = 0; s < SPREAD_COUNT; s++) {
        must(comparison_make(&comparison, &plan, s, NULL, &told));
        for (int i = 0; i < 4; i++) {
            const ComparisonCounts *of = &comparison.counts[i];
            float sum = 0;
            for (int k = 0; k < COMPARISON_BINS; k++)
                sum += of->counts[k];
            bool pairs = s == SPREAD_S || s == SPREAD_A;
            assert_true(of->lo < of->hi);
            assert_int_equal((long)sum + of->outside, of->all);
            assert_int_equal(of->all, pairs                            ? 4 * T * (T + 1) / 2
                                      : s == SPREAD_Q || s == SPREAD_K ? T * D
                                                                       : D * D);
        }
    }
}

/* Return the share of the values that would have to move to another bin to match the curve. */
static double apart(const ComparisonCounts *of) {
    double sum = 0;
    for (int i = 0; i < COMPARISON_BINS; i++) {
        double at = (i + 0.5) / COMPARISON_BINS * (COMPARISON_PLACES - 1), part = at - floor(at);
        const float *curve = &of->curve[(int)at];
        sum +=
            fabs((double)of->counts[i] - (1 - part) * (double)curve[0] - part * (double)curve[1]);
    }
    return sum / 2 / (double)of->all;
}

/* With an X of independent entries, of every quantity whose law is known; that of a sphere's and of
 * fixed weights' softmax is not. */
TEST(values_lie_as_the_curve_over_them_has_it) {
    static const char *const ids[] = {"xavier_uniform", "normal", "gpt2", "identity"};
    static const MaskKind masks[] = {MASK_NONE, MASK_CAUSAL};
    for (size_t mask = 0; mask < ARRAY_COUNT(masks); mask++) {
        LOCAL(comparison_release) Comparison comparison = {0};
        LAYER(layer, broken_init_shape(40, 64), masks[mask], 3);
        StudyPlan plan = studied_plan(&layer, ids, 4);
        for (ComparisonSpread s = 0; s < SPREAD_COUNT; s++) {
            must(comparison_make(&comparison, &plan, s, NULL, &told));
            for (int i = 0; i < 3; i++) {
                assert_true(comparison.counts[i].has_curve);
                if (!(apart(&comparison.counts[i]) < 0.1))
                    fail_msg("%s of %s: %g of the values", registry_entry(&SPREADS, (int)s)->id,
                             ids[i], apart(&comparison.counts[i]));
            }
            assert_false(comparison.counts[3].has_curve); /* no part of it is random */
        }
    }
}

/* Told to stop, it has no columns, and can be made again. */
TEST(a_lineup_can_be_stopped) {
    static const char *const ids[] = {"xavier_uniform", "normal"};
    LOCAL(comparison_release) Comparison comparison = {0};
    Job job = {.work = NULL};
    LAYER(layer, broken_init_shape(T, D), MASK_NONE, 3);
    StudyPlan plan = studied_plan(&layer, ids, 2);
    atomic_store(&job.stop, true);
    assert_false(comparison_make(&comparison, &plan, SPREAD_S, &job, &told));
    assert_int_equal(comparison.plan.scheme_count, 0);
    atomic_store(&job.stop, false);
    must(comparison_make(&comparison, &plan, SPREAD_S, &job, &told));
}

typedef struct Broken {
    Layer layer;
    Comparison comparison;
    Arena arena;
} Broken;

static void break_layer(Broken *b, const BrokenInit *bug) {
    AttnParams params;
    layer_init(&b->layer, broken_init_shape(T, D), MASK_NONE, 3);
    StudyPlan plan = studied_plan(&b->layer, (const char *const[]){bug->scheme, bug->scheme}, 2);
    plan.schemes[0].plan = plan.schemes[1].plan = broken_init_plan(bug, 5);
    must(arena_reserve(&b->arena, attn_params_bytes(&plan.shape), &told));
    params = attn_params_push(&b->arena, &plan.shape);
    must(broken_init_sample(&params, &plan.shape, bug, 5, &told));
    plan.schemes[1].given = &params;
    must(comparison_make(&b->comparison, &plan, SPREAD_S, NULL, &told));
}

static void release(Broken *b) {
    comparison_release(&b->comparison);
    arena_release(&b->arena);
    layer_release(&b->layer);
    *b = (Broken){0};
}

/* The effect of each bug on a standard deviation, as its own text says. */
TEST(every_bug_does_what_it_says) {
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
        int row = registry_find(&BROKEN_INIT_REGISTRY, laws[i].id, strlen(laws[i].id));
        assert_true(row >= 0);
        break_layer(&b, &BROKEN_INITS[row]);
        double meant = (double)b.comparison.values[0][laws[i].stat];
        double drawn = (double)b.comparison.values[1][laws[i].stat];
        if (!(fabs(drawn - laws[i].ratio * meant) <= 1e-4 * meant))
            fail_msg("%s: %g of %g", laws[i].id, drawn, meant);
        release(&b);
    }
}

TEST(heads_of_one_seed_are_one_head) {
    LOCAL(release) Broken b = {0};
    break_layer(&b, &BROKEN_INITS[registry_find(&BROKEN_INIT_REGISTRY, "same", 4)]);
    for (int column = 0; column < 2; column++)
        for (int h = 1; h < 4; h++) {
            Mat first = comparison_weights(&b.comparison, column, 0);
            Mat other = comparison_weights(&b.comparison, column, h);
            assert_true((mat_max_difference(&first, &other) == 0) == (column == 1));
        }
    assert_true(b.comparison.heads_apart[0] > 0.5F);
    assert_true(b.comparison.heads_apart[1] < 1e-6F);
    /* They get the same gradients, so that they never come apart. */
    const AttnParams *grads = &b.comparison.bench.grads;
    for (int h = 1; h < 4; h++) {
        const AttnShape *shape = &b.comparison.plan.shape;
        const Mat *W_O = &grads->p[ATTN_W_O];
        Mat first = attn_head_query(&grads->p[ATTN_W_K], shape, 0);
        Mat other = attn_head_query(&grads->p[ATTN_W_K], shape, h);
        assert_true(mat_max_difference(&first, &other) < 1e-6F * (1 + mat_largest(&first)));
        first = mat_rows(W_O, 0, shape->V);
        other = mat_rows(W_O, h * shape->V, shape->V);
        assert_true(mat_max_difference(&first, &other) < 1e-6F * (1 + mat_largest(&first)));
    }
}

TEST(every_bug_has_words_and_a_scheme) {
    assert_true(BROKEN_INIT_REGISTRY.count >= 8);
    for (int i = 0; i < BROKEN_INIT_REGISTRY.count; i++) {
        scheme_named(BROKEN_INITS[i].scheme);
        assert_true(strlen(BROKEN_INITS[i].source) > 10 && strlen(BROKEN_INITS[i].entry.help) > 40);
    }
}
