/* number_editor.h: edits one number of the layer by hand: a card next to its cell with a field, a
 * slider, and buttons that set a whole row, column or head to 0. Every keystroke is applied at
 * once; Enter and a click elsewhere keep it, Esc restores it. The whole is one undo step. */
#ifndef HEADLIGHT_VIEWS_SHARED_NUMBER_EDITOR_H
#define HEADLIGHT_VIEWS_SHARED_NUMBER_EDITOR_H

#include "views/view.h"

/* Open the editor if a control of cells was double-clicked; offer it to the menu of the right
 * button if that went down. place: the number under the pointer; cell: its rectangle; row: what the
 * card must not cover. Return true if one of both happened. */
bool number_editor_offer(const ViewContext *context, UiState state, HandNumber place, Rect cell,
                         Rect row);

/* Open it. Does nothing if the layer has no such number. */
void number_editor_open(const ViewContext *context, HandNumber place, Rect cell, Rect row);

/* Draw the open editor above the view. */
void number_editor_draw(const ViewContext *context);

/* One head's matrix as it is drawn: the first cell's corner is that of rect, whose clip holds. */
typedef struct NumberMarks {
    int name, head;
    Rect rect;
    Vec2 cell;
    bool is_transposed;
    const int *rows_at, *cols_at; /* where each token is drawn, or NULL */
} NumberMarks;

/* Mark the numbers that are set by hand with a corner in their cells. */
void number_marks_draw(const ViewContext *context, const NumberMarks *marks);

/* Write "S1(7,5)" as a person reads it: "score of street → cross, head 1". */
#define NUMBER_NAME_MAX (VIEW_PAIR_MAX + 64)
void number_name(char out[NUMBER_NAME_MAX], const ViewContext *context, const HandNumber *number);

#endif
