/* pairs.h: files of the kind "key = value", one pair a line: sessions, settings, keys.
 * Blank lines, lines that begin with #, and the byte order mark of some editors say nothing. One
 * line that is wrong spoils no other. Pure. */
#ifndef HEADLIGHT_BASE_PAIRS_H
#define HEADLIGHT_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* Where reading is; begin with bytes and size, all else 0. */
typedef struct Pairs {
    const char *bytes;
    size_t size, at;
    int line; /* of the last pair, from 1 */
} Pairs;

/* A line without the blanks around its key and value; borrowed, not ended by NUL. value is NULL
 * where the line has no '=' or nothing before it. */
typedef struct Pair {
    const char *key, *value;
    size_t key_bytes, value_bytes;
} Pair;

/* The next line that says something; false at the end. */
bool pairs_next(Pairs *pairs, Pair *out);

/* Whether the pair has this key. */
bool pair_is(const Pair *pair, const char *key);

#endif
