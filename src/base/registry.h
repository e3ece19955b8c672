/* registry.h: a const table of named things. Menus, options, `headlight list`, help and tests read
 * the same table. Pure. */
#ifndef HEADLIGHT_BASE_REGISTRY_H
#define HEADLIGHT_BASE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

/* The first member of every row of every registry. */
typedef struct Entry {
    const char *id;      /* used in options, files and scripts; never changes */
    const char *label;   /* shown on screen */
    const char *formula; /* in the notation of ui/formula.h; "" for none */
    const char *help;    /* one sentence */
} Entry;

typedef struct Registry {
    const char *kind; /* plural: "schemes" */
    const char *noun; /* singular, for messages: "scheme" */
    const void *rows; /* rows of row_bytes each, which start with an Entry */
    size_t row_bytes;
    int count;
} Registry;

#define REGISTRY(kind, noun, rows)                                                                 \
    { kind, noun, rows, sizeof *(rows), (int)(sizeof(rows) / sizeof *(rows)) }

const Entry *registry_entry(const Registry *registry, int index);

/* Return the index of this id, or -1. */
int registry_find(const Registry *registry, const char *id, size_t id_bytes);

/* Write all ids as "a, b, c" for a message; cut with an ellipsis if out is too small. */
void registry_ids(const Registry *registry, char *out, size_t capacity);

/* best: the closest candidate so far; "" if none is close enough. Borrowed. */
typedef struct Nearest {
    const char *word, *best;
    size_t bytes;
    int distance;
} Nearest;

/* Return the edit distance of a and b: the number of insertions, deletions, replacements and swaps
 * of adjacent characters. If it is larger than limit, return limit + 1. Source: Damerau 1964, "A
 * technique for computer detection and correction of spelling errors". */
int nearest_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes, int limit);

/* Find the id closest to word: call nearest_begin, then nearest_try for each candidate. A candidate
 * counts if its edit distance is 1, or at most a third of the length of word. */
Nearest nearest_begin(const char *word, size_t bytes);
void nearest_try(Nearest *nearest, const char *id);

/* Write the closest id of the registry by this rule, or "". */
void nearest_entry(char *out, size_t capacity, const Registry *registry, const char *word,
                   size_t bytes);

#endif
