/* Undo restores every state exactly, to the byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/sheets.h"
#include "support/chance.h"
#include "support/script.h"
#include "support/test.h"

#define STATE "text=one%20two%20three&heads=2&pin=2,3&open=1-3"

/* Choose row i of the list of all commands. */
static void choose(Script *s, int i) {
    script_keys(s, "Ctrl+K");
    s->app->finder.at = i;
    script_keys(s, "Enter");
}

TEST_IN(every_command_and_every_value_is_taken_back, script_open, STATE) {
    static PaletteRow rows[PALETTE_ROWS_MAX];
    int count = palette_find(rows, "", NULL), changes = 0;
    LOCAL(free_at) char *start = chance_state(s->app);
    for (int i = 0; i < count; i++) {
        choose(s, i);
        script_keys(s, "Escape"); /* closes what was opened; or unpins, which is a step, too */
        char *now = chance_state(s->app);
        changes += strcmp(now, start) != 0;
        free(now);
        chance_undo_all(s->app, &s->list, 8);
        LOCAL(free_at) char *back = chance_state(s->app);
        if (strcmp(back, start) != 0)
            fail_msg("%s: %s", rows[i].label, back);
    }
    assert_in_range(changes, 100, count);
}

/* A second sentence that was asked for where there is no text is not begun later, by an undo. */
TEST_IN(what_had_no_place_does_not_come_with_undo, script_open, "text=a%20b") {
    LOCAL(free_at) char *start = chance_state(s->app);
    script_keys(s, "Ctrl+L Ctrl+A Delete Escape K Ctrl+Z");
    LOCAL(free_at) char *back = chance_state(s->app);
    assert_string_equal(back, start);
}

TEST_IN(six_hundred_steps_go_back_and_forth, script_open, STATE) {
    LOCAL(free_at) char *start = chance_state(s->app);
    for (int i = 0; i < 600; i++)
        script_key(s, i % 3 == 0 ? 'm' : i % 3 == 1 ? 'r' : ']', 0);
    LOCAL(free_at) char *end = chance_state(s->app);
    assert_int_equal(chance_undo_all(s->app, &s->list, 1000), 600);
    LOCAL(free_at) char *back = chance_state(s->app);
    assert_string_equal(back, start);
    for (int i = 0; i < 600; i++)
        script_keys(s, "Ctrl+Y");
    LOCAL(free_at) char *again = chance_state(s->app);
    assert_string_equal(again, end);
}

/* A typed number is discarded by undo, and is not set later, when redo would be lost. */
TEST_IN(undo_takes_back_a_number_that_is_typed, script_open, "text=a%20b&seed=37") {
    script_play(s, "M <37> Ctrl+A '42'");
    script_gives(s, "Ctrl+Z", "text=a%20b&mask=causal&seed=37");
    script_gives(s, "Tab Ctrl+Z", "text=a%20b&seed=37");
    script_gives(s, "Ctrl+Y", "text=a%20b&mask=causal&seed=37");
    script_play(s, "<37> Ctrl+A '42' Ctrl+Z Up");
    assert_true(script_state_has(s, "seed=37")); /* keys go to the picture again */
    script_play(s, "<37> Ctrl+A '42' Ctrl+N @2");
    assert_false(script_state_has(s, "seed="));
}

/* If playing continued from the undone state, no step could be redone. */
TEST(undo_and_redo_stop_what_plays) {
    static const char *const views[] = {"steps&steps-step=2", "train&train-steps=40&train-step=3"};
    for (int i = 0; i < 2; i++) {
        LOCAL(script_end) Script s;
        char end[512], from[128];
        snprintf(from, sizeof from, "text=a%%20b&d-model=16&heads=2&view=%s", views[i]);
        script_begin_moving(&s, from, 1920, 1080);
        script_keys(&s, "M M");
        snprintf(end, sizeof end, "%s", script_state(&s));
        script_play(&s, "Space Ctrl+Z @9");
        script_gives(&s, "Ctrl+Y", end);
    }
}
