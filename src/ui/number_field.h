/* number_field.h: a number that is typed, dragged, scrolled or stepped. */
#ifndef HEADLIGHT_UI_NUMBER_FIELD_H
#define HEADLIGHT_UI_NUMBER_FIELD_H

#include "ui/ui.h"

typedef enum NumberEvent {
    NUMBER_NONE,
    NUMBER_STEP,    /* by step, a whole number of notches, + or − */
    NUMBER_TYPED,   /* text holds what was typed; to be checked by the owner */
    NUMBER_DEFAULT, /* a double click: back to the default */
} NumberEvent;

typedef struct NumberChange {
    NumberEvent kind;
    int step;
    char text[64];
    uint64_t serial; /* changes of one serial are one undo step */
} NumberChange;

/* Show text (the value as it stands) in rect. Click or Enter edits it as text, a drag to the
 * right or up and the wheel step it (Shift: by ten), Up and Down step it while it has the focus.
 * wrong gives it the edge of a value that cannot hold. */
NumberChange number_field(Ui *ui, UiId id, Rect rect, const char *text, Font font, bool wrong);

#endif
