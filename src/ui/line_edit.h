/* line_edit.h: a caret and a selection over one line of text that someone else owns. Keys, typed
 * text and the mouse become changes that the owner carries out; nothing is copied here. */
#ifndef HEADLIGHT_UI_LINE_EDIT_H
#define HEADLIGHT_UI_LINE_EDIT_H

#include "ui/ui.h"

/* Replace from..to by insert, which is borrowed for this frame. */
typedef struct LineChange {
    size_t from, to;
    const char *insert;
    size_t bytes;
    uint64_t serial; /* changes of one serial are one undo step */
} LineChange;

/* What else a key asked for. */
typedef enum LineAction { LINE_NONE, LINE_CHANGE, LINE_ENTER, LINE_ESCAPE, LINE_PASTE } LineAction;

/* Take the next event that concerns the text. After LINE_CHANGE the owner changes its text, calls
 * line_edit_changed, and calls again until LINE_NONE. LINE_PASTE asks for the clipboard. */
LineAction line_edit_next(Ui *ui, LineEdit *edit, const char *text, size_t size, LineChange *out);

/* The owner has made the change. */
void line_edit_changed(LineEdit *edit, const LineChange *change);

/* Keep caret and anchor inside a text that changed by other ways. */
void line_edit_clamp(LineEdit *edit, const char *text, size_t size);

void line_edit_select_all(LineEdit *edit, size_t size);

/* Draw text with caret and selection in rect, the mouse included: press, drag, double click for a
 * word, triple for all. state is that of the control that rect belongs to. */
void line_edit_draw(Ui *ui, LineEdit *edit, Rect rect, UiState state, Font font, float font_size,
                    const char *text, size_t size);

#endif
