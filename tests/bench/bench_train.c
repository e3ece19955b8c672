#include "bench/more.h"
#include "results/study_plan.h"
#include "shell/pass.h"

typedef struct Bench {
    RacePlan plan;
    Race *race;
    RaceBench bench;
} Bench;

/* Once all steps are done, from the start again. */
static bool train_once(void *context, Err *err) {
    Bench *b = context;
    if (race_is_over(b->race, 0)) {
        job_drop(NULL, &b->race->job);
        b->race = race_create(&b->plan, err);
    }
    return b->race != NULL && race_advance(b->race, &b->bench, 0, 1, err);
}

static bool measure(Timing *timing, Bench *b, Err *err) {
    b->race = race_create(&b->plan, err);
    bool done = b->race != NULL && race_bench_init(&b->bench, b->race, err) &&
                timing_measure(timing, BENCH_SECONDS, train_once, b, err);
    race_bench_release(&b->bench);
    if (b->race != NULL)
        job_drop(NULL, &b->race->job);
    return done;
}

bool bench_train(Timing *timing, const Call *call, const Session *session, Err *err) {
    (void)call;
    Pass pass;
    Bench b = {.race = NULL};
    Arena words = {0};
    const RaceRequest request = {.schemes = {.count = 1, .rows = {session->options.init}},
                                 .rules = {.task = TASK_PREVIOUS,
                                           .optimiser = OPTIMISER_ADAM,
                                           .rate = OPTIMISERS[OPTIMISER_ADAM].rate,
                                           .batch = 16,
                                           .seeds = 1,
                                           .steps = RACE_STEPS_MAX}};
    if (!pass_begin(&pass, session, err))
        return false;
    bool done = race_plan(&b.plan, &words, &pass.run, &request, err) && measure(timing, &b, err);
    arena_release(&words);
    pass_end(&pass);
    return done;
}
