/* edit.h: changes that a view requests. Views never change a Session: they append edits to a queue,
 * and the frame checks, applies and records these edits. */
#ifndef HEADLIGHT_DOCUMENT_EDIT_H
#define HEADLIGHT_DOCUMENT_EDIT_H

#include <stdint.h>

#include "base/option.h"
#include "document/session.h"

#define EDITS_MAX 32 /* limit of edits in one pass; a user's input causes fewer */

typedef struct Edit {
    /* Row of STATE_OPTIONS or of PICTURE_OPTIONS; NULL if the edit is of another kind. */
    const OptionRow *row;
    char value[OPTION_TEXT_MAX];
    EdgePaint paint;
    bool is_by_hand; /* true if the edit is `hand`, which sets or restores numbers */
    HandPaint hand;
    /* A function that changes several things in one undo step, or NULL. kept, borrowed, is its
     * second argument. */
    bool (*change)(Session *session, const Session *kept, Err *err);
    const Session *kept;
    /* Edits with one serial number are one undo step; 0: this edit is a step by itself. */
    uint64_t serial;
} Edit;

typedef struct EditQueue {
    Edit at[EDITS_MAX];
    int count;
} EditQueue;

/* Append an edit. value is cut to OPTION_TEXT_MAX, which no valid value exceeds. */
void edit_push(EditQueue *queue, const OptionRow *row, const char *value, uint64_t serial);

/* Open or close edges of the mask. serial: the Ui's drag_serial, so that a drag is one undo
 * step. */
void edit_push_edges(EditQueue *queue, const EdgePaint *paint, uint64_t serial);

void edit_push_hand(EditQueue *queue, const HandPaint *paint, uint64_t serial);

/* Change several things at once. kept, or NULL, is passed to change and must last until the end of
 * the pass. */
void edit_push_change(EditQueue *queue, bool (*change)(Session *, const Session *, Err *),
                      const Session *kept);

/* Append an edit of a session's option by its key; the value is formatted as by printf. Asserts
 * that the key exists. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void edit_push_state(EditQueue *queue, const char *key, const char *format, ...);

#endif
