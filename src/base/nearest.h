/* nearest.h: what somebody may have meant by a name that is none. Pure. */
#ifndef HEADLIGHT_BASE_NEAREST_H
#define HEADLIGHT_BASE_NEAREST_H

#include "base/registry.h"

/* The best candidate so far: "" where none is near enough. Strings are borrowed. */
typedef struct Nearest {
    const char *word, *best;
    size_t bytes;
    int distance;
} Nearest;

/* Single-character insertions, deletions, replacements and swaps of neighbours that turn one into
 * the other; past limit, limit + 1. Source: Damerau 1964, "A technique for computer detection and
 * correction of spelling errors". */
int nearest_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes, int limit);

/* What is nearest to word, of the ids then tried: within a third of its length, and at least 1. */
Nearest nearest_begin(const char *word, size_t bytes);
void nearest_try(Nearest *nearest, const char *id);

/* The id of the registry that is nearest to the word in that sense, or "". */
void nearest_entry(char *out, size_t capacity, const Registry *registry, const char *word,
                   size_t bytes);

#endif
