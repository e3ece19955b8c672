/* history.h: undo and redo as a ring of whole states, including the current one. A state is a
 * session and a struct of the owner that says how the session is shown. An option table describes
 * this struct. */
#ifndef HEADLIGHT_DOCUMENT_HISTORY_H
#define HEADLIGHT_DOCUMENT_HISTORY_H

#include "document/session.h"

/* Limits of the ring: the number of states, and the bytes of weights in states other than the
 * newest, because each switch to another layer of a checkpoint reads weights. The oldest states are
 * removed first; the last two stay, whatever their size. */
#define HISTORY_MAX         1024
#define HISTORY_WEIGHTS_MAX ((uint64_t)512 << 20)

/* A detour: a question or a tour replaced the user's own session, to which the user can return. */
typedef struct HistoryDetour {
    Session own;       /* the user's own session; own.text is NULL if there is no detour */
    const void *shown; /* how `own` was shown: shown_bytes bytes; borrowed */
    Session set;       /* the session that replaced `own` */
    bool is_guest;     /* true if the state is not the user's own */
} HistoryDetour;

typedef struct HistoryState {
    Session session;
    HistoryDetour detour;
} HistoryState;

typedef struct History {
    HistoryState *states; /* owned: the ring, HISTORY_MAX states */
    /* Owned: for each state two structs of shown_bytes: for its session and for detour.own. */
    unsigned char *shown;
    size_t shown_bytes;
    const OptionTable *shown_table; /* table that compares two structs in shown; borrowed */
    /* Index of the oldest state; number of states; index of the current one. */
    int first, count, at;
    uint64_t forgotten; /* number of states that were removed from the ring */
    uint64_t tag;       /* undo tag of the newest record, 0 for none */
} History;

/* Drop all states and start with this one. shown points to shown_bytes bytes that shown_table
 * describes; if shown_bytes is 0, both pointers may be NULL. Fails if memory runs out. */
bool history_start(History *history, const Session *session, const void *shown, size_t shown_bytes,
                   const OptionTable *shown_table, Err *err);
void history_release(History *history);

/* Record that the state has changed to this one. States that could be redone are removed. If the
 * tag is not 0 and equals the tag of the previous record, both records are one undo step: a drag,
 * or a typed word. A step that ends where it began is removed. A new state inherits the detour of
 * the previous state. */
void history_record(History *history, const Session *session, const void *shown, uint64_t tag);

/* Return the current session as it was last recorded, and set *shown to how it was shown. Both are
 * borrowed until the next call. */
const Session *history_now(const History *history, const void **shown);

/* Return the detour of the current state, borrowed until the next call. */
const HistoryDetour *history_detour(const History *history);

/* Copy a detour into the current state. history_end_detours removes the detours of all states. */
void history_set_detour(History *history, const HistoryDetour *detour);
void history_end_detours(History *history);

uint64_t history_position(const History *history);

/* Set *session and *shown to the previous state (undo) or the next one (redo). Return false if
 * there is none. */
bool history_undo(History *history, Session *session, void *shown);
bool history_redo(History *history, Session *session, void *shown);

#endif
