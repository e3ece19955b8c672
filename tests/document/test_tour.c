/* Tours: reading a file, its faults, and its moments by time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/tour.h"
#include "support/test.h"
#include "views/settings.h"

#define HEAD "title = T\nstate = seed=11\n== a: First\n"

static const char WHOLE[] = "\xEF\xBB\xBF# Headlight tour 1\r\n"
                            "title  = What is attention?\n"
                            "state  = text=a b&seed=11\n"
                            "stage  = hall\n"
                            "scale  = A 0..1\n"
                            "tempo  = 1.5\n"
                            "== sums: Each row: sums to 1\n"
                            "state   = view=heads\n"
                            "frame   = heads.matrix.1\n"
                            "light   = row(2)\n"
                            "caption = Who # asks = “whom”?\n"
                            "note    = Let them guess. (2 min)\n"
                            "say     = Every row …\n"
                            "hold    = 5\n"
                            "ask     = pin(2,*) : Click: the word.\n"
                            "hint    = Follow the row.\n"
                            "expect  = A(2,1) > 0.5\n"
                            "move    = pin 0.8\n"
                            "branch  = Q why : Why?\n"
                            "== merge: One or two?\n"
                            "+state  = pin=2,1\n"
                            "guess   = A(2,*) : Which word?\n"
                            "at 0.5  caption = W_Q and W_K.\n"
                            "at 2.0  play train-step 0..400 over 8 by change\n"
                            "at 2.0  play wqk-turn 0..1 over 4\n"
                            "at 6.0  light = wqk.proof\n"
                            "== why : Typed\n"
                            "state   = view=heads\n"
                            "at 0    type \" the = cat\" 4/s word\n"
                            "at 5    key Ctrl+R\n";

static Tour read_all(const char *bytes, TourFaults *faults) {
    Tour tour;
    must(tour_read(&tour, bytes, strlen(bytes), &PICTURE_OPTIONS, faults, &told));
    return tour;
}

static Tour read_right(const char *bytes) {
    TourFaults faults;
    Tour tour = read_all(bytes, &faults);
    if (faults.count > 0)
        fail_msg("%s: %s", faults.at[0].err.what, faults.at[0].err.why);
    return tour;
}

TEST(a_file_is_read) {
    LOCAL(tour_release) Tour tour = read_right(WHOLE);
    const TourStep *s = &tour.steps[0];
    assert_int_equal(tour.step_count, 3);
    assert_string_equal(tour.title, "What is attention?");
    assert_true(tour.is_hall && tour.tempo == 1.5);
    assert_string_equal(tour.scale, "A 0..1");
    assert_string_equal(s->id, "sums");
    assert_string_equal(s->title, "Each row: sums to 1");
    assert_string_equal(s->frame, "heads.matrix.1");
    assert_string_equal(s->light, "row(2)");
    assert_string_equal(s->caption, "Who # asks = “whom”?");
    assert_string_equal(s->note, "Let them guess. (2 min)");
    assert_string_equal(s->say, "Every row …");
    assert_string_equal(s->ask.goal, "pin(2,*)");
    assert_string_equal(s->ask.words, "Click: the word.");
    assert_string_equal(s->hint, "Follow the row.");
    assert_string_equal(s->expect, "A(2,1) > 0.5");
    assert_string_equal(s->branch_key, "Q");
    assert_string_equal(s->branch_id, "why");
    assert_string_equal(s->branch_words, "Why?");
    assert_true(s->hold_s == 5 && tour_seconds(&tour, 0) == 5);
    assert_string_equal(tour.steps[1].guess.goal, "A(2,*)");
    assert_int_equal(tour.steps[1].cue_count, 4);
    assert_string_equal(tour.steps[2].id, "why");
    assert_string_equal(tour_key(&tour, 2, 0)->value, "Ctrl+R");
    assert_null(tour_key(&tour, 2, 1));
}

static void check_moment(const Tour *tour, int step, double time_s, const char *state,
                         const char *caption) {
    LOCAL(text_out_release) TextOut out = {0};
    TourMoment moment = tour_at(&out, tour, step, time_s);
    assert_string_equal(out.at, state);
    if (caption != NULL)
        assert_string_equal(moment.caption, caption);
    else
        assert_null(moment.caption);
}

TEST(states_are_absolute) {
    LOCAL(tour_release) Tour tour = read_right(WHOLE);
    check_moment(&tour, 0, 0, "text=a b&seed=11&view=heads", "Who # asks = “whom”?");
    check_moment(&tour, 1, 0, "text=a b&seed=11&view=heads&pin=2,1", NULL);
    check_moment(&tour, 1, 1, "text=a b&seed=11&view=heads&pin=2,1", "W_Q and W_K.");
    check_moment(&tour, 1, 4, "text=a b&seed=11&view=heads&pin=2,1&train-step=100&wqk-turn=0.5",
                 "W_Q and W_K.");
    check_moment(&tour, 1, INFINITY,
                 "text=a b&seed=11&view=heads&pin=2,1&train-step=400&wqk-turn=1", "W_Q and W_K.");
}

TEST(typing_ends_words) {
    Tour tour = read_right(WHOLE);
    check_moment(&tour, 2, 0.9, "seed=11&view=heads&text=a b", NULL);
    check_moment(&tour, 2, 1.0, "seed=11&view=heads&text=a b the", NULL);
    check_moment(&tour, 2, 60, "seed=11&view=heads&text=a b the = cat", NULL);
    TextOut out = {0};
    assert_int_equal(tour_at(&out, &tour, 2, 4.9).keys, 0);
    assert_int_equal(tour_at(&out, &tour, 2, 5).keys, 1);
    assert_true(tour_at(&out, &tour, 2, 4.9).next_s == 5);
    assert_true(isinf(tour_at(&out, &tour, 2, 5).next_s));
    text_out_release(&out);
    tour_release(&tour);
    tour = read_right("title=T\n== a: A\nat 0 type \" 50% & more\" 9/s\n");
    out = (TextOut){0};
    tour_at(&out, &tour, 0, INFINITY);
    assert_non_null(strstr(out.at, "tired 50%25 %26 more"));
    text_out_release(&out);
    tour_release(&tour);
}

/* Text that many cues type needs memory of its own length, not times the number of cues. */
TEST(typing_replaces_the_text) {
    char file[2000];
    size_t used = (size_t)sprintf(file, "title=T\n== a: A\nstate = text=a&seed=2&text=b&head=1\n");
    for (int i = 0; i < 30; i++)
        used += (size_t)sprintf(file + used, "at %d type \"c\" 9/s\n", i);
    Tour tour = read_right(file);
    check_moment(&tour, 0, INFINITY, "text=a&seed=2&head=1&text=bcccccccccccccccccccccccccccccc",
                 NULL);
    tour_release(&tour);
    tour = read_right("title=T\n== a: A\nstate = text=a\nat 0 type \"b\" 9/s\n");
    check_moment(&tour, 0, INFINITY, "text=ab", NULL);
    tour_release(&tour);
}

TEST(a_step_lasts_as_long_as_its_words_and_cues) {
    LOCAL(tour_release) Tour tour = read_right(WHOLE);
    assert_true(tour_seconds(&tour, 1) > 10 && tour_seconds(&tour, 1) < 15);
}

TEST(a_wrong_line_is_named) {
    static const struct {
        const char *text, *what;
    } wrong[] = {
        {HEAD "hold = soon\n", "line 4: hold"},
        {HEAD "hold = -1\n", "line 4: hold"},
        {HEAD "hold = 1e9\n", "line 4: hold"},
        {HEAD "ask = pin(9,*) Click\n", "line 4: ask"},
        {HEAD "branch = Q why\n", "line 4: branch"},
        {HEAD "branch = Q nowhere : Why?\n", "line 3: nowhere"},
        {HEAD "caption\n", "line 4: caption"},
        {HEAD "at x key R\n", "line 4: at"},
        {HEAD "at 1 key\n", "line 4: key"},
        {HEAD "at 1 jump high\n", "line 4: jump"},
        {HEAD "at 1 note = x\n", "line 4: note"},
        {HEAD "at 2 key R\nat 1 key R\n", "line 5: at"},
        {HEAD "at 1 play temperature 0..1\n", "line 4: play"},
        {HEAD "at 1 play temperature 0..1 over x\n", "line 4: play"},
        {HEAD "at 1 play temperature 0-1 over 1\n", "line 4: play"},
        {HEAD "at 1 play warmth 0..1 over 1\n", "line 4: warmth"},
        {HEAD "at 1 play mask 0..1 over 1\n", "line 4: mask"},
        {HEAD "at 1 type words 9/s\n", "line 4: type"},
        {HEAD "at 1 type \"words\" 9\n", "line 4: type"},
        {HEAD "at 1 type \"words\" 0/s\n", "line 4: type"},
        {HEAD "== a: Again\n", "line 4: a"},
        {HEAD "== b\n", "line 4: =="},
        {HEAD "== B: Big\n", "line 4: =="},
        {HEAD "== b:\n", "line 4: b"},
        {"title = T\n== a: A\n+state = seed=1\n", "line 3: +state"},
        {"title = T\nat 1 key R\n== a: A\n", "line 2: at"},
        {"title = T\nstage = moon\n== a: A\n", "line 2: stage"},
        {"title = T\ntempo = 0\n== a: A\n", "line 2: tempo"},
        {"== a: A\n", "line 1: title"},
        {"title = T\n", "line 1: =="},
        {"", "line 1: title"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TourFaults faults;
        LOCAL(tour_release) Tour tour = read_all(wrong[i].text, &faults);
        if (faults.errors < 1 || strcmp(faults.at[0].err.what, wrong[i].what) != 0)
            fail_msg("“%s”: found %s", wrong[i].text,
                     faults.count > 0 ? faults.at[0].err.what : "nothing");
        assert_true(strlen(faults.at[0].err.why) > 8);
    }
}

TEST(an_unknown_key_is_a_note) {
    TourFaults faults;
    LOCAL(tour_release) Tour tour = read_all(HEAD "colour = red\ncaption = C\n", &faults);
    assert_int_equal(faults.count, 1);
    assert_int_equal(faults.errors, 0);
    assert_true(faults.at[0].is_note);
    assert_string_equal(faults.at[0].err.what, "line 4: colour");
    assert_string_equal(tour.steps[0].caption, "C");
}

TEST(limits_hold) {
    Err err;
    Tour tour;
    TourFaults faults;
    size_t bytes = TOUR_BYTES_MAX + 1, used;
    LOCAL(free_at) char *big = malloc(bytes);
    memset(big, '#', bytes);
    assert_false(tour_read(&tour, big, bytes, &PICTURE_OPTIONS, &faults, &err));
    assert_false(tour_read(&tour, "a\0b", 3, &PICTURE_OPTIONS, &faults, &err));
    assert_false(tour_read(&tour, "\xff", 1, &PICTURE_OPTIONS, &faults, &err));
    assert_false(tour_read(&tour, "a\n\x1b[2J", 6, &PICTURE_OPTIONS, &faults, &err));
    assert_string_equal(err.why, "line 2 holds a control character; remove it");
    assert_false(tour_read(&tour, "title = \xC2\x9B[2J", 13, &PICTURE_OPTIONS, &faults, &err));
    used = (size_t)sprintf(big, "title = T\n");
    for (int i = 0; i <= TOUR_STEPS_MAX; i++)
        used += (size_t)sprintf(big + used, "== s%d: S\n", i);
    tour = read_all(big, &faults);
    assert_int_equal(tour.step_count, TOUR_STEPS_MAX);
    assert_int_equal(faults.errors, 1);
    tour_release(&tour);
    used = (size_t)sprintf(big, HEAD);
    for (int i = 0; i <= TOUR_CUES_MAX; i++)
        used += (size_t)sprintf(big + used, "at %d key R\n", i);
    tour = read_all(big, &faults);
    assert_int_equal(tour.steps[0].cue_count, TOUR_CUES_MAX);
    assert_int_equal(faults.errors, 1);
    tour_release(&tour);
    used = (size_t)sprintf(big, HEAD "state = text=a\n");
    for (int i = 1; i < TOUR_STEPS_MAX; i++)
        used += (size_t)sprintf(big + used, "== s%d: S\n+state = text=%0800d\n", i, i);
    tour = read_all(big, &faults);
    assert_int_equal(faults.errors, 1);
    assert_string_equal(faults.at[0].err.what, "line 411: state");
    tour_release(&tour);
}

/* A file that is cut off at any byte is read, or refused with a line and a key. */
TEST(every_truncation_is_read_or_named) {
    for (size_t size = 0; size < sizeof WHOLE - 1; size++) {
        LOCAL(tour_release) Tour tour;
        TourFaults faults;
        Err err;
        if (!tour_read(&tour, WHOLE, size, &PICTURE_OPTIONS, &faults, &err)) {
            assert_non_null(strstr(err.why, "UTF-8")); /* cut inside a character */
            continue;
        }
        for (int i = 0; i < faults.count && i < TOUR_FAULTS_MAX; i++)
            assert_int_equal(strncmp(faults.at[i].err.what, "line ", 5), 0);
        for (int step = 0; step < tour.step_count; step++) {
            LOCAL(text_out_release) TextOut out = {0};
            tour_at(&out, &tour, step, INFINITY);
        }
    }
}

TEST(a_change_keeps_the_other_lines) {
    static const char file[] = "# mine\ntitle = T\nstate = seed=2\n\n== a: First\n# why\n"
                               "caption = One = 1\nat 1 caption = Two\n\n\n== b: Second\n"
                               "+state = head=2\nnote = N";
    LOCAL(text_out_release) TextOut out = {0};
    LOCAL(tour_release) Tour tour = read_right(file);
    tour_write_key(&out, &tour, 0, "caption", "Three");
    assert_string_equal(out.at, "# mine\ntitle = T\nstate = seed=2\n\n== a: First\n# why\n"
                                "caption = Three\nat 1 caption = Two\n\n== b: Second\n"
                                "+state = head=2\nnote = N\n");
    text_out_reset(&out);
    tour_write_key(&out, &tour, 1, "state", "head=3");
    assert_non_null(strstr(out.at, "== b: Second\nstate = head=3\nnote = N\n"));
    text_out_reset(&out);
    tour_write_key(&out, &tour, 1, "note", "");
    assert_non_null(strstr(out.at, "== b: Second\n+state = head=2\n"));
    assert_null(strstr(out.at, "note"));
    text_out_reset(&out);
    tour_write_key(&out, &tour, 1, "title", "Other");
    assert_non_null(strstr(out.at, "== b: Other\n+state = head=2\nnote = N\n"));
    text_out_reset(&out);
    tour_write_key(&out, &tour, TOUR_HEADER, "title", "U");
    assert_non_null(strstr(out.at, "# mine\ntitle = U\nstate = seed=2\n\n== a: First\n"));
}

TEST(steps_are_inserted_moved_and_left_out) {
    static const char file[] = "title = T\n== step-4: A\nnote = a\n== b: B\n== c: C\n";
    static const char *const moved[3][3] = {
        {"abc", "bac", "bca"}, {"bac", "abc", "acb"}, {"cab", "acb", "abc"}};
    LOCAL(tour_release) Tour tour = read_right(file);
    LOCAL(text_out_release) TextOut out = {0};
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            text_out_reset(&out);
            tour_write_move(&out, &tour, from, to);
            LOCAL(tour_release) Tour after = read_right(out.at);
            assert_int_equal(after.step_count, 3);
            for (int i = 0; i < 3; i++)
                assert_int_equal(after.steps[i].title[0] - 'A' + 'a', moved[from][to][i]);
        }
    for (int at = 0; at <= 3; at++) {
        text_out_reset(&out);
        tour_write_step(&out, &tour, at, "New", "seed=9");
        LOCAL(tour_release) Tour after = read_right(out.at);
        assert_int_equal(after.step_count, 4);
        assert_string_equal(after.steps[at].id, "step-5"); /* step-4 is another's */
        assert_string_equal(after.steps[at].state, "seed=9");
    }
    text_out_reset(&out);
    tour_write_without(&out, &tour, 0);
    assert_string_equal(out.at, "title = T\n\n== b: B\n\n== c: C\n");
}
