/* test.h: cmocka, with the headers that it needs before it, and tests that need no list:
 * TEST(name) { … } defines a test and adds it to its program. They run in the order of the file. */
#ifndef HEADLIGHT_TESTS_SUPPORT_TEST_H
#define HEADLIGHT_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST_AT_START __attribute__((constructor)) static void

#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    TEST_AT_START add_##name(void) {                                                               \
        test_add(#name, name, __LINE__);                                                           \
    }                                                                                              \
    static void name(void **state)

/* Functions that run before and after each test, or all tests, of a program. NULL: none. */
#define TEST_EACH(before, after)                                                                   \
    TEST_AT_START set_each(void) {                                                                 \
        test_each(before, after);                                                                  \
    }
#define TEST_ALL(before, after)                                                                    \
    TEST_AT_START set_all(void) {                                                                  \
        test_all(before, after);                                                                   \
    }

/* Declares a variable that release(&variable) frees at the end of its block. */
#define LOCAL(release) __attribute__((cleanup(release), unused))

/* For LOCAL(free_at) char *text: frees what the variable points to. */
void free_at(void *variable);

void test_add(const char *name, CMUnitTestFunction test, int line);
void test_each(CMFixtureFunction before, CMFixtureFunction after);
void test_all(CMFixtureFunction before, CMFixtureFunction after);

#endif
