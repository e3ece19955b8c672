#include "lab/studied.h"

#include <string.h>

#include "support/test.h"

#define SEED 5

int scheme_named(const char *id) {
    int row = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_true(row >= 0);
    return row;
}

StudyPlan studied_plan(const Layer *layer, const char *const *ids, int count) {
    StudyPlan plan = {.shape = layer->shape,
                      .x = &layer->x,
                      .mask = layer->mask,
                      .scheme_count = count,
                      .layers = 1,
                      .seeds = 1,
                      .parts = STUDY_FILES | STUDY_SIGNAL};
    for (int i = 0; i < count; i++) {
        plan.schemes[i].scheme = scheme_named(ids[i]);
        plan.schemes[i].plan = scheme_plan(plan.schemes[i].scheme, 1, SEED);
    }
    return plan;
}

void studied_stack(StudyPlan *plan, int layers) {
    plan->layers = layers;
    for (int i = 0; i < plan->scheme_count; i++)
        plan->schemes[i].plan.depth = layers;
}

Study *studied(const StudyPlan *plan) {
    static const JobPool none;
    Study *study = study_create(plan, &told);
    must(study != NULL);
    job_start(&none, &study->job);
    study_update(study);
    if (atomic_load(&study->failed))
        fail_msg("%s: %s", study->err.what, study->err.why);
    assert_true(study_is_over(study) && study->in == study->units);
    assert_int_equal(study_seeds_in(study), plan->seeds);
    return study;
}

void studied_drop(Study **study) {
    job_drop(NULL, &(*study)->job);
}
