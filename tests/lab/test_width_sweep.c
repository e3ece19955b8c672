/* The widths of a head against layers that are as wide. */
#include <math.h>
#include <string.h>

#include "lab/broken_inits.h"
#include "lab/width_sweep.h"
#include "model/layer.h"
#include "support/test.h"

static const char *const IDS[] = {"normal", "lecun_normal", "identity"};
#define SCHEMES_TAKEN 3

static StudyPlan plan_of(const Layer *layer) {
    StudyPlan plan = {.shape = layer->shape,
                      .x = &layer->x,
                      .mask = layer->mask,
                      .scheme_count = SCHEMES_TAKEN,
                      .layers = 1,
                      .seeds = 1,
                      .parts = STUDY_FORWARD | STUDY_SIGNAL};
    for (int i = 0; i < SCHEMES_TAKEN; i++) {
        int scheme = registry_find(&SCHEME_REGISTRY, IDS[i], strlen(IDS[i]));
        plan.schemes[i] = (StudyScheme){scheme, scheme_plan(scheme, 1, 5)};
    }
    return plan;
}

static WidthSweep *begin(Layer *layer, bool divided) {
    static const JobPool none;
    Err err;
    AttnShape shape = broken_init_shape(24, 32);
    shape.bias = BIAS_NONE;
    shape.score_factor = divided ? 1 / sqrtf((float)shape.K) : 1;
    layer_init(layer, shape, MASK_CAUSAL, 3);
    StudyPlan plan = plan_of(layer);
    WidthSweep *widths = width_sweep_create(&plan, divided, &err);
    assert_non_null(widths);
    job_start(&none, &widths->job);
    assert_true(width_sweep_is_done(widths));
    assert_int_equal(width_sweep_of(widths, 1), WIDTH_SWEEP_SIZES);
    return widths;
}

TEST(a_width_is_the_layer_that_has_it) {
    for (int divided = 0; divided < 2; divided++) {
        LOCAL(layer_release) Layer layer;
        Study study;
        StudyBench bench;
        Err err;
        WidthSweep *widths = begin(&layer, divided);
        StudyPlan plan = plan_of(&layer);
        assert_true(study_init(&study, &plan, &err) && study_bench_init(&bench, &plan, &err));
        assert_true(study_step(&study, &bench, SCHEMES_TAKEN, &err));
        int own = 0;
        while (width_sweep_at(own) != layer.shape.K)
            own++;
        for (int s = 0; s < SCHEMES_TAKEN; s++) {
            float std = study_value(&study, s, 0, 0, STUDY_STD_S);
            float saturation = study_value(&study, s, 0, 0, STUDY_SATURATION_A);
            assert_true(fabsf(widths->std[s][own] - std) <= 1e-5f * std);
            assert_true(fabsf(widths->saturation[s][own] - saturation) < 0.02f);
        }
        study_release(&study);
        study_bench_release(&bench);
        job_drop(NULL, &widths->job);
    }
}

/* Of normal weights each width as much wider makes the scores √2 times as wide, unless they are
 * divided by the root; measured on an X of independent entries. */
TEST(scores_grow_with_the_root_unless_divided_by_it) {
    for (int divided = 0; divided < 2; divided++) {
        LOCAL(layer_release) Layer layer;
        WidthSweep *widths = begin(&layer, divided);
        for (int i = 0; i < WIDTH_SWEEP_SIZES; i++) {
            double expected = (double)layer.shape.D * (divided ? 1 : sqrt(width_sweep_at(i)));
            assert_true(fabs((double)widths->expected_std[0][i] - expected) < 1e-3 * expected);
            assert_true(fabs((double)widths->std[0][i] - expected) < 0.3 * expected);
        }
        bool saturates =
            widths->saturation[1][WIDTH_SWEEP_SIZES - 1] > widths->saturation[1][0] + 0.2f;
        assert_true(divided || saturates);
        job_drop(NULL, &widths->job);
    }
}

/* The layer's own number of heads does not matter; every other option does. */
TEST(the_key_knows_all_but_the_width) {
    LOCAL(layer_release) Layer layer;
    layer_init(&layer, broken_init_shape(12, 32), MASK_NONE, 3);
    StudyPlan plan = plan_of(&layer);
    plan.shape.score_factor = 1 / sqrtf((float)plan.shape.K);
    WidthSweepKey key = width_sweep_key(&plan, true);
    StudyPlan wide = plan, colder = plan, other = plan, masked = plan;
    wide.shape.K = 3 * plan.shape.K;
    wide.shape.score_factor = 1 / sqrtf((float)wide.shape.K);
    colder.shape.score_factor *= 2;
    other.schemes[2].plan.scheme[ATTN_W_K] = 0;
    WidthSweepKey wide_key = width_sweep_key(&wide, true),
                  colder_key = width_sweep_key(&colder, true),
                  other_key = width_sweep_key(&other, true),
                  whole_key = width_sweep_key(&plan, false);
    assert_memory_equal(&key, &wide_key, sizeof key);
    assert_memory_not_equal(&key, &colder_key, sizeof key);
    assert_memory_not_equal(&key, &other_key, sizeof key);
    assert_memory_not_equal(&key, &whole_key, sizeof key);
    mask_set(&masked.mask, 0, 1, 2, false);
    WidthSweepKey masked_key = width_sweep_key(&masked, true);
    assert_memory_not_equal(&key, &masked_key, sizeof key);
    mat_row(&layer.x, 3)[4] += 1;
    WidthSweepKey x_key = width_sweep_key(&masked, true);
    assert_memory_not_equal(&masked_key, &x_key, sizeof key);
}
