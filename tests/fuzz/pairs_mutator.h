/* pairs_mutator.h: mutates bytes as "key=value" pairs of the tables that their reader knows, and
 * half of the time as bytes. */
#ifndef HEADLIGHT_TESTS_FUZZ_PAIRS_MUTATOR_H
#define HEADLIGHT_TESTS_FUZZ_PAIRS_MUTATOR_H

#include <stdio.h>
#include <string.h>

#include "base/option.h"
#include "base/rng.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

typedef struct PairsMutator {
    const OptionTable *tables[2]; /* the second may be NULL */
    char between;                 /* the byte that separates two pairs */
} PairsMutator;

/* Write a pair that is mostly sound, and return its bytes. */
static inline size_t pairs_mutator_pair(char out[400], const PairsMutator *m, Rng rng) {
    static const char *const values[] = {
        "0",   "1",          "-1",       "2",      "4",
        "64",  "4097",       "1e9",      "nan",    "0.5",
        "1,2", "3x4",        "auto",     "none",   "%",
        "%41", "zeros,gpt2", "window:3", "rank:9", "18446744073709551615"};
    const OptionTable *table = m->tables[m->tables[1] != NULL && rng_bits(rng, 1) % 2 == 0];
    const OptionRow *row = &table->rows[rng_bits(rng, 2) % (uint64_t)table->count];
    const char *value = values[rng_bits(rng, 3) % (sizeof values / sizeof *values)];
    if (row->choices != NULL && rng_bits(rng, 4) % 4 != 0)
        value =
            registry_entry(row->choices, (int)(rng_bits(rng, 5) % (uint64_t)row->choices->count))
                ->id;
    return (size_t)snprintf(out, 400, "%s=%s%c", row->entry.id, value, m->between);
}

/* Return the first byte of a pair, chosen by chance. */
static inline size_t pairs_mutator_place(const uint8_t *data, size_t size, char between, Rng rng) {
    size_t at = size > 0 ? rng_bits(rng, 6) % (size + 1) : 0;
    while (at > 0 && at < size && data[at - 1] != (uint8_t)between)
        at++;
    return at;
}

/* Insert a pair, or remove one, or mutate the bytes. */
static inline size_t pairs_mutate(uint8_t *data, size_t size, size_t most, unsigned seed,
                                  const PairsMutator *m) {
    Rng rng = rng_stream(seed, 1);
    char pair[400];
    size_t at = pairs_mutator_place(data, size, m->between, rng), bytes;
    switch (rng_bits(rng, 0) % 4) {
    case 0:
        bytes = pairs_mutator_pair(pair, m, rng);
        if (size + bytes > most)
            break;
        memmove(data + at + bytes, data + at, size - at);
        memcpy(data + at, pair, bytes);
        return size + bytes;
    case 1:
        for (bytes = 0; at + bytes < size && data[at + bytes] != (uint8_t)m->between;)
            bytes++;
        bytes += at + bytes < size;
        if (bytes == size)
            break;
        memmove(data + at, data + at + bytes, size - at - bytes);
        return size - bytes;
    default:
        break;
    }
    return LLVMFuzzerMutate(data, size, most);
}

#endif
