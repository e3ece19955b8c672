/* state.h: the state string, such as "text=…&weights=FILE&heads=4": the text, the weights' file,
 * the options in the table's order, the edges, the numbers set by hand, then the picture's options.
 * Values that a reader would have anyway are left out. Values are percent-encoded. Pure. */
#ifndef HEADLIGHT_DOCUMENT_STATE_H
#define HEADLIGHT_DOCUMENT_STATE_H

#include "document/session.h"

struct Pair; /* see base/pairs.h */

/* A second table of options in the same string: the picture's own, such as view and theme. */
typedef struct StateExtra {
    const OptionTable *table;
    void *values;        /* the struct that the table describes */
    size_t values_bytes; /* size of the struct `values`, at most STATE_EXTRA_MAX */
    WeightsLoad load;    /* function that loads `weights=FILE`; NULL if files cannot be read */
    /* Bits of the rows of STATE_OPTIONS that were set, or NULL. Reading a string adds bits. */
    uint64_t *fixed;
} StateExtra;

#define STATE_EXTRA_MAX 1024

/* Return the state string, which the caller frees; NULL if memory runs out. extra may be NULL. */
char *state_make(const Session *session, const StateExtra *extra);

/* True if the string begins with "KEY=", where KEY is a key of session or extra. Other texts seldom
 * begin like this. */
bool state_is_begun(const StateExtra *extra, const char *string, size_t bytes);

/* Set the session and the values of extra from the string. Options whose key is not in the string
 * keep their values, unless a weights' file in the string determines them. Numbers set by hand are
 * removed if the string does not name them and the new layer lacks their place. If the string
 * repeats a key, its last value counts. On failure nothing changes and err names the key. */
bool state_read(Session *session, const StateExtra *extra, const char *string, size_t bytes,
                Err *err);

typedef struct StateReader {
    Session session;         /* owned */
    const StateExtra *extra; /* or NULL */
    void *values;            /* the struct whose values are set, as extra->table describes it */
    uint64_t fixed;          /* bits of the rows of STATE_OPTIONS that were set */
    bool sets_numbers;       /* true if numbers set by hand were read */
    /* Owned: the path of the weights' file, or NULL if no pair named one. */
    char *weights;
} StateReader;

/* Set one pair, whose value is percent-encoded, without checking whether all options agree. On
 * failure session and values do not change. */
bool state_set(StateReader *reader, const struct Pair *pair, Err *err);

/* Load the weights' file that a pair named, if any. An empty name removes the current weights. */
bool state_load(StateReader *reader, Err *err);

/* Return the index of the list with this key: edges to open, edges to close, or numbers set by
 * hand; -1 for a key that is not a list. Lists take long to read. */
#define STATE_LISTS 3
int state_list(const char *key, size_t bytes);

/* Undo the percent encoding into out, which has room for `bytes` bytes. Return false if the
 * encoding is malformed. */
bool state_decode(char *out, size_t *out_bytes, const char *value, size_t bytes);

#endif
