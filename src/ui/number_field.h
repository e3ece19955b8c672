/* number_field.h: a number that is typed, dragged, scrolled or stepped. */
#ifndef HEADLIGHT_UI_NUMBER_FIELD_H
#define HEADLIGHT_UI_NUMBER_FIELD_H

#include "ui/ui.h"

typedef enum NumberEvent {
    NUMBER_NONE,
    NUMBER_STEP,    /* by step, a whole number of notches, + or − */
    NUMBER_TYPED,   /* text holds what was typed; to be checked by the owner */
    NUMBER_DEFAULT, /* a double click: back to the default */
    NUMBER_LEAST,   /* to the least of its range that holds */
    NUMBER_MOST,    /* and to the most */
} NumberEvent;

/* How far a step goes: by one unit; by the smallest that is shown; or to the next round value. */
typedef enum NumberPace { NUMBER_PLAIN, NUMBER_FINE, NUMBER_SNAP } NumberPace;

typedef struct NumberChange {
    NumberEvent kind;
    NumberPace pace;
    int step;
    char text[64];
    uint64_t serial; /* changes of one serial are one undo step */
} NumberChange;

/* Show text (the value as it stands) in rect. Click or Enter edits it as text; a drag to the right
 * or up steps it (Shift: finer; Ctrl: by round values), and so do the wheel, and the arrows and
 * Page keys while it has the focus (Shift: by ten; Alt: finer; Ctrl: by round values); Home and End
 * then ask for the ends of its range, a double click for the default. wrong gives it the edge and
 * the sign of a value that cannot hold. */
NumberChange number_field(Ui *ui, UiId id, Rect rect, const char *text, Font font, bool wrong);

#endif
