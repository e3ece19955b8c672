/* check.h: what must hold for every input of a fuzz target. */
#ifndef HEADLIGHT_TESTS_FUZZ_CHECK_H
#define HEADLIGHT_TESTS_FUZZ_CHECK_H

#include <stdbool.h>
#include <stdlib.h>

static inline void check(bool holds) {
    if (!holds)
        abort();
}

#endif
