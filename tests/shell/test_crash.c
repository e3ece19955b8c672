/* A program that is killed at any moment loses only its last action, and leaves no damaged file.
 * CRASH_KILLS sets the number of kills. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "shell/desk_files.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/input.h"

#define KILLS  20
#define OLD    "an older file\n"
#define MOST_S 0.1 /* until the kill */

static char folder[40], program[FILE_PATH_BYTES];
static volatile uint64_t *kept; /* shared with the child: the seed that is kept for sure */

static int kills(void) {
    const char *chosen = getenv("CRASH_KILLS");
    return chosen != NULL ? atoi(chosen) : KILLS;
}

static int setup(void **state) {
    const char *build = getenv("BUILD");
    char path[FILE_PATH_BYTES];
    snprintf(path, sizeof path, "%s/headlight", build != NULL ? build : "build");
    strcpy(folder, "/tmp/headlight-crash-XXXXXX");
    kept = mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (kept == MAP_FAILED || realpath(path, program) == NULL || mkdtemp(folder) == NULL)
        return -1;
    return setenv("XDG_STATE_HOME", folder, 1) + setenv("XDG_CONFIG_HOME", folder, 1);
}

static int teardown(void **state) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *in_folder(const char *name) {
    static char path[FILE_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void kill_soon(pid_t child, int number) {
    double wait_s = rng_uniform(rng_stream(7, 1), (uint64_t)number) * MOST_S;
    int status;
    nanosleep(&(struct timespec){.tv_nsec = (long)(wait_s * 1e9)}, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
}

/* In the child: change the seed and keep each, as an autosave or by Ctrl S, without end. */
static void work(DeskFiles *desk, bool saves) {
    Script s;
    AppFiles files = desk_files(desk);
    script_begin_with(&s, "", &files);
    if (saves)
        script_drop(&s, in_folder("saved.headlight"));
    for (;;) {
        script_key(&s, 'r', 0);
        s.time_s += 2;
        if (saves)
            script_key(&s, 's', KEY_MOD_COMMAND);
        script_frame(&s);
        *kept = app_session(s.app)->options.seed;
    }
}

static void check_found(const Script *s) {
    uint64_t seed = app_session(s->app)->options.seed;
    if (seed < *kept || seed > *kept + 1)
        fail_msg("seed %llu was kept, and %llu is found", (unsigned long long)*kept,
                 (unsigned long long)seed);
}

/* The next window finds the last autosave, and reports no damage. */
static void check_window(const AppFiles *files, bool saves) {
    SCRIPT(s, script_begin_with, "", files);
    if (saves)
        script_drop(&s, in_folder("saved.headlight"));
    check_found(&s);
    assert_null(drawn_beginning(&s.list, "A session that was not saved is damaged"));
    assert_null(drawn_beginning(&s.list, "saved.headlight has no end line"));
}

TEST(a_killed_window_loses_nothing) {
    static DeskFiles desk;
    int in_time = 0;
    for (int i = 0; i < kills(); i++) {
        bool saves = i % 2 == 0;
        must(file_write_quick(in_folder("saved.headlight"), "seed=1\n", 7, &told));
        *kept = 1;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            desk_files_begin(&desk);
            work(&desk, saves);
        }
        kill_soon(child, i);
        desk_files_begin(&desk);
        AppFiles files = desk_files(&desk);
        check_window(&files, saves);
        in_time += *kept > 1;
        files.remove(desk.paths[PLACE_AUTOSAVE]);
        files.remove(desk.paths[PLACE_RECOVER]);
        desk_files_end(&desk);
    }
    assert_true(in_time > 0);
}

static void run_verb(char *const *words) {
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(program, words);
    _exit(127);
}

static void expect(const char *path, const char *bytes, size_t size, bool or_old) {
    LOCAL(free_at) char *found;
    size_t found_size;
    must(file_read(&found, &found_size, path, (size_t)1 << 28, &told));
    bool is_whole = found_size == size && memcmp(found, bytes, size) == 0;
    bool is_old = found_size == strlen(OLD) && memcmp(found, OLD, found_size) == 0;
    assert_true(is_whole || (or_old && is_old));
}

/* The file is the older one or the complete new one; the next run removes the part file. */
TEST(a_killed_verb_leaves_a_whole_file) {
    char path[FILE_PATH_BYTES];
    char *const calls[][8] = {
        {program, "export", "-o", path, "--format", "npz", NULL},
        {program, "export", "-o", path, "--format", "json", NULL},
        {program, "compare", "-o", path, "--format", "json", "--seeds=2", NULL},
    };
    int each = kills() / 3;
    snprintf(path, sizeof path, "%s", in_folder("out"));
    for (int c = 0; c < 3; c++) {
        char *whole = NULL;
        size_t size = 0;
        for (int i = -1; i <= each; i++) { /* the first and the last run to the end */
            int status;
            must(file_write_quick(path, OLD, strlen(OLD), &told));
            pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0)
                run_verb(calls[c]);
            if (i >= 0 && i < each)
                kill_soon(child, i);
            else
                assert_true(waitpid(child, &status, 0) == child && status == 0);
            if (i < 0)
                must(file_read(&whole, &size, path, (size_t)1 << 28, &told));
            expect(path, whole, size, i >= 0 && i < each);
        }
        free(whole);
        char command[128];
        snprintf(command, sizeof command, "ls -A %s | grep -q part", folder);
        assert_int_not_equal(system(command), 0);
    }
}

TEST_EACH(setup, teardown)
