/* While a question, a tour or a word of the glossary shows another layer, the user's own one is
 * what is saved and what comes back after the window has closed. */
#include <stdio.h>
#include <string.h>

#include "app/examples.h"
#include "app/tour.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

static const char TOUR[] = "title = Learn\n"
                           "== look: Look\nstate = text=of a tour&pin=2,1\n"
                           "== more: More\nstate = text=of a tour&view=wqk\n";
static const char OTHER[] = "view=wqk\n";

static void ask(Script *s) {
    question_ask(s->app, registry_find(&QUESTION_REGISTRY, "square", 6));
    script_frame(s);
}

static void play(Script *s) {
    Err err;
    assert_true(tour_begin_bytes(s->app, "learn", TOUR, sizeof TOUR - 1, &err));
    script_frame(s);
    script_keys(s, "PageDown");
    script_frame(s);
    assert_true(script_state_has(s, "text=of%20a%20tour&"));
}

static void visit(Script *s) {
    script_keys(s, "Ctrl+K 'word softmax' Enter Enter");
    script_frame(s);
    assert_true(script_state_has(s, "steps-step=4"));
}

static void close_window(Script *s) {
    script_keys(s, "Ctrl+Q");
    assert_true(app_effects(s->app)->quit);
    script_close(s);
}

/* A new window after one that ended with this autosave. */
static void open_again(Script *s) {
    if (disk_text("/state/0.headlight") != NULL)
        disk_put("/state/1.headlight", disk_text("/state/0.headlight"));
    disk_files().remove("/state/0.headlight");
    script_open_disk(s, "");
}

static void save_as(Script *s, const char *path) {
    script_keys(s, "Ctrl+A");
    script_type(s, path);
    script_keys(s, "Enter");
}

static void (*const SHOWS[])(Script *s) = {ask, play};

TEST(the_own_layer_comes_back) {
    for (int i = 0; i < 4; i++) {
        LOCAL(script_end) Script s;
        script_open_disk(&s, "");
        script_keys(&s, "M");
        SHOWS[i / 2](&s);
        assert_string_equal(app_effects(s.app)->title, "* Headlight");
        script_wait(&s, 2);
        script_wait(&s, 2);
        if (i % 2 == 0)
            close_window(&s);
        else
            script_close(&s); /* as after a crash */
        open_again(&s);
        script_check(&s, "mask=causal&" START);
        assert_true(script_says_first(&s, "Your unsaved session is back. Ctrl Z starts"));
        script_gives(&s, "Ctrl+Z", START);
    }
}

/* What was changed in the other layer is one step of undo away, as after Back to my layer. */
TEST(changes_of_another_layer_come_back_by_undo) {
    for (int i = 0; i < 2; i++) {
        LOCAL(script_end) Script s;
        char shown[512];
        script_open_disk(&s, "");
        script_keys(&s, "M");
        SHOWS[i](&s);
        script_keys(&s, "R");
        snprintf(shown, sizeof shown, "%s", script_state(&s));
        close_window(&s);
        open_again(&s);
        script_check(&s, "mask=causal&" START);
        assert_true(script_says_first(&s, "Your unsaved session is back. Ctrl Z shows what"));
        script_gives(&s, "Ctrl+Z", shown);
    }
}

TEST(nothing_is_kept_of_what_was_only_looked_at) {
    for (int i = 0; i < 2; i++) {
        LOCAL(script_end) Script s;
        script_open_disk(&s, "");
        SHOWS[i](&s);
        assert_string_equal(app_effects(s.app)->title, "Headlight");
        script_wait(&s, 2);
        script_wait(&s, 2);
        script_keys(&s, "Ctrl+Q");
        assert_true(app_effects(s.app)->quit);
        assert_null(disk_text("/state/0.headlight"));
    }
}

TEST(saving_saves_the_own_layer) {
    for (int i = 0; i < 2; i++) {
        LOCAL(script_end) Script s;
        script_open_disk(&s, "");
        script_keys(&s, "M Ctrl+S");
        save_as(&s, "/home/mine");
        script_keys(&s, "R");
        SHOWS[i](&s);
        script_keys(&s, "R Ctrl+S");
        assert_true(script_says_first(&s, "Saved your own layer as mine.headlight"));
        const char *mine = disk_text("/home/mine.headlight");
        assert_non_null(strstr(mine, "mask=causal\nseed=2\n"));
        assert_null(strstr(mine, OTHER));
        script_keys(&s, "Ctrl+Shift+S"); /* what is shown does not replace the own file unasked */
        save_as(&s, "/home/mine");
        assert_null(strstr(disk_text("/home/mine.headlight"), OTHER));
        save_as(&s, "/home/other");
        assert_non_null(strstr(disk_text("/home/other.headlight"), OTHER));
        assert_string_equal(app_effects(s.app)->title, "other.headlight - Headlight");
        assert_false(detour_is_on(s.app));
    }
}

/* Without a file, the sheet says which layer it saves. */
TEST_IN(the_sheet_asks_where_to_save_the_own_layer, script_open_disk, "") {
    script_keys(s, "M");
    ask(s);
    script_keys(s, "Ctrl+S");
    assert_true(script_says_first(s, "Save your own layer as"));
    save_as(s, "/home/mine");
    assert_null(strstr(disk_text("/home/mine.headlight"), OTHER));
    assert_true(script_state_has(s, "view=wqk"));
}

/* A start layer is nothing to lose: what is made in a question is then the user's own. */
TEST_IN(a_question_can_be_where_work_begins, script_open_disk, "") {
    ask(s);
    script_keys(s, "R");
    assert_string_equal(app_effects(s->app)->title, "* Headlight");
    script_keys(s, "Ctrl+S");
    assert_false(script_says_first(s, "Save your own layer as"));
    save_as(s, "/home/one");
    assert_non_null(strstr(disk_text("/home/one.headlight"), OTHER));
    assert_string_equal(app_effects(s->app)->title, "one.headlight - Headlight");
}

/* A word is shown in the user's own layer, so changes there are the user's own. */
TEST_IN(a_word_shows_the_own_layer, script_open_disk, "") {
    script_keys(s, "M");
    visit(s);
    script_keys(s, "R");
    visit(s);
    ask(s);
    close_window(s);
    open_again(s);
    assert_true(script_state_has(s, "mask=causal") && script_state_has(s, "seed=2"));
}

TEST_IN(an_opened_session_is_the_own_layer, script_open_disk, "") {
    disk_put("/home/one.headlight", "seed=7\n");
    play(s);
    script_drop(s, "/home/one.headlight");
    assert_false(detour_is_on(s->app));
    script_keys(s, "PageDown M PageUp Ctrl+S");
    assert_non_null(strstr(disk_text("/home/one.headlight"), "seed=7\n"));
}

/* A word that is shown in the state on screen leaves nothing to come back to. */
TEST_IN(a_word_of_the_own_state_has_no_way_back, script_open, "view=steps&steps-step=4") {
    visit(s);
    assert_false(detour_is_on(s->app));
}

/* The picture is that of the autosave, but the layer behind it has changed since. */
TEST_IN(another_own_layer_behind_a_question_is_kept, script_open_disk, "") {
    ask(s);
    script_click_text(s, "Back to my layer", 0);
    script_keys(s, "M");
    ask(s);
    script_keys(s, "Ctrl+Z Ctrl+Z Ctrl+Z");
    script_wait(s, 2);
    script_wait(s, 2);
    script_keys(s, "Ctrl+Y Ctrl+Y Ctrl+Y");
    close_window(s);
    open_again(s);
    script_check(s, "mask=causal&" START);
}

/* A tour that comes back shows its first step, which may be another layer than the session. */
TEST_IN(a_tour_that_comes_back_keeps_the_own_layer, script_open_disk, "") {
    script_keys(s, "Ctrl+Enter");
    script_frame(s);
    assert_false(detour_is_on(s->app));
    script_keys(s, "Escape M");
    for (int i = 0; i < 2; i++) {
        close_window(s);
        disk_put("/state/1.headlight.tour", disk_text("/state/0.headlight.tour"));
        open_again(s);
        assert_int_equal(s->app->tour.tour.step_count, 1);
        script_frame(s);
        assert_false(script_state_has(s, "mask=causal"));
    }
    tour_leave_back(s->app);
    script_frame(s);
    assert_true(s->app->tour.tour.step_count > 0); /* asks to save the tour first */
    script_keys(s, "Escape");
    tour_leave_back(s->app);
    script_frame(s);
    assert_true(script_state_has(s, "mask=causal"));
}

/* A word is shown in the layer on screen, so what was changed in that layer still counts. */
TEST_IN(a_word_in_a_question_keeps_its_changes, script_open_disk, "") {
    script_keys(s, "M");
    ask(s);
    script_keys(s, "R");
    visit(s);
    close_window(s);
    open_again(s);
    assert_true(script_says_first(s, "Your unsaved session is back. Ctrl Z shows what"));
}

/* The own layer has its file, so what quitting would lose is what was changed in the question. */
TEST(quitting_asks_about_what_would_be_lost) {
    LOCAL(script_end) Script s;
    AppFiles files = disk_files();
    files.places[PLACE_AUTOSAVE] = "";
    script_begin_with(&s, "", &files);
    script_keys(&s, "M Ctrl+S");
    save_as(&s, "/home/mine");
    ask(&s);
    script_keys(&s, "R Ctrl+Q");
    assert_false(app_effects(s.app)->quit);
    assert_false(script_says_first(&s, "Save your own layer as"));
    save_as(&s, "/home/other");
    assert_non_null(strstr(disk_text("/home/other.headlight"), OTHER));
}

/* The zoom belongs to the machine, on which another window may have changed it since. */
TEST_IN(the_other_layer_comes_back_without_its_zoom, script_open_disk, "") {
    script_keys(s, "M Ctrl++");
    ask(s);
    script_keys(s, "R");
    close_window(s);
    disk_put("/config/settings", "hints = 0\n");
    open_again(s);
    script_keys(s, "Ctrl+Z");
    assert_true(script_state_has(s, "view=wqk"));
    assert_false(script_state_has(s, "ui-scale"));
}

static void undo_and_redo(Script *s, const char *own) {
    int steps = 0;
    for (; strcmp(script_state(s), own) != 0; steps++)
        script_keys(s, "Ctrl+Z");
    script_wait(s, 2);
    script_wait(s, 2);
    for (; steps > 0; steps--)
        script_keys(s, "Ctrl+Y");
}

static void back_and_undo(Script *s, const char *own) {
    script_keys(s, "Ctrl+K 'back to' Enter");
    script_check(s, own);
    script_keys(s, "Ctrl+Z");
}

static void restart_and_undo(Script *s, const char *own) {
    close_window(s);
    open_again(s);
    script_check(s, own);
    script_keys(s, "Ctrl+Z");
}

static void (*const RETURNS[])(Script *s, const char *own) = {undo_and_redo, back_and_undo,
                                                              restart_and_undo};

/* However the user returns to the other layer, the own one is still what is kept and saved. */
TEST(the_own_layer_follows_undo_and_redo) {
    for (int i = 0; i < 6; i++) {
        LOCAL(script_end) Script s;
        char own[512], there[512];
        script_open_disk(&s, "");
        script_keys(&s, "M Ctrl+S");
        save_as(&s, "/home/mine");
        script_keys(&s, "R");
        snprintf(own, sizeof own, "%s", script_state(&s));
        SHOWS[i % 2](&s);
        script_keys(&s, "R");
        snprintf(there, sizeof there, "%s", script_state(&s));
        RETURNS[i / 2](&s, own);
        script_check(&s, there);
        script_wait(&s, 2);
        script_wait(&s, 2);
        close_window(&s);
        open_again(&s);
        script_check(&s, own);
        script_gives(&s, "Ctrl+Z", there);
        script_keys(&s, "Ctrl+S");
        assert_true(script_says_first(&s, "Saved your own layer as mine.headlight"));
        assert_non_null(strstr(disk_text("/home/mine.headlight"), "mask=causal\nseed=2\n"));
    }
}

/* Save as makes the other layer the own one, at its earlier steps, too. */
TEST_IN(what_was_saved_is_the_own_layer_after_undo, script_open_disk, "") {
    script_keys(s, "M");
    ask(s);
    script_keys(s, "R Ctrl+Shift+S");
    save_as(s, "/home/other");
    script_keys(s, "Ctrl+Z Ctrl+S");
    assert_null(strstr(disk_text("/home/other.headlight"), "mask"));
    assert_non_null(strstr(disk_text("/home/other.headlight"), OTHER));
}
