/* line_edit.h: a caret and a selection in one line of text that the caller owns. Keys, typed text
 * and the mouse cause changes, which the caller applies. A LineBuffer is a short text of a widget;
 * line_buffer_events applies its changes. */
#ifndef HEADLIGHT_UI_LINE_EDIT_H
#define HEADLIGHT_UI_LINE_EDIT_H

#include "ui/ui.h"

/* Replace the bytes from..to by insert, which is borrowed for this frame. */
typedef struct LineChange {
    size_t from, to;
    const char *insert;
    size_t bytes;
    uint64_t serial; /* changes with the same serial are one undo step */
} LineChange;

/* The result of line_edit_next: nothing, a change, or a key that the caller handles. */
typedef enum LineAction { LINE_NONE, LINE_CHANGE, LINE_ENTER, LINE_ESCAPE, LINE_PASTE } LineAction;

/* Handle the next event of the text. After LINE_CHANGE the caller changes its text, calls
 * line_edit_changed, and calls this function again until it returns LINE_NONE. After LINE_PASTE the
 * caller sets ui->wants_paste. */
LineAction line_edit_next(Ui *ui, LineEdit *edit, const char *text, size_t size, LineChange *out);

/* Move the caret after the caller has applied a change. */
void line_edit_changed(LineEdit *edit, const LineChange *change);

/* Move caret and anchor to boundaries inside a text that was changed by other means. */
void line_edit_clamp(LineEdit *edit, const char *text, size_t size);

void line_edit_select_all(LineEdit *edit, size_t size);

/* Draw text with caret and selection in rect, and handle the mouse: press and drag select, a double
 * click selects a word, a triple click everything. state is that of the control at rect. */
void line_edit_draw(Ui *ui, LineEdit *edit, Rect rect, UiState state, Font font, float font_size,
                    const char *text, size_t size);

/* A text that a widget owns. text and copied have capacity bytes each and end with NUL. copied
 * stores cut text until the clipboard has it. All borrowed. */
typedef struct LineBuffer {
    char *text, *copied;
    size_t capacity;
    LineEdit *edit;
} LineBuffer;

/* Handle all events of the text and apply the changes. Malformed text is repaired, control
 * characters become blanks. Text that does not fit is cut off, and ui->is_cut set. Return
 * LINE_CHANGE if only the text changed, otherwise the action of a key. *changed is true if the text
 * changed, even before another action. Pasting requests the clipboard. */
LineAction line_buffer_events(Ui *ui, const LineBuffer *buffer, bool *changed);

#endif
