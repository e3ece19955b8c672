/* number_editor.h: edits one number of the layer by hand: a card next to its cell with a field, a
 * slider, and buttons that set a whole row, column or head to 0. Every keystroke takes effect at
 * once; Enter or a click elsewhere keeps the new value, Esc restores the old one. All changes in
 * one use of the editor are one undo step. */
#ifndef HEADLIGHT_VIEWS_SHARED_NUMBER_EDITOR_H
#define HEADLIGHT_VIEWS_SHARED_NUMBER_EDITOR_H

#include "views/view.h"

#define NUMBER_EDITOR_H 232

/* Open the editor if this control, which shows a matrix, was double-clicked. If the right button
 * went down on the control, offer the editor in the context menu. place: the number under the
 * pointer; cell: its rectangle; row: the area that the card must not cover. Return true if one of
 * the two happened. */
bool number_editor_offer(const ViewContext *context, UiState state, HandNumber place, Rect cell,
                         Rect row);

/* Open the editor of a number. Do nothing if the layer does not have the number. */
void number_editor_open(const ViewContext *context, HandNumber place, Rect cell, Rect row);

/* Draw the editor, if it is open, above the view. */
void number_editor_draw(const ViewContext *context);

/* One head's matrix on screen: the kind of its numbers (HandNumber.name), a rectangle that begins
 * at its first cell, and the size of a cell. */
typedef struct NumberMarks {
    int name, head;
    Rect rect;
    Vec2 cell;
    bool is_transposed;
    /* The place on screen of each row, and of each column; NULL if they are in order. */
    const int *rows_at, *cols_at;
} NumberMarks;

/* Draw a triangle in the top right corner of each cell whose number is set by hand.
 * number_mark_draw draws one of these triangles. */
void number_marks_draw(const ViewContext *context, const NumberMarks *marks);
void number_mark_draw(const ViewContext *context, Rect cell);

/* Write the name of a number such as "S1(7,5)" in words: "score of street → cross, head 1". */
#define NUMBER_NAME_MAX (VIEW_PAIR_MAX + 64)
void number_name(char out[NUMBER_NAME_MAX], const ViewContext *context, const HandNumber *number);

/* Write the name of a number briefly: "W_QK, head 1 (3, 5)". */
void number_name_brief(char out[NUMBER_NAME_MAX], const HandNumber *number);

#endif
