/* number_field.h: a number that can be typed, dragged, scrolled or stepped. */
#ifndef HEADLIGHT_UI_NUMBER_FIELD_H
#define HEADLIGHT_UI_NUMBER_FIELD_H

#include "ui/ui.h"

typedef enum NumberEvent {
    NUMBER_NONE,
    NUMBER_STEP,    /* change the number by `step` steps, positive or negative */
    NUMBER_TYPED,   /* check and set the typed text */
    NUMBER_DEFAULT, /* restore the default, after a double click */
    NUMBER_LEAST,   /* set the number to the smallest valid value */
    NUMBER_MOST,    /* set the number to the largest valid value */
} NumberEvent;

/* The size of a step, which the owner decides: normal, finer, or up to the next round value. */
typedef enum NumberPace { NUMBER_PLAIN, NUMBER_FINE, NUMBER_SNAP } NumberPace;

typedef struct NumberChange {
    NumberEvent kind;
    NumberPace pace;
    int step;
    char text[64];
    uint64_t serial; /* changes with the same serial are one undo step */
} NumberChange;

/* Show text, the current value, in rect. A click or Enter edits it as text, until the user
 * leaves the field; a double click requests the default. A drag to the right or up changes the
 * value (Shift: finer; Ctrl: by round values); so does the wheel (Shift: by ten; Alt: finer).
 * Arrows and Page keys change it while the field has the focus (Shift: by ten; Alt: finer; Ctrl: by
 * round values); Home and End request the ends of the range. wrong marks a value that is not valid.
 */
NumberChange number_field(Ui *ui, UiId id, Rect rect, const char *text, Font font, bool wrong);

/* Leave the field that is being edited as text: it returns its text in the next pass. True if there
 * is one. */
bool number_field_leave(Ui *ui);

/* Discard the number that is being edited as text, if there is one. True if the user has changed
 * it. */
bool number_field_cancel(Ui *ui);

#endif
