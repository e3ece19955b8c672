/* edit.h: what a view asks to be changed. Views never change a Session: they queue edits, which
 * the frame checks, applies and records. */
#ifndef HEADLIGHT_DOCUMENT_EDIT_H
#define HEADLIGHT_DOCUMENT_EDIT_H

#include <stdint.h>

#include "base/option.h"
#include "document/session.h"

#define EDITS_MAX 32 /* in one pass; more are not made by one person's input */

typedef struct Edit {
    const OptionRow *row; /* of the session's table or the picture's; NULL where edges or numbers
                             are painted or much is changed */
    char value[OPTION_TEXT_MAX];
    EdgePaint paint;
    bool is_by_hand; /* hand is painted */
    HandPaint hand;
    /* A change of several things at once, in one step of undo, or NULL. kept is borrowed. */
    bool (*change)(Session *session, const Session *kept, Err *err);
    const Session *kept;
    uint64_t serial; /* edits of one serial are one undo step; 0 for a step of its own */
} Edit;

typedef struct EditQueue {
    Edit at[EDITS_MAX];
    int count;
} EditQueue;

/* Append an edit; value is cut to OPTION_TEXT_MAX, which no valid value reaches. */
void edit_push(EditQueue *queue, const OptionRow *row, const char *value, uint64_t serial);

/* Open or close edges of the mask; a drag has one serial, the Ui's drag_serial. */
void edit_push_edges(EditQueue *queue, const EdgePaint *paint, uint64_t serial);

/* Set numbers by hand, or compute them again. */
void edit_push_hand(EditQueue *queue, const HandPaint *paint, uint64_t serial);

/* Change several things at once. kept, or NULL, is handed on to change, and must last until the
 * pass is over. */
void edit_push_change(EditQueue *queue, bool (*change)(Session *, const Session *, Err *),
                      const Session *kept);

/* edit_push for an option of the session by its key, its value as printf would write it. Asserts
 * that the key exists. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void edit_push_state(EditQueue *queue, const char *key, const char *format, ...);

#endif
