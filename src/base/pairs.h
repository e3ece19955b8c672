/* pairs.h: files of lines "key = value": sessions, settings, keys. Blank lines, lines that begin
 * with #, and a byte order mark are skipped. An invalid line does not affect the others. Pure. */
#ifndef HEADLIGHT_BASE_PAIRS_H
#define HEADLIGHT_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* A file and the position in it. Set bytes and size at first, the other fields to 0. */
typedef struct Pairs {
    const char *bytes;
    size_t size, at;
    int line; /* number of the last pair's line, from 1 */
} Pairs;

/* Key and value, without blanks around them; borrowed, not ended by NUL. value is NULL if the line
 * has no '=' or nothing before it. */
typedef struct Pair {
    const char *key, *value;
    size_t key_bytes, value_bytes;
} Pair;

/* Read the next pair of a file. Return false at the end. */
bool pairs_next(Pairs *pairs, Pair *out);

/* Read the next pair of a state string, whose pairs are separated by '&'. Blanks and # have no
 * special meaning. Return false at the end. */
bool pairs_next_joined(Pairs *pairs, Pair *out);

bool pair_is(const Pair *pair, const char *key);

#endif
