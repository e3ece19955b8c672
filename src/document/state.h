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

/* Return the string, to be freed by the caller; NULL if memory runs out. extra may be NULL. */
char *state_make(const Session *session, const StateExtra *extra);

/* True if the string begins with a key of session or extra, which other texts hardly do. */
bool state_is_begun(const StateExtra *extra, const char *string, size_t bytes);

/* Set session and extra's values as the string says; other keys keep their values. If the string
 * repeats a key, its last value counts. On failure nothing changes and err names the key. */
bool state_read(Session *session, const StateExtra *extra, const char *string, size_t bytes,
                Err *err);

/* A state that is read pair by pair. */
typedef struct StateReader {
    Session session;         /* owned */
    const StateExtra *extra; /* or NULL */
    void *values;            /* the extra values that are set */
    uint64_t fixed;          /* rows of STATE_OPTIONS that were set */
    bool sets_numbers;       /* numbers by hand were set */
    char *weights;           /* owned: the path of the weights' file that was named, or NULL */
} StateReader;

/* A pair with a percent-encoded value, or none. */
typedef struct StatePair {
    const char *key, *value;
    size_t key_bytes, bytes;
} StatePair;

/* Set one pair, without checking whether all options agree. On failure nothing changes. */
bool state_set(StateReader *reader, const StatePair *pair, Err *err);

/* Load the weights' file that was named, if any. An empty name removes the current weights. */
bool state_load(StateReader *reader, Err *err);

/* Return the number of the list that this is the key of: edges to open or close, numbers set by
 * hand, whose values take long to read; -1 for other keys. */
#define STATE_LISTS 3
int state_list(const char *key, size_t bytes);

/* Undo the percent encoding into out, which has room for `bytes` bytes. Return false if it is
 * malformed. */
bool state_decode(char *out, size_t *out_bytes, const char *value, size_t bytes);

#endif
