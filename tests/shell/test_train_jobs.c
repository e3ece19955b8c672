/* Results that Train computes in real threads equal those computed without jobs. */

#include "support/script.h"
#include "support/test.h"
#include "support/threads.h"

#define LAYER "heads=8&train-steps=30&train-step=30"

static void begin_at_once(Script *s, const char *state, const char *keys) {
    script_open(s, state);
    for (; *keys != '\0'; keys++)
        script_key(s, (uint32_t)*keys, 0);
    script_play(s, "End @5");
}

/* Each key is pressed while the job of the previous key runs. */
static void check_keys(const char *state, const char *keys) {
    Script s, at_once;
    threads_begin(&s, state);
    for (const char *key = keys; *key != '\0'; key++)
        script_key(&s, (uint32_t)*key, 0);
    threads_picture(&s);
    script_key(&s, KEY_END, 0);
    threads_wait(&s);
    s.time_s += 5; /* the message has ended */
    script_frame(&s);
    begin_at_once(&at_once, state, keys);
    if (draw_hash(&s.list) != draw_hash(&at_once.list))
        drawn_fail_difference(&at_once.list, &s.list, keys);
    script_end(&at_once);
    script_end(&s);
}

TEST(the_picture_is_that_made_at_once) {
    check_keys("view=train&" LAYER, "");
    check_keys("view=train&" LAYER, "rrrmrf");
}

/* Views with jobs of their own give their threads to the race, and get them back. */
TEST(views_give_way_to_each_other) {
    check_keys("view=compare&compare-seeds=40&" LAYER, "6");
    check_keys("view=compare&compare-seeds=40&" LAYER, "646r46");
    check_keys("view=compare&compare=map&" LAYER, "6r");
}

/* The threads find that a scheme cannot be sampled at this width, and the view says so. */
TEST_IN(what_fails_beside_the_frames_is_said, threads_begin,
        "view=train&d-model=1032&heads=8&compare-schemes=zeros,mimetic") {
    threads_wait(s);
    assert_non_null(drawn_beginning(&s->list, "--d-model 1032: mimetic takes"));
}

TEST_IN(a_window_may_close_meanwhile, threads_begin, "view=train&d-model=256") {
    assert_true(threads_are_used());
}

TEST_ALL(NULL, threads_end)
