/* choices.h: reads a fuzzer's bytes as choices, one by one; 0 after the last. */
#ifndef HEADLIGHT_TESTS_FUZZ_CHOICES_H
#define HEADLIGHT_TESTS_FUZZ_CHOICES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Choices {
    const uint8_t *at;
    size_t left;
} Choices;

static inline unsigned choices_take(Choices *choices) {
    if (choices->left == 0)
        return 0;
    choices->left--;
    return *choices->at++;
}

/* Mostly a small number, at times a huge or negative one. */
static inline int64_t choices_number(Choices *choices) {
    static const int64_t odd[] = {-1,
                                  INT64_MIN,
                                  INT64_MAX,
                                  INT64_C(1) << 31,
                                  INT64_C(1) << 32,
                                  INT64_C(1) << 61,
                                  INT64_C(1) << 62,
                                  1000};
    unsigned byte = choices_take(choices);
    return byte < 248 ? byte % 32 : odd[byte - 248];
}

#endif
