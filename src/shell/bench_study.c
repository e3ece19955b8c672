#include "results/study_plan.h"
#include "shell/bench.h"
#include "shell/pass.h"

typedef struct Bench {
    StudyPlan plan;
    StudyBench bench;
    float *values;
    long long unit;
} Bench;

/* Compute a unit, with another seed each time, as the study does. */
static bool study_once(void *context, Err *err) {
    Bench *b = context;
    return study_compute(b->values, &b->bench, &b->plan, b->unit++, err);
}

static bool measure(Timing *timing, const Session *session, const Results *run, Err *err) {
    Study study;
    Bench b = {.plan = study_plan(run, session, &session->options.init, 1, 1, STUDY_FILES)};
    if (!study_init(&study, &b.plan, err))
        return false;
    bool done = study_bench_init(&b.bench, &b.plan, err);
    if (done) {
        b.values = study_values_at(&study, 0);
        done = timing_measure(timing, BENCH_SECONDS, study_once, &b, err);
        study_bench_release(&b.bench);
    }
    study_release(&study);
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
