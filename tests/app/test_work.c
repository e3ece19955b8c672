/* Jobs that run between frames, in a pool whose jobs end when the test says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/rng.h"
#include "base/util.h"
#include "support/script.h"
#include "support/slow_job.h"
#include "support/test.h"
#include "views/view.h"

#define HEAVY    "d-model=96&init=mimetic"
#define WIDE     "d-model=128&heads=1&embedding=random"
#define RANKED   "graph-heads=all&graph-nodes=pagerank" /* of many tokens longer than a frame */
#define HEAVIEST "d-model=128&init=mimetic"             /* its jobs are stopped before they begin */

static Slow slow; /* the jobs of the window */

static void open_slow(Script *s, const char *state, Slow jobs) {
    slow = jobs;
    script_begin_jobs(s, state, slow_pool(&slow));
}

/* With the picture of a state; from then on no job ends by itself. */
static void open_settled(Script *s, const char *state) {
    open_slow(s, state, (Slow){.polls = 0});
    slow.started = 0;
    slow.polls = SLOW_FOR_GOOD;
}

static void paste(Script *s, const char *state) {
    script_paste(s, state, strlen(state));
}

/* The picture equals that of an App of the same session without jobs. */
static void check_settled(const Script *s) {
    SCRIPT(other, script_open, script_state(s));
    other.time_s = s->time_s;
    script_frame(&other);
    assert_true(draw_hash(&s->list) == draw_hash(&other.list));
}

TEST_IN(a_long_change_is_made_beside_the_frames, open_settled, "") {
    uint64_t cells = drawn_cells(&s->list, 0)->hash;
    paste(s, HEAVY);
    assert_int_equal(slow.started, 1);
    script_check(s, HEAVY);
    assert_true(drawn_cells(&s->list, 0)->hash == cells);
    assert_false(script_says(s, "Computing…"));
    assert_true(app_effects(s->app)->next_frame_s <= 0.11);
    script_at(s, 0.2);
    script_play(s, "{Computing…} -{Stop} -{Learned numbers}");
    script_at(s, 1.2);
    assert_true(script_says(s, "Stop") && drawn_cells(&s->list, 0)->hash == cells);
    const DrawCommand *stop = drawn_text(&s->list, "Stop", 0); /* it covers nothing */
    assert_true(rect_contains(s->app->layout.status, drawn_middle(&s->list, stop)));
    slow.polls = 0;
    script_frame(s);
    assert_true(drawn_cells(&s->list, 0)->hash != cells && !script_says(s, "Stop"));
    check_settled(s);
    assert_true(app_effects(s->app)->next_frame_s == INFINITY);
    assert_int_equal(slow.started, 2); /* the picture, and what follows it */
}

TEST_IN(what_ends_while_the_frame_waits_is_in_it, open_slow, "", (Slow){.polls = 0}) {
    paste(s, "seed=4&heads=8&mask=causal");
    check_settled(s);
    script_type(s, "c");
    assert_true(slow.started > 1 && !app_is_computing(s->app));
}

TEST_IN(a_window_may_begin_with_a_job, open_slow, HEAVY, (Slow){.polls = 1000}) {
    script_play(s, "{Computing…} ? Escape");
    for (int view = 1; view <= VIEW_REGISTRY.count; view++)
        script_key(s, '0' + (uint32_t)view, 0);
    script_keys(s, "1");
    slow.polls = 0;
    script_frame(s);
    check_settled(s);
}

/* One in the rail, and one over the view. */
TEST_IN(a_view_that_is_computed_is_named_once, open_slow, "compare-schemes=mimetic,orthogonal",
        (Slow){.polls = 0}) {
    slow.polls = 1000;
    script_play(s, "4 @0.2");
    assert_non_null(drawn_text(&s->list, "Computing…", 1)); /* in the view and in the status line */
    assert_non_null(drawn_text(&s->list, "Compare", 1));
    assert_null(drawn_text(&s->list, "Compare", 2));
    slow.polls = 0;
    script_frame(s);
}

/* For so long a text, the first job also computes the view's data. */
TEST(a_window_may_begin_with_a_long_text) {
    static char text[512] = "heads=8&text=";
    for (int i = 0; i < 128; i++)
        strcat(text, i % 3 == 0 ? "a " : "b ");
    SCRIPT(s, open_slow, text, (Slow){.polls = 0});
    for (int i = 1; i <= 4; i++)
        script_at(&s, 0.3 * i);
    assert_true(slow.started > 0);
    check_settled(&s);
}

TEST_IN(a_newer_edit_stops_a_long_job_and_the_next_begins, open_settled, "") {
    paste(s, HEAVIEST);
    paste(s, HEAVY);
    assert_int_equal(slow.started, 1);
    script_at(s, 0.3); /* it is told to stop */
    slow.polls = 0;
    script_frame(s);
    assert_int_equal(slow.started, 3); /* the newer one, and what follows its picture */
    check_settled(s);
}

TEST_IN(undo_gives_the_picture_back_at_once, open_settled, "") {
    uint64_t hash = draw_hash(&s->list);
    paste(s, HEAVIEST);
    script_at(s, 5);
    assert_true(draw_hash(&s->list) != hash);
    script_keys(s, "Ctrl+Z");
    assert_true(draw_hash(&s->list) == hash);
    slow.polls = 0;
    script_play(s, "| |");
    assert_true(draw_hash(&s->list) == hash);
    assert_int_equal(slow.started, 1);
}

TEST_IN(stop_holds_until_something_changes, open_settled, "") {
    paste(s, HEAVIEST);
    script_at(s, 2);
    script_click_text(s, "Stop", 0);
    slow.polls = 0;
    script_play(s, "| |");
    assert_int_equal(slow.started, 1);
    assert_true(script_says(s, "Continue") && script_says(s, "Computing…") == false);
    assert_true(app_effects(s->app)->next_frame_s == INFINITY);
    slow.polls = 1000;
    script_click_text(s, "Continue", 0);
    assert_int_equal(slow.started, 2);
    assert_false(script_says(s, "Continue"));
    paste(s, HEAVY);
    slow.polls = 0;
    script_frame(s);
    slow.polls = 0;
    script_frame(s);
    check_settled(s);
}

/* A wait for a job that takes longer than a frame delays the frame in vain. */
TEST_IN(after_a_long_job_no_frame_waits_until_one_was_short, open_settled, "") {
    for (int i = 0; i < 3; i++) {
        bool waits = i != 1;
        slow.polls = SLOW_FOR_GOOD;
        slow.waited_ms = 0;
        s->time_s += 1;
        paste(s, i == 0 ? HEAVIEST : i == 1 ? HEAVIEST "&seed=2" : HEAVIEST "&seed=3");
        assert_int_equal(slow.waited_ms > 0, waits);
        if (i == 0) {
            script_play(s, "@2 <Stop>");
            continue;
        }
        slow.polls = 0; /* it ends */
        script_frame(s);
    }
}

/* The previous picture returns immediately, however long the job takes to end. */
TEST_IN(what_is_stopped_is_abandoned, open_settled, "") {
    slow.holds_stopped = true;
    for (int i = 1; i <= 3; i++) {
        paste(s, i % 2 == 1 ? HEAVIEST : HEAVIEST "&seed=2");
        script_at(s, s->time_s + 2);
        assert_int_equal(slow.started, i);
        script_play(s, "{Stop} <Stop>");
        assert_true(script_says(s, "Continue") == (i <= WORK_ABANDONED_MAX));
    }
    slow.holds_stopped = false; /* they end */
    script_frame(s);
    paste(s, HEAVY);
    slow.polls = 0;
    script_play(s, "| |");
    check_settled(s);
    assert_int_equal(slow.working, 0);
}

TEST_IN(a_job_that_fails_says_why_and_is_not_tried_again, open_settled, "") {
    slow.polls = 0;
    paste(s, "d-model=4096&heads=64&d-k=4096&d-v=4096");
    for (int i = 0; i < 5; i++)
        script_frame(s);
    assert_int_equal(slow.started, 1);
    assert_true(script_says(s, "weights"));
    check_settled(s);
    paste(s, HEAVY);
    script_play(s, "| |");
    check_settled(s);
}

TEST_IN(without_a_thread_it_is_done_in_the_frame, open_slow, "", (Slow){.refuses = true}) {
    paste(s, HEAVY);
    check_settled(s);
}

TEST(a_window_may_close_on_a_job) {
    Script s;
    open_settled(&s, "");
    paste(&s, HEAVIEST);
    script_end(&s);
    assert_int_equal(slow.working, 0);
}

/* A view's requests in addition to what every Results has. */
TEST_IN(a_long_wish_is_met_beside_the_frames, open_settled, WIDE) {
    assert_int_equal(slow.started, 0);
    script_keys(s, "3");
    assert_int_equal(slow.started, 1);
    assert_false(script_says(s, "Computing…"));
    script_at(s, 0.2);
    assert_true(script_says(s, "Computing…") && !script_says(s, "Singular values"));
    slow.polls = 0;
    script_play(s, "| {Singular values}");
    check_settled(s);
    int before = slow.started;
    slow.polls = SLOW_FOR_GOOD;
    paste(s, WIDE "&seed=2&view=wqk");
    assert_int_equal(slow.started, before + 1);
    slow.polls = 0;
    script_frame(s);
    check_settled(s);
}

/* The next job is never done before the test says so. */
static bool wait_for_one(void *context, Job *job, int most_ms) {
    bool is_done = slow_pool(context).wait(context, job, most_ms);
    ((Slow *)context)->polls += is_done ? SLOW_FOR_GOOD : 0;
    return is_done;
}

/* The matrices of all distances, which come after the picture. */
TEST(what_follows_is_not_announced) {
    slow = (Slow){.polls = 0};
    JobPool pool = slow_pool(&slow);
    pool.wait = wait_for_one;
    SCRIPT(s, script_begin_jobs, "positions=rope&view=wqk", pool);
    assert_true(app_is_computing(s.app) && !app_lacks(s.app));
    script_at(&s, s.time_s + 2);
    assert_true(app_is_computing(s.app) && !app_lacks(s.app));
    assert_false(script_says(&s, "Computing") || script_says(&s, "Computing…"));
    slow.polls = 0;
    script_frame(&s);
    assert_false(app_is_computing(s.app));
    check_settled(&s);
}

/* The job borrows the Results, which must not change until the job has ended. */
TEST_IN(an_edit_during_a_wish_waits_for_its_end, open_settled, WIDE) {
    uint64_t cells = drawn_cells(&s->list, 0)->hash;
    script_keys(s, "3 1");
    check_settled(s);
    paste(s, "seed=7");
    assert_true(drawn_cells(&s->list, 0)->hash == cells);
    slow.polls = 0;
    script_frame(s);
    check_settled(s);
}

TEST_IN(a_wish_that_was_stopped_goes_on, open_settled, WIDE) {
    script_keys(s, "3");
    script_at(s, 2);
    script_click_text(s, "Stop", 0);
    slow.polls = 0;
    script_play(s, "| |");
    assert_true(script_says(s, "Continue") && slow.started == 1);
    script_click_text(s, "Continue", 0);
    assert_true(slow.started > 1);
    slow.polls = 0;
    script_frame(s);
    check_settled(s);
}

static void hundred_words(char *out, const char *before) {
    strcpy(out, before);
    for (int i = 0; i < 100; i++)
        strcat(out, i % 3 == 0 ? "a " : i % 7 == 0 ? "c " : "b ");
}

/* The Graph view's data for many tokens, for every choice that takes long. */
TEST(a_graph_is_made_beside_the_frames) {
    static const char *const choices[] = {"&graph-nodes=pagerank", "&graph-layout=force",
                                          "&depth=3&graph-layout=layered"};
    for (size_t i = 0; i < ARRAY_COUNT(choices); i++) {
        char plain[512], longer[600];
        hundred_words(plain, "heads=16&view=graph&graph-heads=all&edges=5&text=");
        snprintf(longer, sizeof longer, "%s%s", plain, choices[i]);
        SCRIPT(s, open_slow, plain, (Slow){.polls = 1000});
        slow.polls = 0;
        script_at(&s, 0.5);
        check_settled(&s);
        int before = slow.started;
        slow.polls = 1000;
        paste(&s, longer);
        assert_int_equal(slow.started, before + 1);
        assert_true(script_says(&s, "N(1), open to “a”") == false && script_says(&s, "Hide"));
        script_at(&s, 0.8);
        assert_true(drawn_beginning(&s.list, "4,992 strongest of ") != NULL); /* those before */
        slow.polls = 0;
        script_at(&s, 1.5);
        check_settled(&s);
    }
}

/* No result of an older choice replaces that of a newer one. */
TEST(a_newer_choice_in_the_graph_is_the_one_shown) {
    char text[512];
    LOCAL(script_end) Script s;
    hundred_words(text, "heads=16&view=graph&graph-heads=all&text=");
    open_settled(&s, text);
    script_at(&s, 0.5);
    slow.polls = 1000;
    script_play(&s, "<PageRank> <Plain> move:2,2");
    script_at(&s, 1.5);
    slow.polls = 0;
    script_play(&s, "| |");
    check_settled(&s);
}

/* Random edits while jobs run: the final picture equals that of an App without jobs. */
TEST_IN(any_edits_settle_to_the_same_picture, open_slow, "", (Slow){.polls = 0}) {
    static const char *const states[] = {"heads=2",
                                         "seed=%d&mask=causal",
                                         "d-model=96&seed=%d&init=mimetic&heads=1",
                                         "form=merged&d-model=128&seed=%d",
                                         "beside=gpt2&seed=%d",
                                         WIDE "&seed=%d&view=wqk",
                                         WIDE "&wqk-rank=1%d&view=wqk&wqk-page=training",
                                         WIDE "&seed=%d&view=wqk&wqk-against=rank&wqk-page=rank",
                                         WIDE "&head=1&seed=%d&show=grad-a",
                                         ("heads=8&seed=%d&view=graph&" RANKED),
                                         "heads=8&depth=2&seed=%d&view=graph&graph-layout=layered",
                                         "heads=8&seed=1&view=graph&graph-filter=top&edges=1%d"};
    static const uint32_t keys[] = {'1', '2', '3', '[', ']', 'r', 'm'};
    static char text[2048] = "text=";
    for (size_t at = 5; at + 3 < sizeof text / 2; at += 2)
        memcpy(text + at, "a ", 3);
    Rng rng = rng_stream(7, 0);
    for (uint64_t i = 0; i < 60; i++) {
        char changed[4096];
        uint64_t pick = rng_bits(rng, i);
        int used = snprintf(changed, sizeof changed, states[pick % ARRAY_COUNT(states)],
                            (int)(pick >> 8 & 3));
        if (i % 3 == 0)
            snprintf(changed + used, sizeof changed - (size_t)used, "&%s", text);
        slow.polls = (int)(pick >> 16 & 3);
        s->time_s += 0.3;
        if ((pick >> 20 & 3) == 0)
            script_key(s, keys[(pick >> 24) % ARRAY_COUNT(keys)], 0);
        else
            paste(s, changed);
        for (int frame = 0; i % 6 == 5 && frame < 8; frame++) {
            slow.polls = 0;
            script_at(s, s->time_s + 0.3); /* motion ends too */
        }
        if (i % 6 == 5)
            check_settled(s);
    }
    assert_true(slow.started > 12);
}
