/* text_field.h: one line of text that is typed: a name, a path, words to look for. */
#ifndef HEADLIGHT_UI_TEXT_FIELD_H
#define HEADLIGHT_UI_TEXT_FIELD_H

#include "ui/line_buffer.h"

typedef enum TextFieldEvent {
    TEXT_FIELD_NONE,
    TEXT_FIELD_CHANGED,
    TEXT_FIELD_ENTER,
    TEXT_FIELD_ESCAPE,
} TextFieldEvent;

/* hint is shown while nothing is typed. wrong, or NULL, says in a line beside the field why its
 * text cannot hold, and gives it the edge and the sign of that. */
typedef struct TextField {
    LineBuffer buffer;
    const char *hint, *wrong;
} TextField;

/* Draw in rect and edit the text while it has the focus; a click or Tab gives it. */
TextFieldEvent text_field(Ui *ui, UiId id, Rect rect, const TextField *field);

#endif
