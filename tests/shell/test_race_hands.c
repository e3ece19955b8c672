/* A race on real threads: what comes out depends on nothing but the plan, and what is done may be
 * read meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/race_crew.h"
#include "lab/raced.h"
#include "support/hands.h"

#define COLUMNS 5

static const char *const SCHEMES_RACED[COLUMNS] = {"xavier_uniform", "he_uniform", "normal",
                                                   "xavier_fused", "orthogonal"};

/* The last step of each column that is done, as it stands and as it is computed again. */
static void read_what_is_done(const Race *race, RaceBench *bench) {
    Err err;
    for (int i = 0; i < COLUMNS; i++) {
        int last = race_done(race, i) - 1;
        if (last < 0)
            continue;
        int kept = race_kept_step(race, last);
        assert_true(race_record(race, i, last)->loss >= 0);
        assert_true(race_look(bench, race, i, kept, NULL, &err));
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

static void the_number_of_hands_changes_nothing(void **state) {
    (void)state;
    static RaceCrew crew;
    static const int counts[] = {1, 2, 5};
    Layer layer;
    Raced alone;
    RaceBench bench;
    Err err;
    layer_init(&layer, raced_shape(FORM_MERGED, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    RacePlan plan = plan_of(&layer);
    raced_begin(&alone, &plan);
    raced_run(&alone, 1000);
    assert_true(race_bench_init(&bench, &alone.race, &err));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_true(race_crew_begin(&crew, &plan, hands_some(counts[i]), &err));
        for (race_crew_update(&crew); race_crew_is_working(&crew); race_crew_update(&crew))
            read_what_is_done(&crew.race, &bench);
        raced_assert_same(&crew.race, &alone.race);
    }
    race_crew_release(&crew);
    race_bench_release(&bench);
    raced_end(&alone);
    layer_release(&layer);
}

/* Stopped and started over and over. */
static void what_stops_goes_on(void **state) {
    (void)state;
    static RaceCrew crew;
    Layer layer;
    Raced alone;
    Err err;
    layer_init(&layer, raced_shape(FORM_SEPARATE, BLOCK_RESIDUAL, BIAS_ALL), MASK_CAUSAL, 3);
    RacePlan plan = plan_of(&layer);
    raced_begin(&alone, &plan);
    raced_run(&alone, 1000);
    assert_true(race_crew_begin(&crew, &plan, hands_some(2), &err));
    while (!race_crew_is_over(&crew) || race_crew_is_working(&crew)) {
        race_crew_stop(&crew);
        while (race_crew_is_working(&crew))
            race_crew_update(&crew);
        race_crew_go_on(&crew, crew.race.plan.rules.steps);
        SDL_Delay(1);
        race_crew_update(&crew);
    }
    assert_false(crew.failed);
    raced_assert_same(&crew.race, &alone.race);
    race_crew_release(&crew);
    raced_end(&alone);
    layer_release(&layer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_hands_changes_nothing),
        cmocka_unit_test(what_stops_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, hands_end);
}
