/* A session's files that are damaged, or have unusual paths or lines; and notes on the autosave. */
#include <stdio.h>
#include <string.h>

#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

/* It does not hide older ones, and is not deleted. */
TEST(a_damaged_session_is_set_aside) {
    static const char *const damaged[] = {"", "\xFF", "# Headlight 1: a session.\nmask=causal\n"};
    for (size_t i = 0; i < 3; i++) {
        disk_put("/state/1.headlight", damaged[i]);
        disk_put("/state/2.headlight", "seed=7\n");
        SCRIPT(s, script_open_disk, "");
        script_play(&s, "=seed=7 {A session that was not saved is damaged: *} "
                        "{*/state/damaged.headlight*}");
        assert_string_equal(disk_text("/state/damaged.headlight"), damaged[i]);
        assert_null(disk_text("/state/1.headlight"));
    }
    disk.is_full = true; /* it cannot be renamed either */
    disk_put("/state/1.headlight", "");
    SCRIPT(s, script_open_disk, "");
    script_play(&s, PRINT("=%s {/state/1.headlight: cannot be renamed*}", START));
}

TEST_IN(a_session_that_was_cut_off_is_told_of, script_open_disk, "") {
    script_keys(s, "M Ctrl+Shift+S Ctrl+A '/home/one' Enter");
    char whole[512], *end;
    snprintf(whole, sizeof whole, "%s", disk_text("/home/one.headlight"));
    script_play(s, "drop:/home/one.headlight -{*cut off*}");
    end = strstr(whole, "mask=causal") + strlen("mask=causal");
    *end = '\0';
    disk_put("/home/one.headlight", whole);
    script_play(s, "drop:/home/one.headlight "
                   "{one.headlight has no end line: it may have been cut off*} =mask=causal");
    disk_put("/home/one.headlight", "");
    script_play(s, "drop:/home/one.headlight "
                   "{one.headlight: has no line with a setting: it is empty*} =mask=causal");
}

/* The shell's message about the place of a session. */
TEST(a_note_on_the_autosave_is_shown) {
    Script s;
    AppFiles files = disk_files();
    files.autosave_note = "64 sessions fill it";
    script_begin_with(&s, "", &files);
    assert_true(script_says_first(&s, "64 sessions fill it"));
    script_end(&s);
    files.places[PLACE_AUTOSAVE] = "";
    script_begin_with(&s, "", &files);
    script_play(&s, "-{64 sessions fill it*} M");
    for (int i = 0; i < 2; i++)
        script_wait(&s, 2);
    assert_true(script_says_first(&s, "A crash would lose unsaved work: 64 sessions fill it"));
    script_end(&s);
}

/* A session may be restored by a window started in another folder. */
TEST(a_name_alone_is_of_the_folder_that_the_program_was_started_in) {
    disk_put("/here/one.headlight", "text=one two\n");
    SCRIPT(s, script_open_disk, "");
    assert_true(app_open(s.app, "one.headlight") && app_open(s.app, "./one.headlight"));
    script_play(&s, "| R Ctrl+S");
    assert_non_null(strstr(disk_text("/here/one.headlight"), "seed=2"));
    script_play(&s, "Ctrl+Shift+S Ctrl+A 'two' Enter |");
    assert_non_null(disk_text("/here/two.headlight"));
}

TEST(without_a_place_for_it_that_nothing_is_kept_is_said_once) {
    AppFiles files = disk_files();
    files.places[PLACE_AUTOSAVE] = "";
    files.autosave_note = "HOME: no folder for the autosave is known; set that variable";
    SCRIPT(s, script_begin_with, "", &files);
    assert_false(script_says_first(&s, "A crash would lose"));
    for (int i = 0; i < 3; i++) {
        script_play(&s, "R @1.1 | {A crash would lose unsaved work: HOME: no folder*}");
    }
    script_play(&s, "@9 R @2 -{A crash would lose*}");
    assert_true(app_effects(s.app)->next_frame_s > 1e9); /* and it is not tried again and again */
}

TEST(every_wrong_line_is_named) {
    disk_put("/home/wrong.headlight",
             "heads=x\n= 4\nbogus\ntext=one two\nseed=-1\ndepth=none\nform=best\n");
    SCRIPT(s, script_open_disk, "");
    assert_true(app_open(s.app, "/home/wrong.headlight"));
    script_frame(&s);
    script_check(&s, "text=one%20two");
    assert_true(script_says_first(&s, "wrong.headlight, line 1: heads x:"));
    assert_true(
        script_says_first(&s, "wrong.headlight, line 2: = 4: is not written as key = value"));
    assert_true(script_says_first(
        &s, "wrong.headlight, also wrong: line 3 (bogus), line 5 (seed), line 6 (depth), line 7"));
}

/* Of a long name the end is shown, in whole letters. */
TEST(a_long_name_is_told_by_its_end) {
    static const char *const ends[] = {".headlight", "b.headlight"};
    for (int i = 0; i < 2; i++) {
        char path[256] = "/home/";
        for (int letter = 0; letter < 70; letter++)
            strcat(path, "é");
        strcat(path, ends[i]);
        disk_put(path, "heads=x\ntext=one two\n");
        SCRIPT(s, script_open_disk, "");
        assert_true(app_open(s.app, path));
        script_frame(&s);
        char *end = path + strlen(path) - (i == 0 ? 120 : 119);
        end[40] = '\0'; /* it has more than one line */
        assert_true(script_says_first(&s, end));
    }
}

TEST(a_dropped_picture_restores_its_state) {
    AppFiles files = disk_files();
    disk_put("/home/one.svg",
             "<svg><state xmlns=\"urn:headlight:state\">mask=causal&amp;view=wqk&amp;size=640x480"
             "</state></svg>");
    disk_put("/home/other.svg", "<svg/>");
    disk_put("/home/wrong.svg",
             "<svg><state xmlns=\"urn:headlight:state\">heads=none</state></svg>");
    SCRIPT(s, script_begin_with, "seed=7", &files);
    script_play(&s, "drop:/home/one.svg =mask=causal&view=wqk drop:/home/other.svg "
                    "drop:/home/wrong.svg drop:/home/none.svg =mask=causal&view=wqk "
                    "Ctrl+Z =seed=7");
}
