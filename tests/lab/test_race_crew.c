/* A race shared out to several hands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/util.h"
#include "lab/race_crew.h"
#include "lab/raced.h"
#include "support/slow_job.h"

#define HANDS 3

static const char *const FIVE[] = {"xavier_uniform", "he_uniform", "normal", "zeros", "orthogonal"};

/* Hands that do their work when they are asked the so manyth time whether it is done. */
typedef struct Hands {
    Slow slow[HANDS];
    JobRunner runners[HANDS];
    int ways_given;
} Hands;

static void give_way(void *context) {
    Hands *hands = context;
    hands->ways_given++;
}

static JobHands hands_of(Hands *hands, int count) {
    for (int i = 0; i < count; i++)
        hands->runners[i] = slow_hand(&hands->slow[i]);
    return (JobHands){.at = hands->runners, .count = count, .give_way = give_way, .context = hands};
}

static Layer a_layer(void) {
    Layer layer;
    layer_init(&layer, raced_shape(FORM_SEPARATE, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    return layer;
}

static void any_hands_give_the_same_bits(void **state) {
    (void)state;
    Layer layer = a_layer();
    RacePlan plan = raced_plan(&layer, FIVE, 5);
    Raced alone;
    raced_begin(&alone, &plan);
    raced_run(&alone, 1);
    for (int count = 0; count <= HANDS; count++) {
        Hands hands = {0};
        static RaceCrew crew;
        Err err;
        assert_true(race_crew_begin(&crew, &plan, hands_of(&hands, count), &err));
        for (int i = 0; i < count; i++)
            assert_int_equal(hands.slow[i].started, 1);
        race_crew_update(&crew);
        assert_false(race_crew_is_working(&crew));
        assert_true(race_crew_is_over(&crew) && !crew.failed);
        assert_true(count == 0 || hands.ways_given > 0);
        raced_assert_same(&crew.race, &alone.race);
        race_crew_release(&crew);
    }
    raced_end(&alone);
    layer_release(&layer);
}

static void no_more_hands_than_columns_are_asked(void **state) {
    (void)state;
    Layer layer = a_layer();
    RacePlan plan = raced_plan(&layer, FIVE, 2);
    Hands hands = {0};
    static RaceCrew crew;
    Err err;
    assert_true(race_crew_begin(&crew, &plan, hands_of(&hands, HANDS), &err));
    assert_int_equal(hands.slow[1].started, 1);
    assert_int_equal(hands.slow[2].started, 0);
    assert_true(race_crew_end(&crew));
    race_crew_release(&crew);
    layer_release(&layer);
}

/* Told to stop before they began, they have done nothing, and later go on. */
static void hands_that_stop_go_on(void **state) {
    (void)state;
    Layer layer = a_layer();
    RacePlan plan = raced_plan(&layer, FIVE, 4);
    Hands hands = {0};
    static RaceCrew crew;
    Err err;
    assert_true(race_crew_begin(&crew, &plan, hands_of(&hands, 2), &err));
    race_crew_stop(&crew);
    race_crew_go_on(&crew, crew.race.plan.rules.steps); /* in vain: they are at work */
    race_crew_update(&crew);
    assert_false(race_crew_is_working(&crew) || race_crew_is_over(&crew) || crew.failed);
    for (int i = 0; i < 4; i++)
        assert_int_equal(race_done(&crew.race, i), 0);
    race_crew_go_on(&crew, crew.race.plan.rules.steps);
    assert_true(race_crew_is_working(&crew));
    race_crew_update(&crew);
    assert_true(race_crew_is_over(&crew) && !crew.failed);
    race_crew_release(&crew);
    layer_release(&layer);
}

static void a_race_that_cannot_begin_says_why(void **state) {
    (void)state;
    Layer layer = a_layer();
    RacePlan plan = raced_plan(&layer, FIVE, 2);
    Hands hands = {0};
    static RaceCrew crew;
    Err err = {0};
    hands.slow[0].refuses = hands.slow[1].refuses = true;
    assert_false(race_crew_begin(&crew, &plan, hands_of(&hands, 2), &err));
    assert_true(crew.failed && race_crew_is_over(&crew) && !race_crew_is_working(&crew));
    assert_string_equal(err.what, "threads");
    plan.shape.form = FORM_RANK;
    assert_false(race_crew_begin(&crew, &plan, (JobHands){0}, &err));
    assert_string_equal(crew.err.what, "rank");
    assert_true(race_crew_is_over(&crew));
    race_crew_update(&crew);
    race_crew_go_on(&crew, crew.race.plan.rules.steps);
    assert_true(race_crew_end(&crew));
    race_crew_release(&crew);
    layer_release(&layer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_hands_give_the_same_bits),
        cmocka_unit_test(no_more_hands_than_columns_are_asked),
        cmocka_unit_test(hands_that_stop_go_on),
        cmocka_unit_test(a_race_that_cannot_begin_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
