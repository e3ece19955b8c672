#include <string.h>

#include "lab/study.h"
#include "model/layer.h"
#include "support/test.h"

#define SCHEMES_TRIED 3
#define LAYERS        2

static StudyPlan plan_of(const Layer *layer, const AttnShape *shape) {
    static const char *const ids[SCHEMES_TRIED] = {"xavier_uniform", "orthogonal", "mimetic"};
    StudyPlan plan = {.shape = *shape,
                      .x = &layer->x,
                      .mask = layer->mask,
                      .scheme_count = SCHEMES_TRIED,
                      .layers = LAYERS,
                      .seeds = 1,
                      .parts = STUDY_FILES | STUDY_SIGNAL | STUDY_SPECTRA};
    for (int i = 0; i < SCHEMES_TRIED; i++) {
        int scheme = registry_find(&SCHEME_REGISTRY, ids[i], strlen(ids[i]));
        assert_true(scheme >= 0);
        plan.schemes[i] = (StudyScheme){scheme, scheme_plan(scheme, LAYERS, 7)};
    }
    return plan;
}

/* Every pass checks the job, continues when it is called again, and gives the values of a unit that
 * was not stopped. */
TEST(a_unit_can_be_stopped) {
    const AttnShape shape = {
        .T = 8, .D = 24, .H = 2, .K = 4, .V = 20, .form = FORM_SEPARATE, .score_factor = 0.5F};
    LOCAL(layer_release) Layer layer;
    layer_init(&layer, shape, MASK_CAUSAL, 3);
    StudyPlan plan = plan_of(&layer, &shape);
    StudyBench alone, bench;
    Job job = {.work = NULL};
    Err err = {0};
    assert_true(study_bench_init(&alone, &plan, &err) && study_bench_init(&bench, &plan, &err));
    bench.job = &job;
    for (int unit = 0; unit < SCHEMES_TRIED; unit++) {
        float expected[LAYERS * STUDY_STAT_COUNT], values[LAYERS * STUDY_STAT_COUNT];
        assert_true(study_compute(expected, &alone, &plan, unit, &err));
        for (int pass = 0; pass < 2 * LAYERS; pass++) {
            atomic_store(&job.stop, true);
            err = (Err){0};
            assert_false(study_compute_pass(values, &bench, &plan, unit, pass, &err));
            assert_int_not_equal(err.kind, ERR_NONE);
            atomic_store(&job.stop, false);
            assert_true(study_compute_pass(values, &bench, &plan, unit, pass, &err));
        }
        assert_memory_equal(values, expected, sizeof values);
    }
    study_bench_release(&alone);
    study_bench_release(&bench);
}
