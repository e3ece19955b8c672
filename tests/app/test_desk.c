/* The session's file: save, open, autosave on close, restore. */
#include <string.h>

#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/input.h"

static void close_window(Script *s) {
    script_events(s, &(InputEvent){.kind = INPUT_QUIT}, 1);
    assert_true(app_effects(s->app)->quit);
    script_close(s);
}

static void check_title(const Script *s, const char *expected) {
    assert_string_equal(app_effects(s->app)->title, expected);
}

static void save_as(Script *s, const char *name) {
    script_play(s, PRINT("Ctrl+Shift+S Ctrl+A '%s' Enter", name));
}

TEST_IN(a_session_is_saved_and_opened, script_open_disk, "") {
    check_title(s, "Headlight");
    script_keys(s, "M");
    check_title(s, "* Headlight");
    save_as(s, "/home/one");
    assert_true(script_says_first(s, "Saved one.headlight"));
    check_title(s, "one.headlight - Headlight");
    script_keys(s, "R");
    check_title(s, "* one.headlight - Headlight");
    script_keys(s, "Ctrl+S");
    check_title(s, "one.headlight - Headlight");
    script_gives(s, "Ctrl+N", START);
    check_title(s, "Headlight");
    script_play(s, "Ctrl+O {Open a session*} {one.headlight*} Down"); /* the recent file */
    script_gives(s, "Enter", "mask=causal&seed=2&" START);
    check_title(s, "one.headlight - Headlight");
}

/* A missing recent file stays listed, because its disk may come back; files are checked when the
 * sheet opens. */
TEST(a_recent_file_that_is_gone_is_listed_as_such) {
    disk_put("/home/two.headlight", "seed=7\n");
    disk_put("/state/recent", "/home/two.headlight\n/stick/three.headlight\n");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "Ctrl+O {/stick/three.headlight*} {recent}");
    assert_null(drawn_text(&s.list, "recent", 1));
    assert_true(script_says(&s, "not found"));
    script_gives(&s, "Down Enter", START);
    assert_true(
        script_says_first(&s, "/stick/three.headlight: ")); /* and why it cannot be opened */
    disk_put("/stick/three.headlight", "seed=3\n");
    script_gives(&s, "Enter", "seed=3");
}

TEST_IN(what_cannot_be_read_can_be_tried_again, script_open_disk, "") {
    script_play(s, "drop:/home/one.docx -{Try again*} " /* trying again could not help */
                   "drop:/home/two.headlight {/home/two.headlight: *} <Try again> {Try again*}");
    assert_null(drawn_text(&s->list, "Try again", 1));
    disk_put("/home/two.headlight", "seed=7\n");
    script_play(s, "<Try again> =seed=7 -{Try again*}");
}

/* A message about the last action is shown although errors from the start are still visible. */
TEST(an_answer_does_not_wait_behind_what_was_said_before) {
    disk_put("/config/settings", "a=1\n");
    disk_put("/config/keys", "a=1\nb=1\nc=1\n");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "{/config/keys, line 2*} -{/config/keys, line 3*} @2 drop:/home/one.docx "
                    "-{/config/settings, line 1*} {/config/keys, line 2*} {one.docx: *} @7 @1 "
                    "{/config/keys, line 3*}"); /* that error is not lost either */
}

TEST(the_newest_recent_file_is_a_click_away) {
    disk_put("/home/two.headlight", "seed=7\n");
    disk_put("/state/recent", "/stick/three.headlight\n/home/two.headlight\n");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "Ctrl+O <Open> =seed=7");
}

TEST(opening_is_a_step_of_undo_and_gives_up_the_name) {
    disk_put("/home/two.headlight", "seed=7\n");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "M drop:/home/two.headlight =seed=7");
    check_title(&s, "two.headlight - Headlight");
    script_gives(&s, "Ctrl+Z", "mask=causal&" START);
    check_title(&s, "* Headlight");
}

/* After saving, undo stays in the same document and keeps its name. */
TEST(a_saved_session_keeps_its_name_when_undone) {
    disk_put("/home/two.headlight", "seed=7\n");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "M drop:/home/two.headlight M Ctrl+S");
    check_title(&s, "two.headlight - Headlight");
    script_keys(&s, "Ctrl+Z");
    check_title(&s, "* two.headlight - Headlight");
    script_keys(&s, "Ctrl+S");
    assert_null(strstr(disk_text("/home/two.headlight"), "mask"));
    script_keys(&s, "Ctrl+Z"); /* back to the document before it was opened */
    check_title(&s, "* Headlight");
    save_as(&s, "/home/one");
    script_keys(&s, "R Ctrl+Z");
    check_title(&s, "one.headlight - Headlight");
}

TEST(another_file_is_replaced_only_when_asked_twice) {
    disk_put("/home/one.headlight", "seed=7\n");
    SCRIPT(s, script_open_disk, "");
    script_keys(&s, "M");
    save_as(&s, "/home/one.headlight");
    assert_string_equal(disk_text("/home/one.headlight"), "seed=7\n");
    script_play(&s, "{one.headlight already exists*} "
                    "'2' " /* another name: the question ends in the same frame */
                    "-{one.headlight already exists*} Backspace Enter "
                    "{one.headlight already exists*} Enter");
    assert_non_null(strstr(disk_text("/home/one.headlight"), "mask=causal\n"));
}

/* Another window or program may have written to the file since it was opened or saved here. */
TEST(a_file_that_changed_is_replaced_only_when_asked) {
    static const char file[] = "/home/one.headlight";
    disk_put(file, "seed=7\n");
    SCRIPT(s, script_open_disk, "");
    script_drop(&s, file);
    script_keys(&s, "M Ctrl+S");
    assert_non_null(strstr(disk_text(file), "mask=causal\n"));
    for (int time = 0; time < 2; time++) {
        disk_put(file, "seed=8\n");
        script_keys(&s, "M Ctrl+S Ctrl+S");
        assert_string_equal(disk_text(file), "seed=8\n");
        script_play(&s, "{one.headlight has changed since it was opened*} Escape");
    }
    save_as(&s, file); /* the own name, typed */
    assert_string_equal(disk_text(file), "seed=8\n");
    script_keys(&s, "Enter");
    assert_non_null(strstr(disk_text(file), "seed=7\n"));
    disk_put(file, "seed=8\n");
    script_keys(&s, "M Ctrl+S Enter M Ctrl+S");
    check_title(&s, "one.headlight - Headlight");
    AppFiles files = disk_files();
    files.remove(file); /* nothing is there to be replaced */
    script_keys(&s, "M Ctrl+S");
    assert_non_null(disk_text(file));
}

/* The selected name excludes folder and suffix. */
TEST(a_setting_that_changes_as_the_window_closes_is_remembered) {
    const InputEvent events[] = {{.kind = INPUT_KEY, .key = 't'}, {.kind = INPUT_QUIT}};
    SCRIPT(s, script_open_disk, "");
    script_events(&s, events, 2);
    assert_true(app_effects(s.app)->quit);
    assert_non_null(strstr(disk_text("/config/settings"), "theme = light"));
}

TEST_IN(a_name_is_typed_over, script_open_disk, "") {
    script_keys(s, "M Ctrl+S 'two' Enter");
    assert_non_null(strstr(disk_text("/home/two.headlight"), "mask=causal\n"));
}

TEST(a_path_completes_itself) {
    disk_put("/home/first lesson.headlight", "seed=7\n");
    disk_put("/home/first text.txt", "one two\n");
    disk_put("/home/other.docx", "");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "Ctrl+O -{other.docx*} 'f' Tab {/home/first *}");
    script_gives(&s, "'t' Tab Enter", "text=one%20two%20&" START);
}

TEST_IN(changes_are_kept_within_two_seconds, script_open_disk, "") {
    script_keys(s, "M");
    assert_null(disk_text("/state/0.headlight"));
    assert_true(app_effects(s->app)->next_frame_s <= s->time_s + 2);
    for (int i = 0; i < 20; i++) { /* changes in every frame do not delay it */
        script_play(s, "R @0.1");
    }
    assert_non_null(strstr(disk_text("/state/0.headlight"), "mask=causal\n"));
    assert_in_range(disk.durable_writes, 1, 3); /* once a second at most */
    for (int i = 0; i < 21; i++)
        script_keys(s, "Ctrl+Z");
    script_play(s, "@2 @2");
    assert_null(disk_text("/state/0.headlight")); /* nothing to keep */
    int writes = disk.writes;
    script_wait(s, 5);
    assert_int_equal(disk.writes, writes);
}

/* A crash loses no view setting; a closed window leaves only unsaved work. */
TEST_IN(how_it_is_shown_is_kept_while_the_window_is_open, script_open_disk, "") {
    script_play(s, "T " /* remembered by itself */
                   "@2 @2");
    assert_null(disk_text("/state/0.headlight"));
    script_play(s, "3 @2 @2");
    assert_non_null(strstr(disk_text("/state/0.headlight"), "view=wqk\n"));
    check_title(s, "Headlight");
    close_window(s);
    assert_null(disk_text("/state/0.headlight"));
    disk_put("/state/1.headlight", "view=wqk\n");
    script_open_disk(s, "");
    assert_true(script_state_has(s, "view=wqk"));
}

TEST_IN(what_was_not_saved_comes_back, script_open_disk, "") {
    save_as(s, "/home/one");
    script_keys(s, "M");
    close_window(s);
    assert_non_null(disk_text("/state/0.headlight"));
    disk_put("/state/1.headlight", disk_text("/state/0.headlight"));
    AppFiles files = disk_files();
    files.remove("/state/0.headlight");
    script_open_disk(s, "");
    script_check(s, "mask=causal&" START);
    assert_true(script_says_first(s, "Your unsaved session is back"));
    check_title(s, "* one.headlight - Headlight");
    assert_null(disk_text("/state/1.headlight"));
    assert_non_null(disk_text("/state/0.headlight"));
    script_gives(s, "Ctrl+Z", START);
    close_window(s);
    assert_null(disk_text("/state/0.headlight"));
    disk_put("/state/1.headlight", "mask=causal\n");
    script_open_disk(
        s, "seed=5"); /* it was started with a file, so the autosave waits for another start */
    script_check(s, "seed=5");
    assert_non_null(disk_text("/state/1.headlight"));
}

TEST_IN(a_restored_session_knows_that_its_file_changed, script_open_disk, "") {
    static const char file[] = "/home/one.headlight";
    AppFiles files = disk_files();
    save_as(s, "/home/one");
    for (int change = 0; change < 2; change++) {
        script_keys(s, "M");
        close_window(s);
        disk_put("/state/1.headlight", disk_text("/state/0.headlight"));
        files.remove("/state/0.headlight");
        if (change == 1)
            disk_put(file, "seed=8\n");
        script_open_disk(s, "");
        script_keys(s, "Ctrl+S");
        assert_true((strcmp(disk_text(file), "seed=8\n") == 0) == (change == 1));
    }
    script_play(s, "{one.headlight has changed since it was opened*}");
}

TEST_IN(a_full_disk_loses_nothing, script_open_disk, "") {
    script_keys(s, "M");
    disk.is_full = true;
    save_as(s, "/home/one");
    assert_true(script_says_first(s, "/home/one.headlight: no space is left on that disk"));
    assert_true(script_shows(s, "stays in this window"));
    script_check(s, "mask=causal&" START);
    check_title(s, "* Headlight");
    script_play(s, "Escape @9 R");
    disk.is_full = false;
    script_play(s, "@2 R");
    disk.is_full = true;
    script_play(s, "@2 @1 {A crash would lose unsaved work: /state/0.headlight: *}");
    save_as(s, "/home/one");
    script_check(s, "mask=causal&seed=3&" START);
    for (int i = 0; i < 5; i++)
        script_wait(s, 2);
    disk.is_full = false;
    script_keys(s, "Enter"); /* the sheet is still there */
    assert_true(script_says_first(s, "Saved one.headlight"));
}

/* Quitting asks if the autosave cannot be written, even if it fails only then. */
TEST_IN(what_cannot_be_kept_is_asked_about, script_open_disk, "") {
    script_play(s, "M @2 @2");
    assert_non_null(disk_text("/state/0.headlight"));
    disk.is_full = true;
    for (int change = 0; change < 2; change++) { /* a change ends the permission to lose it */
        script_play(s, "R Ctrl+Q -!quit {The session is not saved. Save it, or repeat*} "
                       "{Save the session as*} Escape");
    }
    script_events(s, &(InputEvent){.kind = INPUT_QUIT}, 1);
    script_play(s, "!quit R Ctrl+Q");
    disk.is_full = false; /* now it can be kept */
    script_play(s, "Ctrl+Q !quit");
    assert_non_null(strstr(disk_text("/state/0.headlight"), "seed=4\n"));
}

TEST(an_unsaved_session_without_an_autosave_is_asked_about) {
    AppFiles files = disk_files();
    files.places[PLACE_AUTOSAVE] = "";
    SCRIPT(s, script_begin_with, "", &files);
    script_play(&s, "M Ctrl+Q -!quit");
    save_as(&s, "/home/one");
    script_play(&s, "Ctrl+Q !quit");
}

/* If a message says where the session was kept, it is there. */
TEST_IN(a_save_that_fails_says_where_the_session_is, script_open_disk, "") {
    disk.is_full = true;
    disk.full_below = "/home/";
    save_as(s, "/home/one");
    script_play(s, "{/home/one.headlight: no space is left on that disk*} "
                   "-{*/state/0.headlight*} Escape M");
    assert_null(disk_text("/state/0.headlight"));
    save_as(s, "/home/two");
    assert_true(script_shows(s, "/state/0.headlight"));
    assert_non_null(strstr(disk_text("/state/0.headlight"), "\nmask=causal\n"));
}

TEST(broken_files_name_the_line_and_the_rest_works) {
    disk_put("/config/settings", "theme = light\nui-scale = huge\n");
    disk_put("/config/keys", "mask = F9\nundo = Hyper+Q\n");
    disk_put("/home/bad.headlight", "seed = 7\nheads = many\n");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "{/config/settings, line 2: ui-scale*} {/config/keys, line 2: Hyper+Q*}");
    script_gives(&s, "F9", "mask=causal&" START);
    script_play(&s, "drop:/home/bad.headlight {bad.headlight, line 2: heads*} =seed=7 "
                    "drop:/home/none.headlight drop:/home/picture.png =seed=7");
}

TEST(two_windows_keep_the_settings_of_both) {
    Script first;
    SCRIPT(second, script_open_disk, "");
    script_open_disk(&first, "");
    script_play(&first, "Ctrl++ @3");
    script_play(&second, "T @3");
    script_play(&first, "Ctrl++ @3");
    const char *text = disk_text("/config/settings");
    assert_non_null(strstr(text, "theme = light\n"));
    assert_non_null(strstr(text, "ui-scale = 1.2\n"));
    assert_null(strstr(text, "1.1"));
    script_play(&first, "Ctrl+0 @3");
    assert_null(strstr(disk_text("/config/settings"), "ui-scale"));
    assert_non_null(strstr(disk_text("/config/settings"), "theme = light\n"));
    script_close(&first);
}

TEST(a_setting_that_could_not_be_written_is_written_later) {
    SCRIPT(s, script_open_disk, "");
    script_play(&s, "Ctrl++ @3"); /* without a file, everything would be written */
    disk.is_full = true;
    script_play(&s, "T @3");
    disk.is_full = false;
    assert_null(strstr(disk_text("/config/settings"), "theme"));
    script_play(&s, "Ctrl++ @3");
    assert_non_null(strstr(disk_text("/config/settings"), "theme = light\n"));
    assert_non_null(strstr(disk_text("/config/settings"), "ui-scale = 1.2\n"));
}

TEST(settings_are_remembered_when_a_person_chose_them) {
    Script s;
    disk_put("/home/light.headlight", "theme=projector\nseed=3\n");
    script_open_disk(&s, "");
    script_play(&s, "drop:/home/light.headlight @3");
    assert_null(disk_text("/config/settings")); /* the file chose it */
    script_play(&s, "Ctrl++ @3");
    assert_non_null(strstr(disk_text("/config/settings"), "ui-scale = 1.1\n"));
    assert_null(strstr(disk_text("/config/settings"), "theme"));
    script_keys(&s, "T T");
    close_window(&s);
    assert_non_null(strstr(disk_text("/config/settings"), "theme = light\n"));
    Settings settings;
    option_set_standard(&settings, &PICTURE_OPTIONS);
    const char *text = disk_text("/config/settings");
    app_read_settings(&settings, text, strlen(text));
    assert_int_equal(settings.theme, 1);
    assert_float_equal(settings.ui_scale, 1.1f, 1e-6);
}

/* A number that is typed but not confirmed. */
TEST_IN(a_typed_number_is_kept, script_open_disk, "seed=37") {
    save_as(s, "/home/one");
    script_play(s, "<37> Ctrl+A '41' Ctrl+S");
    assert_non_null(strstr(disk_text("/home/one.headlight"), "seed=41\n"));
    script_play(s, "<41> Ctrl+A '42' Ctrl+Q");
    assert_non_null(disk_text("/state/0.headlight"));
    assert_non_null(strstr(disk_text("/state/0.headlight"), "seed=42\n"));
}
