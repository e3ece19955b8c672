/* nearest.h: finds the known name that is closest to a mistyped one. Pure. */
#ifndef HEADLIGHT_BASE_NEAREST_H
#define HEADLIGHT_BASE_NEAREST_H

#include "base/registry.h"

/* The best candidate so far, "" if none is close enough. Strings are borrowed. */
typedef struct Nearest {
    const char *word, *best;
    size_t bytes;
    int distance;
} Nearest;

/* Return the edit distance of a and b: insertions, deletions, replacements and swaps of adjacent
 * characters. Return limit + 1 if it is larger than limit.
 * Source: Damerau 1964, "A technique for computer detection and correction of spelling errors". */
int nearest_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes, int limit);

/* Find the id closest to word: call nearest_begin, then nearest_try for each candidate. A candidate
 * may have an edit distance of up to a third of the length of word, and always of 1. */
Nearest nearest_begin(const char *word, size_t bytes);
void nearest_try(Nearest *nearest, const char *id);

/* Write the id in registry closest to word by the rule of nearest_begin, or "". */
void nearest_entry(char *out, size_t capacity, const Registry *registry, const char *word,
                   size_t bytes);

#endif
