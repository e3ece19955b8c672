/* session.h: the document: what the person chose or typed, and nothing derived from it.
 * A Session is copied freely: its text is shared, counted and never changed in place. */
#ifndef HEADLIGHT_SESSION_SESSION_H
#define HEADLIGHT_SESSION_SESSION_H

#include "base/err.h"
#include "session/options.h"

#define SESSION_TEXT_STANDARD "the animal didn't cross the street because it was too tired"

/* Valid UTF-8 without NUL, at most TOKEN_TEXT_MAX bytes, ending in a NUL that is not counted. */
typedef struct Text {
    int owners;
    size_t size;
    char bytes[];
} Text;

typedef struct Session {
    Text *text;
    Options options;
} Session;

/* The default session. */
bool session_init(Session *session, Err *err);

/* Another owner of the same text, and one less. session_release leaves a zeroed Session. */
Session session_share(const Session *session);
void session_release(Session *session);

/* Replace the bytes from..to of the text. Asserts that both are character borders. Fails, and
 * changes nothing, where the result is too long, insert is not UTF-8 without NUL (the offset is
 * said), or memory ran out. */
bool session_edit_text(Session *session, size_t from, size_t to, const char *insert, size_t bytes,
                       Err *err);

/* Set one option if all of them then agree; otherwise nothing changes. */
bool session_set(Session *session, const OptionRow *row, const char *value, size_t bytes, Err *err);

bool session_equal(const Session *a, const Session *b);

#endif
