/* The singular values of a W_QK drawn whole, which a hand computes beside the frames: its job ends
 * when the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>

#include "support/script.h"
#include "support/slow_job.h"

#define WIDE  "d-model=512&heads=8&embedding=random&view=wqk"
#define MADE  "– – free" /* the brief words, which the width of this test's letters leaves */
#define BEING "free: computing…"

/* A window whose Run is made in the frame where run is NULL, and whose hand is slow. */
static void open_slow(Script *s, Slow *hand, Slow *run, const char *state) {
    static JobRunner runner; /* borrowed by the App */
    runner = slow_hand(hand);
    JobRunner jobs = slow_runner(run);
    script_begin_hands(s, state, run != NULL ? &jobs : &(JobRunner){.context = NULL},
                       (JobHands){.at = &runner, .count = 1});
}

static void paste(Script *s, const char *state) {
    script_paste(s, state, strlen(state));
}

static bool says(const Script *s, const char *words) {
    return drawn_text(&s->list, words, 0) != NULL;
}

/* A hand's work comes into the picture, which then is that of an App that does all at once. */
static void check_made(Script *s, Slow *hand) {
    Script other;
    hand->polls = 0;
    for (int i = 0; i < 3; i++)
        script_frame(s);
    hand->polls = SLOW_FOR_GOOD;
    assert_true(says(s, MADE));
    script_begin(&other, script_state(s), 1728, 1080);
    other.time_s = s->time_s;
    script_frame(&other);
    assert_true(draw_hash(&s->list) == draw_hash(&other.list));
    script_end(&other);
}

static void it_comes_beside_and_is_said_to(void **state) {
    (void)state;
    Script s;
    Slow hand = {.polls = SLOW_FOR_GOOD};
    open_slow(&s, &hand, NULL, WIDE);
    assert_int_equal(hand.started, 1);
    assert_false(says(&s, MADE) || says(&s, BEING));
    assert_true(app_effects(s.app)->next_frame_s <= s.time_s + 0.11);
    s.time_s += 0.2;
    script_frame(&s);
    assert_true(says(&s, BEING) && app_is_computing(s.app));
    check_made(&s, &hand);
    assert_false(app_is_computing(s.app));
    script_end(&s);
}

/* What else is dragged does not change it, and does not begin it anew. */
static void it_goes_on_during_other_drags(void **state) {
    (void)state;
    static const char *const drags[] = {"&wqk-rank=3", "&wqk-rank=4", "&wqk-turn=0.4",
                                        "&temperature=2", "&mask=causal"};
    Script s;
    Slow hand = {.polls = SLOW_FOR_GOOD};
    open_slow(&s, &hand, NULL, WIDE);
    for (size_t i = 0; i < sizeof drags / sizeof drags[0]; i++) {
        char text[128] = WIDE;
        strncat(text, drags[i], sizeof text - strlen(text) - 1);
        paste(&s, text);
        script_frame(&s);
    }
    assert_int_equal(hand.started, 1);
    check_made(&s, &hand);
    assert_int_equal(hand.started, 1);
    script_end(&s);
}

/* It begins with the Run that it belongs to, and until that comes the picture keeps its own. */
static void it_begins_while_the_run_is_made(void **state) {
    (void)state;
    Script s;
    Slow hand = {.polls = 0}, run = {.polls = 0};
    open_slow(&s, &hand, &run, WIDE);
    for (int i = 0; i < 4; i++)
        script_frame(&s);
    assert_true(says(&s, MADE) && !app_is_computing(s.app));
    int before = hand.started, runs = run.started;
    uint64_t shown = draw_hash(&s.list);
    hand.polls = run.polls = SLOW_FOR_GOOD;
    paste(&s, WIDE "&init=mimetic");
    assert_true(run.started == runs + 1 && hand.started == before + 1);
    assert_true(app_is_behind(s.app) && says(&s, MADE));
    hand.polls = 0;
    script_frame(&s);
    assert_true(app_is_behind(s.app) && says(&s, MADE));
    paste(&s, WIDE "&init=xavier_uniform"); /* which has all of it still */
    script_frame(&s);
    assert_true(draw_hash(&s.list) == shown);
    run.polls = 0;
    script_end(&s);
}

/* Of another seed, or of none, the hand stops; and begins again where it is asked again. */
static void it_stops_where_nobody_asks(void **state) {
    (void)state;
    Script s;
    Slow hand = {.polls = SLOW_FOR_GOOD};
    open_slow(&s, &hand, NULL, WIDE);
    paste(&s, WIDE "&seed=2");
    script_frame(&s);
    assert_int_equal(hand.started, 1); /* it has not ended yet */
    hand.polls = 0;
    script_frame(&s);
    hand.polls = SLOW_FOR_GOOD;
    assert_int_equal(hand.started, 2);
    paste(&s, WIDE "&wqk-page=cost");
    script_frame(&s);
    hand.polls = 0;
    script_frame(&s);
    hand.polls = SLOW_FOR_GOOD;
    assert_false(app_is_computing(s.app));
    paste(&s, WIDE "&seed=2&wqk-page=rank");
    script_frame(&s);
    assert_int_equal(hand.started, 3);
    check_made(&s, &hand);
    script_end(&s);
}

static void a_hand_that_is_not_free_is_asked_again(void **state) {
    (void)state;
    Script s;
    Slow hand = {.polls = SLOW_FOR_GOOD, .refuses = true};
    open_slow(&s, &hand, NULL, WIDE);
    assert_true(hand.started == 0 && app_effects(s.app)->next_frame_s <= s.time_s + 0.1);
    hand.refuses = false;
    s.time_s += 0.1;
    script_frame(&s);
    assert_int_equal(hand.started, 1);
    check_made(&s, &hand);
    script_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_comes_beside_and_is_said_to),
                                       cmocka_unit_test(it_goes_on_during_other_drags),
                                       cmocka_unit_test(it_begins_while_the_run_is_made),
                                       cmocka_unit_test(it_stops_where_nobody_asks),
                                       cmocka_unit_test(a_hand_that_is_not_free_is_asked_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
