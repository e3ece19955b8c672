/* line_buffer.h: a short text that a widget keeps itself, edited by a line_edit. */
#ifndef HEADLIGHT_UI_LINE_BUFFER_H
#define HEADLIGHT_UI_LINE_BUFFER_H

#include "ui/line_edit.h"

/* text and copied hold capacity bytes each and end in a NUL; copied is what was cut out of text on
 * its way to the clipboard. All borrowed. */
typedef struct LineBuffer {
    char *text, *copied;
    size_t capacity;
    LineEdit *edit;
} LineBuffer;

/* Take all events that concern the text and carry out the changes: malformed text is repaired,
 * control characters become blanks, what has no room is left out. Returns LINE_CHANGE where only
 * the text changed, or what else a key asked for; *changed says whether it changed before that.
 * Paste is asked for. */
LineAction line_buffer_events(Ui *ui, const LineBuffer *buffer, bool *changed);

#endif
