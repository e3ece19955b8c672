/* dropdown.h: a choice from a registry, opened as a list under its button. */
#ifndef HEADLIGHT_UI_DROPDOWN_H
#define HEADLIGHT_UI_DROPDOWN_H

#include "base/registry.h"
#include "ui/ui.h"

#define DROPDOWN_UNCHANGED (-2)

typedef struct DropdownChoices {
    const Registry *registry;
    const char *absent; /* label of "no choice" (row -1), listed first; NULL for none */
    /* Label of the button of a menu; NULL if the button shows the label of the choice. */
    const char *label;
    bool is_name; /* true if the label is a user's text, in which _ is no subscript */
    bool wrong;   /* true if the choice is not valid here */
    /* returns the note at the right of a row, "" for none; NULL if no row has one */
    const char *(*note)(int row);
} DropdownChoices;

/* Draw the button and, if it is open, the list. Return the row that was chosen in this pass (-1 for
 * choices->absent), or DROPDOWN_UNCHANGED.
 *
 * Click, Enter, Space or Alt+Down opens the list. Typed text filters rows by name, id and help.
 * Arrows, Page keys, Home and End move to another row, Enter chooses it. Escape, Tab or a press
 * outside closes the list. The help of the row that Enter chooses is below the rows. While the list
 * is closed, Up, Down, Home, End and the wheel choose another row; ui_wheel_serial makes a turn of
 * the wheel one undo step. In a menu, Down opens the list and the wheel does nothing. */
int dropdown(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen);

/* Like dropdown, but the caller draws the button, in the state set in *button. */
int dropdown_under(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen,
                   UiState *button);

/* Open the list of a dropdown. While ui->popup equals id, dropdown_under draws it. */
void dropdown_open(Ui *ui, UiId id, int chosen);

float dropdown_width(const Ui *ui, const DropdownChoices *choices, int chosen);

#endif
