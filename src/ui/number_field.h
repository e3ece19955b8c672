/* number_field.h: a number that can be typed, dragged, scrolled or stepped. */
#ifndef HEADLIGHT_UI_NUMBER_FIELD_H
#define HEADLIGHT_UI_NUMBER_FIELD_H

#include "ui/ui.h"

typedef enum NumberEvent {
    NUMBER_NONE,
    NUMBER_STEP,    /* change by `step` notches, positive or negative */
    NUMBER_TYPED,   /* text holds the typed text, which the owner checks */
    NUMBER_DEFAULT, /* a double click: restore the default */
    NUMBER_LEAST,   /* set to the smallest valid value */
    NUMBER_MOST,    /* set to the largest valid value */
} NumberEvent;

/* Size of a step: one unit, the smallest unit shown, or to the next round value. */
typedef enum NumberPace { NUMBER_PLAIN, NUMBER_FINE, NUMBER_SNAP } NumberPace;

typedef struct NumberChange {
    NumberEvent kind;
    NumberPace pace;
    int step;
    char text[64];
    uint64_t serial; /* changes with the same serial are one undo step */
} NumberChange;

/* Show text, the current value, in rect. Click or Enter edits it as text; a double click asks for
 * the default.
 * A drag to the right or up steps it (Shift: finer; Ctrl: by round values), the wheel too. Arrows
 * and Page keys step while it has the focus (Shift: by ten; Alt: finer; Ctrl: by round values);
 * Home and End ask for the ends of the range.
 * wrong marks a value that is not valid. */
NumberChange number_field(Ui *ui, UiId id, Rect rect, const char *text, Font font, bool wrong);

#endif
