/* text_field.h: a field for one line of text: a name, a path, a search. */
#ifndef HEADLIGHT_UI_TEXT_FIELD_H
#define HEADLIGHT_UI_TEXT_FIELD_H

#include "ui/line_edit.h"

typedef enum TextFieldEvent {
    TEXT_FIELD_NONE,
    TEXT_FIELD_CHANGED,
    TEXT_FIELD_ENTER,
    TEXT_FIELD_ESCAPE,
} TextFieldEvent;

/* The texts of a field. hint is shown while the text is empty. wrong: why the text is not valid, or
 * NULL; it is shown in a line next to the field, which is then marked as wrong. */
typedef struct TextField {
    LineBuffer buffer;
    const char *hint, *wrong;
} TextField;

/* Draw in rect, and edit the text while it has the focus. A click or Tab focuses it. */
TextFieldEvent text_field(Ui *ui, UiId id, Rect rect, const TextField *field);

#endif
