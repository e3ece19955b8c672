/* Studies on real threads: what they find depends on nothing but the plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "lab/study_crew.h"
#include "model/layer.h"
#include "support/hands.h"

static const AttnShape SHAPE = {
    .T = 6, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 0.35F};

#define SEEDS  9
#define LAYERS 2
#define STATS  ((size_t)(LAYERS * STUDY_STAT_COUNT))

static StudyPlan plan_all(Layer *layer) {
    layer_init(layer, SHAPE, MASK_CAUSAL, 3);
    StudyPlan plan = {.shape = SHAPE,
                      .x = &layer->x,
                      .mask = layer->mask,
                      .scheme_count = SCHEME_REGISTRY.count,
                      .layers = LAYERS,
                      .seeds = SEEDS,
                      .parts = STUDY_FILES};
    for (int i = 0; i < plan.scheme_count; i++)
        plan.schemes[i] = (StudyScheme){i, scheme_plan(i, LAYERS, 1)};
    return plan;
}

static void wait_for_all(StudyCrew *crew) {
    for (study_crew_update(crew); study_crew_is_working(crew); study_crew_update(crew))
        SDL_Delay(1);
}

static void check_same(const Study *a, const Study *b) {
    assert_int_equal(a->units, b->units);
    assert_int_equal(a->in, a->units);
    assert_int_equal(b->in, b->units);
    assert_memory_equal(a->values, b->values, (size_t)a->units * STATS * sizeof(float));
    assert_memory_equal(a->moments, b->moments,
                        (size_t)a->plan.scheme_count * STATS * sizeof(StudyMoments));
}

/* The plan's X, mask and weights are given up as soon as the study has begun. */
static void the_number_of_hands_changes_nothing(void **state) {
    (void)state;
    static StudyCrew at_once, crew;
    static const int counts[] = {1, 2, 5};
    Layer layer;
    Err err;
    StudyPlan plan = plan_all(&layer);
    assert_true(study_crew_begin(&at_once, &plan, (JobHands){0}, &err));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Layer lent;
        StudyPlan own = plan_all(&lent);
        assert_true(study_crew_begin(&crew, &own, hands_some(counts[i]), &err));
        layer_release(&lent);
        wait_for_all(&crew);
        check_same(&crew.study, &at_once.study);
    }
    study_crew_release(&crew);
    study_crew_release(&at_once);
    layer_release(&layer);
}

/* A frame that never ends takes no more than its due: hands that wait for it go on in the end. */
static void hands_that_are_held_go_on(void **state) {
    (void)state;
    static StudyCrew at_once, crew;
    Layer layer;
    Err err;
    StudyPlan plan = plan_all(&layer);
    assert_true(study_crew_begin(&at_once, &plan, (JobHands){0}, &err));
    worker_crew_hold(hands_crew()); /* before there is a lock, too */
    JobHands hands = hands_some(2);
    worker_crew_hold(hands_crew());
    assert_true(study_crew_begin(&crew, &plan, hands, &err));
    wait_for_all(&crew);
    worker_crew_let_go(hands_crew());
    check_same(&crew.study, &at_once.study);
    study_crew_release(&crew);
    study_crew_release(&at_once);
    layer_release(&layer);
}

/* However often it is stopped and goes on. */
static void a_pause_changes_nothing(void **state) {
    (void)state;
    static StudyCrew at_once, crew;
    Layer layer;
    Err err;
    StudyPlan plan = plan_all(&layer);
    assert_true(study_crew_begin(&at_once, &plan, (JobHands){0}, &err));
    assert_true(study_crew_begin(&crew, &plan, hands_some(3), &err));
    int pauses = 0;
    while (!study_crew_is_over(&crew)) {
        study_crew_stop(&crew);
        wait_for_all(&crew);
        long long in = crew.study.in;
        study_crew_update(&crew);
        assert_int_equal(crew.study.in, in);
        study_crew_go_on(&crew);
        SDL_Delay(pauses++ % 3 == 0 ? 2 : 0);
        study_crew_update(&crew);
    }
    wait_for_all(&crew);
    check_same(&crew.study, &at_once.study);
    study_crew_release(&crew);
    study_crew_release(&at_once);
    layer_release(&layer);
}

/* Mimetic matrices are made up to a width alone. */
static void what_fails_stops_all_and_says_why(void **state) {
    (void)state;
    static StudyCrew crew;
    Layer layer;
    Err err = {0};
    AttnShape wide = {.T = 2, .D = 1025, .H = 1, .K = 1, .V = 1, .score_factor = 1};
    int mimetic = registry_find(&SCHEME_REGISTRY, "mimetic", strlen("mimetic"));
    layer_init(&layer, wide, MASK_NONE, 3);
    StudyPlan plan = {.shape = wide,
                      .x = &layer.x,
                      .mask = layer.mask,
                      .schemes = {{mimetic, scheme_plan(mimetic, 1, 1)}},
                      .scheme_count = 1,
                      .layers = 1,
                      .seeds = 5,
                      .parts = STUDY_FORWARD};
    assert_true(study_crew_begin(&crew, &plan, hands_some(2), &err));
    wait_for_all(&crew);
    assert_true(crew.failed && study_crew_is_over(&crew));
    assert_int_equal(crew.err.kind, ERR_USAGE);
    study_crew_go_on(&crew);
    assert_false(study_crew_is_working(&crew));
    study_crew_release(&crew);
    assert_false(study_crew_begin(&crew, &plan, (JobHands){0}, &err)); /* at once, the same */
    study_crew_release(&crew);
    layer_release(&layer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_hands_changes_nothing),
        cmocka_unit_test(hands_that_are_held_go_on),
        cmocka_unit_test(a_pause_changes_nothing),
        cmocka_unit_test(what_fails_stops_all_and_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, hands_end);
}
