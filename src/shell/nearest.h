/* nearest.h: what somebody may have meant by a name that is none. Pure. */
#ifndef HEADLIGHT_SHELL_NEAREST_H
#define HEADLIGHT_SHELL_NEAREST_H

#include "shell/cli.h"

/* Single-character insertions, deletions, replacements and swaps of neighbours that turn one into
 * the other; past limit, limit + 1. Source: Damerau 1964, "A technique for computer detection and
 * correction of spelling errors". */
int nearest_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes, int limit);

/* The id of the registry, or of the verb's options, that is nearest to the word: within a third
 * of its length, and at least 1. "" where there is none. */
void nearest_entry(char *out, size_t capacity, const Registry *registry, const char *word,
                   size_t bytes);
void nearest_option(char *out, size_t capacity, const Verb *verb, const char *word, size_t bytes);

#endif
