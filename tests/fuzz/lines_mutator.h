/* lines_mutator.h: mutates bytes as lines, some from a table, and half of the time as bytes. */
#ifndef HEADLIGHT_TESTS_FUZZ_LINES_MUTATOR_H
#define HEADLIGHT_TESTS_FUZZ_LINES_MUTATOR_H

#include <string.h>

#include "base/rng.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Return the first byte of a line, chosen by chance. */
static inline size_t lines_mutator_place(const uint8_t *data, size_t size, uint64_t chance) {
    size_t at = chance % (size + 1);
    while (at > 0 && data[at - 1] != '\n')
        at--;
    return at;
}

/* Insert a line of the table or of the data, or remove one, or mutate the bytes. */
static inline size_t lines_mutate(uint8_t *data, size_t size, size_t most, unsigned seed,
                                  const char *const *lines, size_t count) {
    Rng rng = rng_stream(seed, 2);
    uint64_t kind = rng_bits(rng, 0) % 6;
    size_t at = lines_mutator_place(data, size, rng_bits(rng, 1));
    size_t from = lines_mutator_place(data, size, rng_bits(rng, 2)), bytes = 0;
    const char *line = kind == 0 ? lines[rng_bits(rng, 3) % count] : (const char *)data + from;
    while (kind == 0 ? line[bytes] != '\0' : from + bytes < size && line[bytes] != '\n')
        bytes++;
    char copy[256];
    if (bytes >= sizeof copy || kind > 2)
        return LLVMFuzzerMutate(data, size, most);
    memcpy(copy, line, bytes);
    copy[bytes++] = '\n';
    if (kind < 2 && size + bytes <= most) {
        memmove(data + at + bytes, data + at, size - at);
        memcpy(data + at, copy, bytes);
        return size + bytes;
    }
    if (kind == 2 && from + bytes < size) {
        memmove(data + from, data + from + bytes, size - from - bytes);
        return size - bytes;
    }
    return LLVMFuzzerMutate(data, size, most);
}

#endif
