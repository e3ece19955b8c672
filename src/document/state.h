/* state.h: the state string, such as "text=…&weights=FILE&heads=4": every value that differs from
 * its default, in the table's order, then the edges and the numbers set by hand, percent-encoded.
 * Pure. */
#ifndef HEADLIGHT_DOCUMENT_STATE_H
#define HEADLIGHT_DOCUMENT_STATE_H

#include "document/session.h"

/* A second table of values in the same string: the picture's own, such as view and theme. */
typedef struct StateExtra {
    const OptionTable *table;
    void *values;        /* the struct that the table describes */
    size_t values_bytes; /* its size, at most STATE_EXTRA_MAX */
    WeightsLoad load;    /* loads `weights=FILE`; NULL if files cannot be read */
    uint64_t *fixed;     /* rows of STATE_OPTIONS set so far; those of the string are added */
} StateExtra;

#define STATE_EXTRA_MAX 1024
#define STATE_LISTS_MAX 3 /* number of keys for which state_is_list is true */

/* Write the string into out, ended by NUL. Return its length; if that is capacity or more, the
 * string was cut. extra may be NULL. */
size_t state_write(char *out, size_t capacity, const Session *session, const StateExtra *extra);

/* Return the string, to be freed by the caller; NULL if memory runs out. */
char *state_make(const Session *session, const StateExtra *extra);

/* True if the string begins with a key of session or extra, which other texts hardly do. */
bool state_is_begun(const StateExtra *extra, const char *string, size_t bytes);

/* True for the keys of edges and of numbers set by hand, whose values take long to read. */
bool state_is_list(const char *key, size_t bytes);

/* Set session and extra's values as the string says; other keys keep their values. If the string
 * repeats a key, its last value counts. On failure nothing changes and err names the key. */
bool state_read(Session *session, const StateExtra *extra, const char *string, size_t bytes,
                Err *err);

/* Set a single pair with a percent-encoded value, without checking whether all options agree. */
bool state_set(Session *session, const StateExtra *extra, const char *key, size_t key_bytes,
               const char *value, size_t value_bytes, Err *err);

/* Undo the percent encoding into out, which has room for `bytes` bytes. Return false if it is
 * malformed. */
bool state_decode(char *out, size_t *out_bytes, const char *value, size_t bytes);

#endif
