/* The main of every test program that has none of its own. */
#include "support/test.h"

#include <assert.h>
#include <stdlib.h>

#define TESTS_MAX 64

static struct CMUnitTest tests[TESTS_MAX];
static int lines[TESTS_MAX];
static size_t count;
static CMFixtureFunction each[2], all[2];

void test_add(const char *name, CMUnitTestFunction test, int line) {
    assert(count < TESTS_MAX);
    size_t at = count++;
    for (; at > 0 && lines[at - 1] > line; at--) { /* compilers choose the order of the calls */
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = (struct CMUnitTest){.name = name, .test_func = test};
    lines[at] = line;
}

void test_each(CMFixtureFunction before, CMFixtureFunction after) {
    each[0] = before;
    each[1] = after;
}

void test_all(CMFixtureFunction before, CMFixtureFunction after) {
    all[0] = before;
    all[1] = after;
}

void free_at(void *variable) {
    free(*(void **)variable);
}

__attribute__((weak)) int main(void) {
    for (size_t i = 0; i < count; i++) {
        tests[i].setup_func = each[0];
        tests[i].teardown_func = each[1];
    }
    return _cmocka_run_group_tests("tests", tests, count, all[0], all[1]);
}
