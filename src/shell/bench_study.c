#include <stdlib.h>

#include "base/heap.h"
#include "results/study_plan.h"
#include "shell/bench.h"
#include "shell/pass.h"

typedef struct Bench {
    StudyPlan plan;
    StudyBench bench;
    float *values; /* layers × STUDY_STAT_COUNT */
    long long unit;
} Bench;

/* Compute a unit, with another seed each time, as the study does. */
static bool study_once(void *context, Err *err) {
    Bench *b = context;
    return study_compute(b->values, &b->bench, &b->plan, b->unit++, err);
}

static bool measure(Timing *timing, const Session *session, const Results *run, Err *err) {
    Bench b = {.plan = study_plan(run, session, &session->options.init, 1, 1, STUDY_FILES)};
    b.values = heap_get((size_t)b.plan.layers * STUDY_STAT_COUNT * sizeof *b.values);
    bool done = b.values != NULL ? timing_measure(timing, BENCH_SECONDS, study_once, &b, err)
                                 : err_fail(err, "memory", "too little; close other programs");
    study_bench_release(&b.bench);
    free(b.values);
    return done;
}

bool bench_study(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    Pass pass;
    if (!pass_begin(&pass, session, err))
        return false;
    bool done = measure(timing, session, &pass.run, err);
    pass_end(&pass);
    return done;
}
