/* history.h: undo and redo as a ring of whole states, the one in force among them. A state is a
 * session and how it is shown: a struct of the owner's, described by an option table. */
#ifndef HEADLIGHT_DOCUMENT_HISTORY_H
#define HEADLIGHT_DOCUMENT_HISTORY_H

#include "document/session.h"

#define HISTORY_MAX 1024 /* steps; the oldest is forgotten first */

typedef struct History {
    Session states[HISTORY_MAX]; /* the ring; owned */
    unsigned char *shown;        /* shown_bytes for each of them; owned */
    size_t shown_bytes;
    const OptionTable *shown_table; /* compares two of them; borrowed */
    int first, count, at;           /* oldest, how many, and which of them is in force */
    uint64_t forgotten;             /* steps that are not in the ring any more */
    uint64_t tag;                   /* of the newest record, 0 for none */
} History;

/* Forget every state and start with this one. shown points to shown_bytes bytes that shown_table
 * describes; with shown_bytes == 0 it and the table may be NULL. Fails if memory is short. */
bool history_start(History *history, const Session *session, const void *shown, size_t shown_bytes,
                   const OptionTable *shown_table, Err *err);
void history_release(History *history);

/* The state has changed to this. What could be redone is forgotten. A record with the tag of
 * the one before it, other than 0, becomes one step with it: a drag, or a typed word; a step that
 * comes back to where it began is none. */
void history_record(History *history, const Session *session, const void *shown, uint64_t tag);

/* The state in force as it was recorded last, and how it was shown; borrowed until the next. */
const Session *history_now(const History *history, const void **shown);

/* How many steps lie between the start and the state in force. */
uint64_t history_position(const History *history);

/* Set *session and what shown points to to the state before, or after; false if there is none. */
bool history_undo(History *history, Session *session, void *shown);
bool history_redo(History *history, Session *session, void *shown);

#endif
