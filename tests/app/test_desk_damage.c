/* Damaged sessions, and notes about the autosave's place. */
#include <stdio.h>
#include <string.h>

#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/input.h"

static Disk disk;

static void end(Script *s) {
    script_end(s);
    disk_release(&disk);
}

static void open_window(Script *s) {
    AppFiles files = disk_files(&disk);
    script_begin_with(s, "", &files);
}

/* It does not hide older ones, and is not deleted. */
TEST(a_damaged_session_is_set_aside) {
    static const char *const damaged[] = {"", "\xFF", "# Headlight 1: a session.\nmask=causal\n"};
    for (size_t i = 0; i < 3; i++) {
        Script s;
        disk_put(&disk, "/state/1.headlight", damaged[i]);
        disk_put(&disk, "/state/2.headlight", "seed=7\n");
        open_window(&s);
        assert_string_equal(script_state(&s), "seed=7");
        assert_true(script_says_first(&s, "A session that was not saved is damaged: "));
        assert_true(script_shows(&s, "/state/damaged.headlight"));
        assert_string_equal(disk_text(&disk, "/state/damaged.headlight"), damaged[i]);
        assert_null(disk_text(&disk, "/state/1.headlight"));
        script_end(&s);
        disk_release(&disk);
    }
    Script s;
    disk.is_full = true; /* it cannot be renamed either */
    disk_put(&disk, "/state/1.headlight", "");
    open_window(&s);
    assert_string_equal(script_state(&s), START);
    assert_true(script_says_first(&s, "/state/1.headlight: cannot be renamed"));
    script_end(&s);
    disk_release(&disk);
}

TEST(a_session_that_was_cut_off_is_told_of) {
    LOCAL(end) Script s;
    open_window(&s);
    script_keys(&s, "M Ctrl+Shift+S Ctrl+A '/home/one' Enter");
    char whole[512], *end;
    snprintf(whole, sizeof whole, "%s", disk_text(&disk, "/home/one.headlight"));
    script_drop(&s, "/home/one.headlight");
    assert_false(script_shows(&s, "cut off"));
    end = strstr(whole, "mask=causal") + strlen("mask=causal");
    *end = '\0';
    disk_put(&disk, "/home/one.headlight", whole);
    script_drop(&s, "/home/one.headlight");
    assert_true(script_says_first(&s, "one.headlight has no end line: it may have been cut off"));
    assert_string_equal(script_state(&s), "mask=causal");
    disk_put(&disk, "/home/one.headlight", "");
    script_drop(&s, "/home/one.headlight");
    assert_true(script_says_first(&s, "one.headlight: has no line with a setting: it is empty"));
    assert_string_equal(script_state(&s), "mask=causal");
}

/* The shell's message about the place of a session. */
TEST(a_note_on_the_autosave_is_shown) {
    Script s;
    AppFiles files = disk_files(&disk);
    files.autosave_note = "64 sessions fill it";
    script_begin_with(&s, "", &files);
    assert_true(script_says_first(&s, "64 sessions fill it"));
    script_end(&s);
    files.places[PLACE_AUTOSAVE] = "";
    script_begin_with(&s, "", &files);
    assert_false(script_says_first(&s, "64 sessions fill it"));
    script_keys(&s, "M");
    for (int i = 0; i < 2; i++) {
        script_wait(&s, 2);
    }
    assert_true(script_says_first(&s, "A crash would lose unsaved work: 64 sessions fill it"));
    script_end(&s);
    disk_release(&disk);
}
