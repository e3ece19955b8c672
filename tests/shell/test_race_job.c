/* A race on real threads: its results depend on nothing but the plan, and the steps that are done
 * may be read while it works. */
#include "lab/raced.h"
#include "support/test.h"
#include "support/threads.h"

#define COLUMNS 5

static const char *const SCHEMES_RACED[COLUMNS] = {"xavier_uniform", "he_uniform", "normal",
                                                   "xavier_fused", "orthogonal"};

/* The last finished step of each column, as stored and as computed again. */
static void read_what_is_done(const Race *race, RaceBench *bench) {
    for (int i = 0; i < COLUMNS; i++) {
        int last = race_done(race, i) - 1;
        if (last < 0)
            continue;
        int kept = race_kept_step(race, last);
        assert_true(race_record(race, i, last)->loss >= 0);
        must(race_look(bench, race, i, kept, &told));
        Mat A = race_weights(race, i, kept, 0);
        Mat again = attn_head_scores(&bench->trace.A, &race->shape, 0);
        assert_true(mat_max_difference(&A, &again) == 0);
    }
}

static RacePlan plan_of(const Layer *layer) {
    RacePlan plan = raced_plan(layer, SCHEMES_RACED, COLUMNS);
    plan.rules.steps = 300;
    return plan;
}

TEST(the_number_of_threads_changes_nothing) {
    static const int counts[] = {1, 2, 5};
    static const JobPool none;
    LOCAL(race_bench_release) RaceBench bench;
    LAYER(layer, raced_shape(FORM_MERGED, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    RacePlan plan = plan_of(&layer);
    RACED(alone, &plan);
    raced_run(&alone, 1000);
    must(race_bench_init(&bench, alone.race, &told));
    for (size_t i = 0; i <= sizeof counts / sizeof *counts; i++) {
        Race *race = race_create(&plan, &told);
        JobPool pool = i == 0 ? none : threads_pool(counts[i - 1]);
        assert_non_null(race);
        race->goal = plan.rules.steps;
        job_start(&pool, &race->job);
        while (job_is_working(&pool, &race->job))
            read_what_is_done(race, &bench);
        assert_true(race_has(race, plan.rules.steps));
        raced_assert_same(race, alone.race);
        job_drop(&pool, &race->job);
    }
}

/* Stopped and started over and over. */
TEST(a_stopped_race_continues) {
    LAYER(layer, raced_shape(FORM_SEPARATE, BLOCK_RESIDUAL, BIAS_ALL), MASK_CAUSAL, 3);
    RacePlan plan = plan_of(&layer);
    RACED(alone, &plan);
    raced_run(&alone, 1000);
    JobPool pool = threads_pool(2);
    Race *race = race_create(&plan, &told);
    assert_non_null(race);
    while (!race_has(race, plan.rules.steps)) {
        race->goal = plan.rules.steps;
        job_start(&pool, &race->job);
        SDL_Delay(1);
        job_stop(&race->job);
        while (!job_wait(&pool, &race->job, 1000))
            ;
    }
    assert_false(race->failed);
    raced_assert_same(race, alone.race);
    job_drop(&pool, &race->job);
}

/* The race that is looked at may be given up first. */
TEST(a_goal_and_a_look) {
    LAYER(layer, raced_shape(FORM_SEPARATE, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    RacePlan plan = plan_of(&layer);
    RACED(alone, &plan);
    raced_run(&alone, 1000);
    JobPool pool = threads_pool(2);
    Race *race = race_create(&plan, &told);
    assert_non_null(race);
    race->goal = 40;
    job_start(&pool, &race->job);
    while (!job_wait(&pool, &race->job, 1000))
        ;
    assert_true(race_has(race, 40) && !race_has(race, 41));
    RaceLook *look = race_look_create(race, 2, 33, &told);
    assert_non_null(look);
    job_start(&pool, &look->job);
    job_drop(&pool, &race->job);
    while (!job_wait(&pool, &look->job, 1000))
        ;
    assert_true(look->has_looked);
    must(race_look(&alone.bench, alone.race, 2, 33, &told));
    assert_true(mat_max_difference(&look->bench.trace.A, &alone.bench.trace.A) == 0);
    job_drop(&pool, &look->job);
}

TEST_ALL(NULL, threads_end)
