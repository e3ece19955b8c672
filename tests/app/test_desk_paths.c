/* A session's files with unusual paths or lines. */
#include <string.h>

#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

static Disk disk;

static void end(Script *s) {
    script_end(s);
    disk_release(&disk);
}

static void open_window(Script *s, const char *state) {
    AppFiles files = disk_files(&disk);
    script_begin_with(s, state, &files);
}

/* A session may be restored by a window started in another folder. */
TEST(a_name_alone_is_of_the_folder_that_the_program_was_started_in) {
    LOCAL(end) Script s;
    disk_put(&disk, "/here/one.headlight", "text=one two\n");
    open_window(&s, "");
    assert_true(app_open(s.app, "one.headlight") && app_open(s.app, "./one.headlight"));
    script_frame(&s);
    script_keys(&s, "R Ctrl+S");
    assert_non_null(strstr(disk_text(&disk, "/here/one.headlight"), "seed=2"));
    script_keys(&s, "Ctrl+Shift+S Ctrl+A 'two' Enter");
    script_frame(&s);
    assert_non_null(disk_text(&disk, "/here/two.headlight"));
}

TEST(without_a_place_for_it_that_nothing_is_kept_is_said_once) {
    LOCAL(end) Script s;
    AppFiles files = disk_files(&disk);
    files.places[PLACE_AUTOSAVE] = "";
    files.autosave_note = "HOME: no folder for the autosave is known; set that variable";
    script_begin_with(&s, "", &files);
    assert_false(script_says_first(&s, "A crash would lose"));
    for (int i = 0; i < 3; i++) {
        script_keys(&s, "R");
        script_wait(&s, 1.1);
        script_frame(&s);
        assert_true(script_says_first(&s, "A crash would lose unsaved work: HOME: no folder"));
    }
    script_wait(&s, 9);
    script_keys(&s, "R");
    script_wait(&s, 2);
    assert_false(script_says_first(&s, "A crash would lose"));
    assert_true(app_effects(s.app)->next_frame_s > 1e9); /* and it is not tried again and again */
}

TEST(every_wrong_line_is_named) {
    LOCAL(end) Script s;
    disk_put(&disk, "/home/wrong.headlight",
             "heads=x\n= 4\nbogus\ntext=one two\nseed=-1\ndepth=none\nform=best\n");
    open_window(&s, "");
    assert_true(app_open(s.app, "/home/wrong.headlight"));
    script_frame(&s);
    assert_string_equal(script_state(&s), "text=one%20two");
    assert_true(script_says_first(&s, "wrong.headlight, line 1: heads x:"));
    assert_true(
        script_says_first(&s, "wrong.headlight, line 2: = 4: is not written as key = value"));
    assert_true(script_says_first(
        &s, "wrong.headlight, wrong too: line 3 (bogus), line 5 (seed), line 6 (depth), line 7"));
}

/* Of a long name the end is shown, in whole letters. */
TEST(a_long_name_is_told_by_its_end) {
    static const char *const ends[] = {".headlight", "b.headlight"};
    for (int i = 0; i < 2; i++) {
        Script s;
        char path[256] = "/home/";
        for (int letter = 0; letter < 70; letter++)
            strcat(path, "é");
        strcat(path, ends[i]);
        disk_put(&disk, path, "heads=x\ntext=one two\n");
        open_window(&s, "");
        assert_true(app_open(s.app, path));
        script_frame(&s);
        char *told = path + strlen(path) - (i == 0 ? 120 : 119);
        told[40] = '\0'; /* it has more than one line */
        assert_true(script_says_first(&s, told));
        script_end(&s);
        disk_release(&disk);
    }
}
