/* The Train view before and while it plays. */
#include <math.h>

#include "app/app_state.h"
#include "support/script.h"
#include "support/slow_job.h"
#include "support/test.h"
#include "views/train/train.h"

static int step_of(const Script *s) {
    return app_settings(s->app)->train.step;
}

/* By the time alone, however many frames there were. */
TEST(playing_is_a_form_of_time) {
    static const struct {
        const char *speed;
        int after_half;
    } paces[] = {{"1", 5}, {"8", 40}, {"max", 300}};
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++)
        for (int frames = 1; frames <= 7; frames += 6) {
            SCRIPT(s, script_begin,
                   PRINT("view=train&train-step=10&train-speed=%s", paces[i].speed), 1920, 1080);
            script_key(&s, ' ', 0);
            double from = s.time_s;
            assert_true(isfinite(app_effects(s.app)->next_frame_s));
            for (int f = 1; f <= frames; f++)
                script_at(&s, from + 0.5 * f / frames);
            assert_int_equal(step_of(&s), 10 + paces[i].after_half);
            script_key(&s, ' ', 0);
            script_at(&s, from + 9);
            assert_int_equal(step_of(&s), 10 + paces[i].after_half);
            assert_true(isinf(app_effects(s.app)->next_frame_s));
        }
}

TEST_IN(playing_ends_at_the_last_step_and_begins_anew, script_begin, "view=train&train-step=390",
        1920, 1080) {
    script_play(s, "Space @10");
    assert_int_equal(step_of(s), 400);
    script_play(s, "@1 !idle Space @0.5");
    assert_int_equal(step_of(s), 40);
    script_play(s, "1 " /* it pauses while it is hidden */
                   "@2 6 @2");
    assert_int_equal(step_of(s), 40);
}

/* At step 0 the user can predict, and no thread runs. */
TEST(nothing_is_trained_before_a_person_plays) {
    Slow slow = {.polls = 0};
    SCRIPT(s, script_begin_jobs, "view=train&d-model=16", slow_pool(&slow));
    script_at(&s, s.time_s + 5);
    assert_int_equal(step_of(&s), 0);
    int started = slow.started;
    script_at(&s, s.time_s + 5);
    assert_int_equal(slow.started, started);
    script_play(&s, "{Nothing is trained yet.*} Space @1");
    assert_true(slow.started > started && step_of(&s) > 0);
}

TEST_IN(what_one_layer_cannot_learn_is_said, script_begin, "view=train&train-task=followed", 1920,
        1080) {
    assert_non_null(drawn_beginning(&s->list, "One layer cannot learn this"));
}

/* A race that the user stops does not continue, and no frame waits for it. */
TEST(what_is_stopped_does_not_play_on) {
    Slow slow = {.only_follows = true};
    SCRIPT(s, script_begin_jobs, "view=train&train-step=0&d-model=16", slow_pool(&slow));
    script_at(&s, s.time_s + 1);
    slow.polls = SLOW_FOR_GOOD;
    script_play(&s, "Space @1 <Stop>");
    slow.polls = 0;
    script_play(&s, "@9 @9 {Continue} !idle");
}

/* Until the new race has a step, the race on screen has more tokens and heads than the Results. */
TEST(a_race_of_a_longer_text_is_drawn) {
    Slow slow = {.only_follows = true};
    SCRIPT(s, script_begin_jobs, "view=train&train-step=0&d-model=16&heads=2", slow_pool(&slow));
    script_at(&s, s.time_s + 1);
    slow.polls = SLOW_FOR_GOOD;
    script_play(&s, "Space @1 Ctrl+L 'a' @1");
    assert_int_equal(app_session(s.app)->text->size, 1);
    assert_int_equal(s.app->memory.train->races[0].race->shape.T, 12);
    assert_null(drawn_text(&s.list, "animal", 0));
    slow.polls = 0;
    script_at(&s, s.time_s + 9);
}
