/* line_buffer.h: a short text owned by a widget and edited by line_edit. */
#ifndef HEADLIGHT_UI_LINE_BUFFER_H
#define HEADLIGHT_UI_LINE_BUFFER_H

#include "ui/line_edit.h"

/* A text that a widget owns. text and copied have capacity bytes each and end with NUL. copied
 * stores cut text until the clipboard has it. All borrowed. */
typedef struct LineBuffer {
    char *text, *copied;
    size_t capacity;
    LineEdit *edit;
} LineBuffer;

/* Handle all events of the text and apply the changes. Malformed text is repaired, control
 * characters become blanks, and text that does not fit is cut off. Return LINE_CHANGE if only the
 * text changed, otherwise the action of a key. *changed is true if the text changed, even before
 * another action. Pasting requests the clipboard. */
LineAction line_buffer_events(Ui *ui, const LineBuffer *buffer, bool *changed);

#endif
