/* The slots that windows keep their sessions in. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/desk_files.h"
#include "support/test.h"

#define SLOTS 64

static char folder[64], path[128];

static int setup(void **state) {
    strcpy(folder, "/tmp/headlight-slots-XXXXXX");
    return mkdtemp(folder) != NULL && setenv("XDG_STATE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int teardown(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *slot(int number, const char *ending) {
    snprintf(path, sizeof path, "%s/headlight/autosave/%d%s", folder, number, ending);
    return path;
}

/* As many as one after the other, each left by a window that ended. */
static void leave(int count, int first_s) {
    must(file_make_folders(slot(0, ""), &told));
    for (int i = 0; i < count; i++) {
        const struct timespec times[2] = {{first_s + i, 0}, {first_s + i, 0}};
        must(file_write_quick(slot(i, ".lock"), "", 0, &told));
        must(file_write_quick(slot(i, ".headlight"), "seed=7\n", 7, &told));
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
}

TEST(the_newest_is_recovered_and_a_free_slot_taken) {
    DeskFiles desk, other;
    leave(3, 1000);
    desk_files_begin(&desk);
    assert_string_equal(desk.paths[PLACE_RECOVER], slot(2, ".headlight"));
    assert_string_equal(desk.paths[PLACE_AUTOSAVE], slot(3, ".headlight"));
    assert_null(desk_files(&desk).autosave_note);
    desk_files_begin(&other);
    assert_string_equal(other.paths[PLACE_RECOVER], slot(1, ".headlight"));
    assert_string_equal(other.paths[PLACE_AUTOSAVE], slot(4, ".headlight"));
    desk_files_end(&other);
    desk_files_end(&desk);
}

TEST(a_damaged_one_gets_another_name) {
    LOCAL(desk_files_end) DeskFiles desk;
    char aside[FILE_PATH_BYTES], expected[128];
    leave(3, 1000);
    desk_files_begin(&desk);
    AppFiles files = desk_files(&desk);
    for (int i = 1; i <= 3; i++) {
        must(files.set_aside(files.context, aside, &told));
        snprintf(expected, sizeof expected, "%s/headlight/autosave/damaged-%d.headlight", folder,
                 i);
        assert_string_equal(aside, expected);
        assert_int_equal(access(aside, F_OK), 0);
        assert_string_equal(files.places[PLACE_RECOVER], i < 3 ? slot(2 - i, ".headlight") : "");
    }
}

TEST(where_all_are_left_the_oldest_is_used) {
    LOCAL(desk_files_end) DeskFiles desk;
    leave(SLOTS, 1000);
    desk_files_begin(&desk);
    assert_string_equal(desk.paths[PLACE_AUTOSAVE], slot(0, ".headlight"));
    assert_string_equal(desk.paths[PLACE_RECOVER], slot(SLOTS - 1, ".headlight"));
    assert_non_null(strstr(desk_files(&desk).autosave_note, "64 sessions that were not saved"));
}

TEST(where_all_are_in_use_it_is_said) {
    static DeskFiles desks[SLOTS + 1];
    for (int i = 0; i <= SLOTS; i++)
        desk_files_begin(&desks[i]);
    assert_string_equal(desks[SLOTS - 1].paths[PLACE_AUTOSAVE], slot(SLOTS - 1, ".headlight"));
    assert_string_equal(desks[SLOTS].paths[PLACE_AUTOSAVE], "");
    assert_non_null(strstr(desk_files(&desks[SLOTS]).autosave_note, "64 windows are open"));
    for (int i = 0; i <= SLOTS; i++)
        desk_files_end(&desks[i]);
}

TEST_EACH(setup, teardown)
