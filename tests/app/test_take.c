/* Recording what a user does as a tour: nothing of it is lost without a word. */
#include <string.h>

#include "app/tour.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

static void press(Script *s, const char *keys) {
    script_keys(s, keys);
    script_wait(s, 0.3);
}

static void record(Script *s, const char *keys) {
    press(s, "Ctrl+F9");
    press(s, keys);
}

TEST_IN(a_recording_comes_back_after_the_window_closed, script_open_disk, "") {
    record(s, "M");
    press(s, "R");
    script_wait(s, 2);
    script_wait(s, 2);
    script_keys(s, "Ctrl+Q");
    assert_true(app_effects(s->app)->quit);
    disk_put("/state/1.headlight.tour", disk_text("/state/0.headlight.tour"));
    disk_put("/state/1.headlight", disk_text("/state/0.headlight"));
    script_close(s);
    script_open_disk(s, "");
    assert_true(script_says_first(s, "Your unsaved tour is back"));
    assert_int_equal(s->app->tour.tour.step_count, 3);
    assert_non_null(strstr(s->app->tour.tour.steps[2].state, "seed=2"));
}

TEST(a_recording_that_cannot_be_kept_is_asked_about) {
    LOCAL(script_end) Script s;
    AppFiles files = disk_files();
    files.places[PLACE_AUTOSAVE] = "";
    script_begin_with(&s, "", &files);
    record(&s, "2");
    script_keys(&s, "Ctrl+Q");
    assert_false(app_effects(s.app)->quit);
    assert_true(script_says_first(&s, "The tour is not saved"));
    assert_int_equal(s.app->tour.tour.step_count, 2);
}

/* What is written then is about the last step of the recording. */
TEST_IN(adding_a_step_ends_the_recording, script_open_disk, "") {
    record(s, "M");
    press(s, "Ctrl+Enter");
    script_frame(s);
    script_type(s, "My words");
    script_keys(s, "Enter");
    assert_int_equal(s->app->tour.tour.step_count, 2);
    assert_string_equal(s->app->tour.tour.steps[1].caption, "My words");
    assert_true(script_state_has(s, "mask=causal"));
    press(s, "Ctrl+F9"); /* asks before another recording may replace the tour */
    assert_true(script_says_first(s, "The tour is not saved"));
    assert_false(s->app->take.is_on);
}

/* While a tour is recorded, another one cannot be changed, so that only one is to be kept. */
TEST_IN(a_tour_is_not_edited_during_a_recording, script_open_disk, "") {
    press(s, "Ctrl+Enter");
    press(s, "Escape Ctrl+S Enter Ctrl+F9 F6");
    assert_true(script_says_first(s, "Ctrl F9 stops the recording"));
    assert_false(tour_editor_is_shown(s->app));
}

TEST_IN(long_texts_are_recorded_up_to_the_size_of_a_tour, script_open_disk, "") {
    static char text[48 << 10];
    for (size_t i = 0; i + 6 < sizeof text; i += 6)
        memcpy(text + i, "слов", 6);
    for (size_t i = 5; i < sizeof text - 6; i += 6)
        text[i] = i % 600 < 6 ? ' ' : 'a';
    script_keys(s, "Ctrl+L Ctrl+A");
    press(s, "'one two' Enter");
    press(s, "Ctrl+F9");
    assert_true(app_edit_text(s->app, 0, s->app->session.text->size, text, sizeof text - 6, 0));
    script_wait(s, 0.3);
    script_wait(s, 0.3);
    press(s, "R");
    assert_int_equal(s->app->take.steps, 2);
    for (int i = 0; i < 20 && s->app->take.is_on; i++)
        press(s, "R");
    assert_false(s->app->take.is_on);
    script_frame(s);
    assert_true(script_says_first(s, "The recording ended: a tour's file has at most 1 MiB"));
    assert_in_range(s->app->tour.tour.step_count, 5, 20);
}

TEST_IN(a_recording_of_most_steps_ends_and_says_so, script_open_disk,
        "text=a b&d-model=4&heads=1") {
    press(s, "Ctrl+F9");
    for (int i = 0; i < TOUR_STEPS_MAX && s->app->take.is_on; i++)
        press(s, i % 2 == 0 ? "Shift+R" : "R");
    assert_false(s->app->take.is_on);
    script_frame(s);
    assert_true(script_says_first(s, "The recording ended: a tour has at most 1,000 steps"));
    assert_int_equal(s->app->tour.tour.step_count, TOUR_STEPS_MAX);
}
