/* test.h: cmocka, with the headers that it needs before it, and tests that need no list:
 * TEST(name) { … } defines a test and adds it to its folder's program. The tests of a file run in
 * its order. */
#ifndef HEADLIGHT_TESTS_SUPPORT_TEST_H
#define HEADLIGHT_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#define TEST_AT_START __attribute__((constructor)) static void

#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    TEST_AT_START add_##name(void) {                                                               \
        test_add(__FILE__, __LINE__, #name, name);                                                 \
    }                                                                                              \
    static void name(void **state)

/* Functions that run before and after each test of the file, or before and after all of them; NULL:
 * none. With several TEST_ALL the file's tests run once for each. */
#define TEST_EACH(before, after)                                                                   \
    TEST_AT_START set_each(void) {                                                                 \
        test_each(__FILE__, before, after);                                                        \
    }
#define TEST_ALL(before, after)                                                                    \
    TEST_AT_START set_all_##before(void) {                                                         \
        test_all(__FILE__, before, after);                                                         \
    }

/* Declares a variable that release(&variable) frees at the end of its block. */
#define LOCAL(release) __attribute__((cleanup(release), unused))

/* For LOCAL(free_at) char *text: frees what the variable points to. */
void free_at(void *variable);

/* The error of calls that must succeed, and of those whose error a test does not read:
 * must(call(…, &told)) fails with its words. */
extern Err told;

void must(bool done);

/* Declare memory of so many bytes that is released with its block. */
#define ARENA(name, bytes)                                                                         \
    LOCAL(arena_release) Arena name = {0};                                                         \
    test_reserve(&(name), bytes)

void test_reserve(Arena *arena, uint64_t bytes);

/* How often text has these words. */
int count_in(const char *text, const char *words);

void test_add(const char *file, int line, const char *name, CMUnitTestFunction test);
void test_each(const char *file, CMFixtureFunction before, CMFixtureFunction after);
void test_all(const char *file, CMFixtureFunction before, CMFixtureFunction after);

#endif
