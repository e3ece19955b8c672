#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "support/test.h"

static char folder[40];

static const char *in_folder(const char *name) {
    static char path[4][FILE_PATH_BYTES + 80];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int setup(void **state) {
    signal(SIGXFSZ, SIG_IGN);
    strcpy(folder, "/tmp/headlight-test-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : chmod(folder, 0777);
}

static int teardown(void **state) {
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command);
}

/* Files in the folder, temporary ones included. */
static int entries(void) {
    int count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d) != NULL)
        count++;
    closedir(d);
    return count - 2;
}

static void assert_holds(const char *path, const char *expected) {
    LOCAL(free_at) char *bytes;
    size_t size;
    must(file_read(&bytes, &size, path, 1 << 20, &told));
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
}

static void assert_write(const char *path, const char *text) {
    must(file_write_atomic(path, text, strlen(text), &told));
}

static void assert_refused(const char *path, const char *why) {
    Err err = {0};
    assert_false(file_write_atomic(path, "new", 3, &err));
    assert_int_equal(err.kind, ERR_FAILED);
    assert_non_null(strstr(err.why, why));
    assert_true(strncmp(err.what, path, sizeof err.what - 8) == 0 || path[0] == '\0');
}

TEST(writes_a_new_file_by_the_umask) {
    mode_t before = umask(027);
    assert_write(in_folder("new"), "hello");
    umask(before);
    struct stat info;
    assert_int_equal(stat(in_folder("new"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_holds(in_folder("new"), "hello");
    assert_int_equal(entries(), 1);
}

TEST(replaces_and_keeps_the_mode) {
    assert_write(in_folder("old"), "a longer first text");
    assert_int_equal(chmod(in_folder("old"), 0604), 0);
    assert_write(in_folder("old"), "second");
    struct stat info;
    assert_int_equal(stat(in_folder("old"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0604);
    assert_holds(in_folder("old"), "second");
    assert_int_equal(entries(), 1);
}

TEST(writes_nothing_at_all) {
    must(file_write_atomic(in_folder("empty"), NULL, 0, &told));
    assert_holds(in_folder("empty"), "");
}

TEST(follows_a_link_and_keeps_it) {
    assert_write(in_folder("target"), "first");
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_write(in_folder("link"), "second");
    struct stat info;
    assert_int_equal(lstat(in_folder("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_holds(in_folder("target"), "second");
}

TEST(refuses_a_link_that_leads_nowhere) {
    assert_int_equal(symlink("gone", in_folder("dangling")), 0);
    assert_refused(in_folder("dangling"), "leads nowhere");
    assert_int_equal(symlink("circle", in_folder("circle")), 0);
    assert_refused(in_folder("circle"), "loop");
    assert_int_equal(entries(), 2);
}

TEST(refuses_folders_and_impossible_names) {
    assert_refused(folder, "is a folder");
    assert_refused(in_folder("no-such-folder/file"), "no such file or folder");
    assert_refused(in_folder("name/"), "is a folder");
    assert_refused("", "name is empty");
    assert_write(in_folder("file"), "kept");
    assert_refused(in_folder("file/below"), "where a folder is needed");
    char longest[FILE_PATH_BYTES + 10];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_refused(longest, "too long");
    longest[300] = '\0';
    assert_refused(in_folder(longest), "too long");
    assert_holds(in_folder("file"), "kept");
    assert_int_equal(entries(), 1);
}

/* Root may write anywhere, so the checks run as another user. */
static void without_rights(void (*body)(void)) {
    bool root = geteuid() == 0;
    if (root)
        assert_int_equal(seteuid(65534), 0);
    body();
    if (root)
        assert_int_equal(seteuid(0), 0);
}

static void try_read_only(void) {
    assert_refused(in_folder("locked"), "read-only");
}
static void try_closed_folder(void) {
    assert_refused(in_folder("open"), "permission denied");
    assert_refused(in_folder("another"), "permission denied");
}

TEST(respects_permissions) {
    assert_write(in_folder("locked"), "old");
    assert_write(in_folder("open"), "old");
    assert_int_equal(chmod(in_folder("locked"), 0444), 0);
    assert_int_equal(chmod(in_folder("open"), 0666), 0);
    without_rights(try_read_only);
    assert_int_equal(chmod(folder, 0555), 0);
    without_rights(try_closed_folder);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_holds(in_folder("locked"), "old");
    assert_holds(in_folder("open"), "old");
    assert_int_equal(entries(), 2);
}

static void try_folders_in_a_closed_one(void) {
    assert_false(file_make_folders(in_folder("new/inner/file"), &told));
    assert_string_equal(told.what, in_folder("new"));
    assert_non_null(strstr(told.why, "permission denied"));
}

TEST(folders_are_made_or_the_reason_is_told) {
    assert_true(file_make_folders(in_folder("a/b/file"), &told));
    assert_true(file_make_folders(in_folder("a/b/file"), &told));
    assert_write(in_folder("a/b/file"), "text");
    assert_false(file_make_folders(in_folder("a/b/file/c/d"), &told));
    assert_string_equal(told.what, in_folder("a/b/file"));
    assert_non_null(strstr(told.why, "is a file where a folder is needed"));
    assert_int_equal(chmod(folder, 0555), 0);
    without_rights(try_folders_in_a_closed_one);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(entries(), 1);
}

TEST(a_folder_is_listed_in_order) {
    char *names;
    static const char expected[] = ".c\0a/\0b\0";
    must(file_make_folders(in_folder("a/"), &told));
    must(file_write_quick(in_folder("b"), "", 0, &told));
    must(file_write_quick(in_folder(".c"), "", 0, &told));
    must(file_list(&names, folder, &told));
    assert_memory_equal(names, expected, sizeof expected);
    free(names);
    assert_false(file_list(&names, in_folder("b"), &told));
    assert_null(names);
}

TEST(a_full_disk_leaves_the_old_file) {
    static char large[100000];
    assert_write(in_folder("study"), "old");
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {50000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Err err = {0};
    bool wrote = file_write_atomic(in_folder("study"), large, sizeof large, &err);
    bool wrote_new = file_write_atomic(in_folder("fresh"), large, sizeof large, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(wrote);
    assert_false(wrote_new);
    assert_non_null(strstr(err.why, "ulimit"));
    assert_holds(in_folder("study"), "old");
    assert_int_equal(entries(), 1);
}

TEST(a_device_is_written_straight) {
    struct stat info;
    if (stat("/dev/full", &info) != 0)
        skip();
    assert_refused("/dev/full", "no space");
    assert_write("/dev/null", "gone");
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

TEST(abandoning_removes_the_temporary_file) {
    FileOut out;
    must(file_begin(&out, in_folder("half"), &told));
    must(file_append(&out, "half", 4, &told));
    assert_int_equal(entries(), 1);
    file_abandon(&out);
    assert_int_equal(entries(), 0);
}

TEST(a_planted_temporary_name_is_not_followed) {
    char name[64];
    snprintf(name, sizeof name, ".headlight-%ld-0.part", (long)getpid());
    assert_write(in_folder("precious"), "precious");
    assert_int_equal(symlink("precious", in_folder(name)), 0);
    assert_write(in_folder("result"), "result");
    assert_holds(in_folder("precious"), "precious");
    assert_holds(in_folder("result"), "result");
}

TEST(reading_says_what_is_wrong) {
    char *bytes;
    size_t size;
    Err err = {0};
    assert_false(file_read(&bytes, &size, in_folder("none"), 10, &err));
    assert_non_null(strstr(err.why, "no such file"));
    assert_false(file_read(&bytes, &size, folder, 10, &err));
    assert_non_null(strstr(err.why, "is a folder"));
    assert_false(file_read(&bytes, &size, "", 10, &err));
    assert_write(in_folder("eleven"), "12345678901");
    assert_false(file_read(&bytes, &size, in_folder("eleven"), 10, &err));
    assert_non_null(strstr(err.why, "larger than 10"));
    assert_null(bytes);
    assert_true(file_read(&bytes, &size, in_folder("eleven"), 11, &err));
    assert_int_equal(size, 11);
    assert_int_equal(bytes[11], '\0');
    free(bytes);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_false(file_read(&bytes, &size, in_folder("pipe"), 11, &err)); /* and does not wait */
    assert_non_null(strstr(err.why, "is not a regular file"));
    unlink(in_folder("pipe"));
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    snprintf(place.sun_path, sizeof place.sun_path, "%s", in_folder("socket"));
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(end, (struct sockaddr *)&place, sizeof place), 0);
    assert_false(file_read(&bytes, &size, in_folder("socket"), 11, &err));
    assert_non_null(strstr(err.why, "socket"));
    close(end);
}

/* A process that begins to write a file and then waits. */
static pid_t begin_elsewhere(const char *path) {
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        FileOut out;
        bool began = file_begin(&out, path, &told) && file_append(&out, "half", 4, &told);
        if (write(ready[1], &byte, 1) == 1 && began)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

TEST(what_a_killed_program_left_half_written_goes_with_the_next_save) {
    int before = entries();
    pid_t child = begin_elsewhere(in_folder("stale"));
    assert_int_equal(entries(), before + 1);
    must(file_write_atomic(in_folder("other"), "whole", 5, &told));
    assert_int_equal(entries(), before + 2); /* its writer is still at it */
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(entries(), before + 2);
    must(file_write_atomic(in_folder("other"), "again", 5, &told));
    assert_int_equal(entries(), before + 1);
    assert_holds(in_folder("other"), "again");
    unlink(in_folder("other"));
}

/* Names of files of other programs, and one that another machine has locked. */
TEST(nothing_else_is_taken_for_it) {
    static const char *const names[] = {".headlight-1x-0.part", ".headlight-999999999-0.partial",
                                        "headlight-999999999-0.part"};
    int before = entries();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        close(open(in_folder(names[i]), O_WRONLY | O_CREAT, 0600));
    int held = open(in_folder(".headlight-999999999-0.part"), O_WRONLY | O_CREAT, 0600);
    assert_int_equal(flock(held, LOCK_EX | LOCK_NB), 0);
    must(file_write_atomic(in_folder("other"), "whole", 5, &told));
    assert_int_equal(entries(), before + 5);
    close(held);
    must(file_write_atomic(in_folder("other"), "whole", 5, &told));
    assert_int_equal(entries(), before + 4);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    unlink(in_folder("other"));
}

#define MAPPED ((1 << 16) - 5)

/* Read the last byte, which the file no longer has, and then the first. */
static void *last_and_first(void *bytes) {
    volatile char *at = bytes;
    return at[MAPPED - 1] == 0 && at[0] == 0 ? bytes : NULL;
}

TEST(a_mapped_file_that_is_cut_off_reads_as_zeros_and_is_reported) {
    enum { SIZE = MAPPED + 5 };
    LOCAL(free_at) char *bytes = malloc(SIZE);
    FileIn in;
    FileMap whole, cut;
    Err err;
    memset(bytes, 'x', SIZE);
    assert_true(file_write_atomic(in_folder("mapped"), bytes, SIZE, &err));
    assert_true(file_open(&in, in_folder("mapped"), &err));
    assert_true(file_map(&whole, &in, 5, 3));
    assert_true(file_map(&cut, &in, 5, MAPPED));
    assert_memory_equal(whole.at, "xxx", 3);
    assert_int_equal(((char *)cut.at)[0], 'x');
    assert_int_equal(truncate(in_folder("mapped"), 4096), 0);
    pthread_t reader; /* a pass reads its maps in several threads */
    void *were_zeros;
    assert_int_equal(pthread_create(&reader, NULL, last_and_first, cut.at), 0);
    assert_int_equal(pthread_join(reader, &were_zeros), 0);
    assert_non_null(were_zeros);
    assert_false(file_unmap(&cut));
    assert_true(file_unmap(&cut)); /* does nothing */
    assert_memory_equal(whole.at, "xxx", 3);
    assert_true(file_unmap(&whole));
    file_close(&in);
}

TEST_EACH(setup, teardown)
