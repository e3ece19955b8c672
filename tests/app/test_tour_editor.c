/* Making a tour in the window: each step is the state on screen, each change can be undone, and the
 * file is always a valid tour. */
#include <stdio.h>
#include <string.h>

#include "app/tour.h"
#include "support/disk.h"
#include "support/drawn.h"
#include "support/script.h"
#include "support/test.h"

static const char TOUR[] = "title = Learn\n"
                           "state = text=one two&seed=3&pin=2,1&wall=one\n"
                           "# between\n"
                           "== look: Look\n"
                           "caption = Row 2.\n"
                           "== ask: Ask\n"
                           "state = view=wqk\n"
                           "at 1 caption = Second.\n";

static void open_tour(Script *s, const char *tour) {
    script_open_disk(s, "");
    disk_put("/home/learn.tour", tour);
    must(tour_open(s->app, "/home/learn.tour", &told));
    script_frame(s);
}

static void add(Script *s, const char *caption) {
    script_play(s, PRINT("Ctrl+Enter | '%s' Enter |", caption));
}

static void undo(Script *s) {
    script_play(s, "Ctrl+Z |");
}

static void redo(Script *s) {
    script_play(s, "Ctrl+Shift+Z |");
}

static const char *tour_text(const Script *s) {
    const Tour *tour = &s->app->tour.tour;
    return tour->bytes + tour->size + 1;
}

TEST_IN(a_tour_is_made_saved_and_played, script_open_disk, "") {
    char first[512], second[512];
    script_keys(s, "R");
    snprintf(first, sizeof first, "%s", script_state(s));
    add(s, "Seed two. It reads {A(1,*):%}.");
    script_keys(s, "3 F");
    snprintf(second, sizeof second, "%s", script_state(s));
    add(s, "One matrix.");
    assert_int_equal(s->app->tour.tour.step_count, 2);
    script_play(s, "Ctrl+S Enter |");
    const char *file = disk_text("/home/my-tour.tour");
    assert_non_null(file);
    assert_non_null(strstr(file, "caption = Seed two. It reads {A(1,*):%}.\n"));
    assert_non_null(strstr(file, "caption = One matrix.\n"));
    script_keys(s, "5");
    tour_go(s->app, 0);
    script_play(s, PRINT("| =%s", first));
    tour_next(s->app);
    script_play(s, PRINT("| =%s", second));
    add(s, "Written at once."); /* because the tour has a file now */
    assert_non_null(strstr(disk_text("/home/my-tour.tour"), "caption = Written at once.\n"));
}

TEST_IN(a_step_over_a_tours_state_is_what_was_shown, open_tour, TOUR) {
    char shown[512];
    script_play(s, "Shift+R Shift+R " /* seed 1, the default, which the tour's state is not */
                   "Escape");
    snprintf(shown, sizeof shown, "%s", script_state(s));
    assert_null(strstr(shown, "seed"));
    add(s, "No pin.");
    assert_int_equal(s->app->tour.step, 1);
    tour_go(s->app, 2);
    script_frame(s);
    tour_go(s->app, 1);
    script_play(s, PRINT("| =%s", shown));
    assert_non_null(
        strstr(tour_text(s), "# between\n\n== look: Look\ncaption = Row 2.\n\n== step"));
    assert_non_null(strstr(tour_text(s), "at 1 caption = Second.\n"));
}

TEST_IN(every_change_can_be_undone, open_tour, TOUR) {
    static const struct {
        AppAction *run;
        int argument;
    } edits[] = {
        {tour_edit_move, 1}, {tour_edit_step, 1}, {tour_edit_drop, 0}, {tour_edit_step, 0}};
    char was[512], now[512];
    script_play(s, "F6 |");
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        script_keys(s, "R");
        snprintf(was, sizeof was, "%s", tour_text(s));
        edits[i].run(s->app, edits[i].argument);
        script_frame(s);
        if (i == 1)
            script_keys(s, "Escape"); /* out of the field of words */
        script_frame(s);
        snprintf(now, sizeof now, "%s", tour_text(s));
        assert_string_not_equal(now, was);
        assert_string_equal(disk_text("/home/learn.tour"), now);
        undo(s);
        if (i > 0) /* the first text has blank lines of its own */
            assert_string_equal(tour_text(s), was);
        assert_string_equal(disk_text("/home/learn.tour"), tour_text(s));
        redo(s);
        assert_string_equal(tour_text(s), now);
    }
}

TEST_IN(a_caption_that_is_left_is_kept, open_tour, TOUR) {
    script_play(s, "Ctrl+Enter | 'Half {'");
    assert_true(script_says(s, "Half {"));
    script_click_text(s, "Look", 0); /* the card of the first step */
    script_frame(s);
    assert_int_equal(s->app->tour.step, 0);
    assert_string_equal(s->app->tour.tour.steps[1].caption, "Half {");
    script_play(s, "<Row 2.> " /* its field */
                   "End ' Yes.' Escape |");
    assert_string_equal(s->app->tour.tour.steps[0].caption, "Row 2. Yes.");
    undo(s);
    assert_string_equal(s->app->tour.tour.steps[0].caption, "Row 2.");
}

/* A text that is longer than the field is cut at a character, and the user learns of it. */
TEST_IN(a_text_that_is_too_long_is_reported, open_tour, TOUR) {
    static const char SAID[] = "The text is too long for its field";
    char words[TOUR_FIELD_MAX + 2];
    for (size_t i = 0; i < sizeof words; i++)
        words[i] = "ä"[i % 2];
    char broken[2000]; /* three bytes each once it is repaired */
    memset(broken, 0xE4, sizeof broken);
    script_play(s, "F6 | <Row 2.> Ctrl+A");
    script_paste(s, words, 3000);
    assert_false(script_says_first(s, SAID));
    script_keys(s, "Ctrl+A");
    script_paste(s, broken, sizeof broken);
    assert_true(script_says_first(s, SAID));
    script_play(s, "@9 @18");
    assert_false(script_says_first(s, SAID));
    script_keys(s, "Ctrl+A");
    script_paste(s, words, sizeof words);
    assert_true(script_says_first(s, SAID));
    script_play(s, "Enter |");
    assert_int_equal(strlen(s->app->tour.tour.steps[0].caption), TOUR_FIELD_MAX - 2);
}

TEST_IN(each_card_shows_the_end_of_its_step, open_tour, TOUR) {
    const StepPictures *pictures;
    pictures = &s->app->tour_editor.pictures;
    script_keys(s, "F6");
    for (int i = 0; i < 30; i++)
        script_frame(s);
    assert_int_equal(pictures->making, 2);
    const DrawCells *shown = drawn_cells(&s->list, 0), *card = NULL;
    for (int i = 0; i < drawn_cells_count(&s->list) && card == NULL; i++)
        if (drawn_cells(&s->list, i)->rect.y > s->app->layout.tour.y)
            card = drawn_cells(&s->list, i);
    assert_non_null(card);
    assert_true(card->rows == 2 && shown->rows == 2);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            assert_float_equal(card->values[i * card->stride + j],
                               shown->values[i * shown->stride + j], 1e-6);
    tour_edit_move(s->app, 1);
    for (int i = 0; i < 10; i++)
        script_frame(s);
    assert_string_equal(s->app->tour.tour.steps[1].title, "Look");
    assert_int_equal(pictures->making, 2); /* the same pictures in another order */
}

TEST_IN(a_part_fills_the_hall_of_a_step, open_tour, TOUR) {
    script_keys(s, "F6");
    snprintf(s->app->part_menu.part, PART_ID_MAX, "heads.matrix.1");
    tour_edit_frame(s->app, 1);
    assert_non_null(strstr(tour_text(s), "\nframe = heads.matrix.1\n"));
    assert_string_equal(s->app->tour.tour.steps[0].frame, "heads.matrix.1");
    for (int i = 0; i < 30; i++)
        script_frame(s);
    assert_int_equal(s->app->tour_editor.pictures.making, 2);
    tour_edit_frame(s->app, 0);
    assert_null(s->app->tour.tour.steps[0].frame);
    undo(s);
    assert_string_equal(s->app->tour.tour.steps[0].frame, "heads.matrix.1");
}

/* Whoever changes a tour that ships saves another file. */
TEST_IN(a_tour_that_ships_stays_as_it_is, script_open_disk, "") {
    disk_put("/share/first.tour", TOUR);
    must(tour_open(s->app, "/share/first.tour", &told));
    script_frame(s);
    add(s, "Mine.");
    assert_string_equal(disk_text("/share/first.tour"), TOUR);
    assert_true(s->app->tour_editor.is_unsaved);
}

TEST(a_tour_without_a_file_is_not_lost) {
    AppFiles files = disk_files();
    files.places[PLACE_AUTOSAVE] = "";
    SCRIPT(s, script_begin_with, "", &files);
    add(&s, "Mine.");
    script_play(&s, "Ctrl+Q -!quit Escape Ctrl+Q !quit");
    disk.is_full = true;
    script_play(&s, "Ctrl+S Enter |");
    assert_true(s.app->tour_editor.is_unsaved);
    disk.is_full = false;
}

/* As an unsaved session, it comes back after a crash, with the words that were being typed. */
TEST_IN(a_tour_that_was_not_saved_comes_back, script_open_disk, "") {
    add(s, "Mine.");
    script_play(s, "Ctrl+Enter | 'Half a sen' @2 @2");
    const char *kept = disk_text("/state/0.headlight.tour");
    assert_non_null(kept);
    assert_non_null(strstr(kept, "caption = Half a sen\n"));
    int writes = disk.writes;
    script_wait(s, 5);
    assert_int_equal(disk.writes, writes);
    disk_put("/state/1.headlight.tour", kept);
    disk_put("/state/1.headlight", disk_text("/state/0.headlight"));
    script_close(s);
    script_open_disk(s, "");
    assert_true(script_says_first(s, "Your unsaved tour is back"));
    assert_int_equal(s->app->tour.tour.step_count, 2);
    assert_non_null(strstr(tour_text(s), "caption = Mine.\n"));
    assert_null(disk_text("/state/1.headlight.tour"));
    assert_non_null(disk_text("/state/0.headlight.tour"));
    script_keys(s, "Ctrl+Q"); /* nothing is lost, so nothing is asked */
    assert_true(app_effects(s->app)->quit);
    assert_non_null(disk_text("/state/0.headlight.tour"));
    script_play(s, "Ctrl+S Enter @2 @2");
    assert_null(disk_text("/state/0.headlight.tour"));
}

/* The words in a field of a saved tour count at once: they are kept after a crash, written to the
 * file when the window closes, and presented. */
TEST_IN(what_is_typed_in_a_saved_tour_counts, open_tour, TOUR) {
    script_keys(s, "F6");
    script_frame(s);
    script_click_text(s, "Row 2.", 0);
    script_keys(s, "End");
    assert_true(script_says(s, "Saved"));
    script_type(s, " And three.");
    script_frame(s);
    assert_true(script_says(s, "Save"));
    assert_null(strstr(disk_text("/home/learn.tour"), "And three."));
    script_wait(s, 2);
    script_wait(s, 2);
    assert_non_null(strstr(disk_text("/state/0.headlight.tour"), "And three."));
    script_keys(s, "F5");
    script_frame(s);
    assert_string_equal(s->app->tour.tour.steps[0].caption, "Row 2. And three.");
    assert_non_null(strstr(disk_text("/home/learn.tour"), "And three."));
    script_keys(s, "F5");
    script_frame(s);
    script_click_text(s, "Row 2. And three.", 0);
    script_keys(s, "End ' Four.'");
    script_keys(s, "Ctrl+Q");
    assert_true(app_effects(s->app)->quit);
    assert_non_null(strstr(disk_text("/home/learn.tour"), "And three. Four."));
    assert_null(disk_text("/state/0.headlight.tour"));
}

/* Another program or window may have written to the tour's file. */
TEST_IN(a_tours_file_that_changed_is_replaced_only_when_asked, open_tour, TOUR) {
    static const char file[] = "/home/learn.tour", other[] = "title = Other\n== a: A\n";
    script_keys(s, "F6");
    script_frame(s);
    for (int i = 0; i < 2; i++) {
        disk_put(file, other);
        if (i == 0)
            tour_edit_move(s->app, 1);
        else
            undo(s);
        script_frame(s);
        assert_string_equal(disk_text(file), other);
        assert_true(script_says_first(s, "learn.tour has changed since it was opened. The tour"));
        assert_true(script_says(s, "Save"));
        script_wait(s, 9);
        script_keys(s, "Ctrl+S");
        assert_string_equal(disk_text(file), other);
        assert_true(script_says_first(s, "learn.tour has changed since it was opened. Press"));
        script_keys(s, "Enter");
        script_frame(s);
        assert_string_equal(disk_text(file), tour_text(s));
    }
    script_keys(s, "Ctrl+Enter");
    script_frame(s);
    assert_string_equal(disk_text(file), tour_text(s));
}

/* A tour without its session would not be found, but one of another session could be. */
TEST_IN(a_session_is_kept_before_its_tour, script_open_disk, "") {
    disk.is_full = true;
    disk.full_below = "/state/0.headlight.tour";
    add(s, "Mine.");
    script_play(s, "@2 @2");
    disk.is_full = false;
    disk.full_below = NULL;
    assert_non_null(disk_text("/state/0.headlight"));
    assert_true(script_says_first(s, "A crash would lose unsaved work: /state/0.headlight.tour"));
}

TEST_IN(a_tour_that_is_not_opened_leaves_the_file_of_the_other, open_tour, TOUR) {
    disk_put("/home/wrong.tour", "nothing\n");
    assert_false(tour_open(s->app, "/home/wrong.tour", &told));
    add(s, "Added.");
    assert_non_null(strstr(disk_text("/home/learn.tour"), "caption = Added.\n"));
}
