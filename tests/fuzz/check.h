/* check.h: assertions for every input of a fuzz target. */
#ifndef HEADLIGHT_TESTS_FUZZ_CHECK_H
#define HEADLIGHT_TESTS_FUZZ_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The target that each program defines. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check(bool holds) {
    if (!holds)
        abort();
}

#endif
