/* state.h: the state string, "text=…&weights=FILE&heads=4": every value that is not its default, in
 * the table's order, then the edges and the numbers set by hand, percent-encoded. Pure. */
#ifndef HEADLIGHT_DOCUMENT_STATE_H
#define HEADLIGHT_DOCUMENT_STATE_H

#include "document/session.h"

/* A second table of values that travel in the same string (the picture's own: view, theme, …). */
typedef struct StateExtra {
    const OptionTable *table;
    void *values;        /* the struct that the table describes */
    size_t values_bytes; /* its size, at most STATE_EXTRA_MAX */
    WeightsLoad load;    /* for `weights=FILE`; NULL where files cannot be read */
    uint64_t *fixed;     /* rows of STATE_OPTIONS that were chosen before, and then those of the
                            string too; NULL for none before */
} StateExtra;

#define STATE_EXTRA_MAX 1024

/* extra may be NULL. Write the string into out, ended by NUL, and return its length; what does not
 * fit is left off, and a length of capacity or more says so. */
size_t state_write(char *out, size_t capacity, const Session *session, const StateExtra *extra);

/* The string of the session alone, for the caller to free; NULL for want of memory. */
char *state_make(const Session *session);

/* Whether this begins with a key of session or extra, as no other text is likely to. */
bool state_is_begun(const StateExtra *extra, const char *string, size_t bytes);

/* Change session and extra's values to what the string says; keys it does not name keep their
 * value. On failure nothing changes and err names the key. */
bool state_read(Session *session, const StateExtra *extra, const char *string, size_t bytes,
                Err *err);

/* The same for one pair, its value percent-encoded, without asking whether all options agree. */
bool state_set(Session *session, const StateExtra *extra, const char *key, size_t key_bytes,
               const char *value, size_t value_bytes, Err *err);

/* Undo the percent encoding into out, which has room for bytes; false where it is malformed. */
bool state_decode(char *out, size_t *out_bytes, const char *value, size_t bytes);

#endif
