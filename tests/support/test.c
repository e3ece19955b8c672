/* The main of the test programs, one for each folder.
 * usage: tests [FILE...], where a FILE is such as test_arena; without one, all are run. */
#include "support/test.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TESTS_MAX  1024
#define GROUPS_MAX 64

typedef struct Place {
    const char *file;
    int line;
} Place;

/* What a test file said with TEST_EACH or TEST_ALL. */
typedef struct Fixtures {
    const char *file;
    CMFixtureFunction before, after;
} Fixtures;

static struct CMUnitTest tests[TESTS_MAX];
static Place places[TESTS_MAX];
static size_t count;
static Fixtures each[GROUPS_MAX], all[GROUPS_MAX];
static size_t each_count, all_count;

static bool is_later(Place a, Place b) {
    int order = strcmp(a.file, b.file);
    return order != 0 ? order > 0 : a.line > b.line;
}

void test_add(const char *file, int line, const char *name, CMUnitTestFunction test) {
    assert(count < TESTS_MAX);
    Place place = {file, line};
    size_t at = count++;
    for (; at > 0 && is_later(places[at - 1], place);
         at--) { /* compilers choose the calls' order */
        tests[at] = tests[at - 1];
        places[at] = places[at - 1];
    }
    tests[at] = (struct CMUnitTest){.name = name, .test_func = test};
    places[at] = place;
}

void test_each(const char *file, CMFixtureFunction before, CMFixtureFunction after) {
    assert(each_count < GROUPS_MAX);
    each[each_count++] = (Fixtures){file, before, after};
}

void test_all(const char *file, CMFixtureFunction before, CMFixtureFunction after) {
    assert(all_count < GROUPS_MAX);
    all[all_count++] = (Fixtures){file, before, after};
}

void free_at(void *variable) {
    free(*(void **)variable);
}

Err told;

void must(bool done) {
    if (!done)
        fail_msg("%s: %s", told.what, told.why);
}

void test_reserve(Arena *arena, uint64_t bytes) {
    must(arena_reserve(arena, bytes, &told));
}

int count_in(const char *text, const char *words) {
    int found = 0;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words))
        found++;
    return found;
}

/* Run the tests from..to, which are those of one file. Return the number of failures. */
static int run_file(size_t from, size_t to) {
    const char *file = places[from].file;
    for (size_t f = 0; f < each_count; f++)
        for (size_t i = from; strcmp(each[f].file, file) == 0 && i < to; i++) {
            tests[i].setup_func = each[f].before;
            tests[i].teardown_func = each[f].after;
        }
    int failed = 0;
    bool had_group = false;
    for (size_t f = 0; f < all_count; f++)
        if (strcmp(all[f].file, file) == 0) {
            failed +=
                _cmocka_run_group_tests(file, tests + from, to - from, all[f].before, all[f].after);
            had_group = true;
        }
    if (!had_group)
        failed = _cmocka_run_group_tests(file, tests + from, to - from, NULL, NULL);
    return failed;
}

/* Whether file is tests/folder/NAME.c for one of the names; without names, always. */
static bool is_asked_for(const char *file, char **names) {
    const char *base = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
    for (char **name = names; *name != NULL; name++)
        if (strncmp(base, *name, strlen(*name)) == 0 && strcmp(base + strlen(*name), ".c") == 0)
            return true;
    return *names == NULL;
}

int main(int argc, char **argv) {
    int failed = 0;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && strcmp(places[to].file, places[from].file) == 0;)
            to++;
        if (is_asked_for(places[from].file, argv + (argc > 0)))
            failed += run_file(from, to);
    }
    return failed > 0;
}
