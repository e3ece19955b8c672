/* history.h: undo and redo as a ring of whole states, including the current one. A state is a
 * session and the owner's struct that says how it is shown, which an option table describes. */
#ifndef HEADLIGHT_DOCUMENT_HISTORY_H
#define HEADLIGHT_DOCUMENT_HISTORY_H

#include "document/session.h"

#define HISTORY_MAX 1024 /* most steps; the oldest is removed first */

typedef struct History {
    Session states[HISTORY_MAX]; /* the ring; owned */
    unsigned char *shown;        /* shown_bytes for each state; owned */
    size_t shown_bytes;
    const OptionTable *shown_table; /* compares two of these; borrowed */
    int first, count, at;           /* oldest, number of states, current one */
    uint64_t forgotten;             /* number of steps removed from the ring */
    uint64_t tag;                   /* tag of the newest record, 0 for none */
} History;

/* Drop all states and start with this one. shown points to shown_bytes bytes that shown_table
 * describes; if shown_bytes is 0, it and the table may be NULL. Fails if memory runs out. */
bool history_start(History *history, const Session *session, const void *shown, size_t shown_bytes,
                   const OptionTable *shown_table, Err *err);
void history_release(History *history);

/* Record that the state has changed to this one. States that could be redone are removed. A record
 * with the same tag (not 0) as the previous one forms one step with it, such as a drag or a typed
 * word. A step that ends where it began is removed. */
void history_record(History *history, const Session *session, const void *shown, uint64_t tag);

/* Return the current state as it was last recorded, and how it was shown; borrowed until the next
 * call. */
const Session *history_now(const History *history, const void **shown);

/* Return the number of steps from the start to the current state. */
uint64_t history_position(const History *history);

/* Set *session and *shown to the previous, or next, state. Return false if there is none. */
bool history_undo(History *history, Session *session, void *shown);
bool history_redo(History *history, Session *session, void *shown);

#endif
