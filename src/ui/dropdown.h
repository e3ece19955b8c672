/* dropdown.h: a choice from a registry, opened as a list under its button. */
#ifndef HEADLIGHT_UI_DROPDOWN_H
#define HEADLIGHT_UI_DROPDOWN_H

#include "base/registry.h"
#include "ui/ui.h"

#define DROPDOWN_UNCHANGED (-2)

typedef struct DropdownChoices {
    const Registry *registry;
    const char *absent; /* label of "no choice", row -1, listed first; NULL for none */
    const char *label;  /* the button's, in place of the choice's; NULL for that */
    bool wrong;         /* the choice cannot hold */
} DropdownChoices;

/* Returns the row chosen in this pass (-1 for absent), or DROPDOWN_UNCHANGED. The list opens on
 * click, Enter, Space or Alt and Down; what is typed leaves the rows that hold it in their name or
 * id; arrows, Page keys, Home and End move in it, Enter takes, Escape or a click outside closes.
 * While it is closed Up and Down step, Home and End go to the ends, and so does the wheel over it;
 * where label says that it is a menu, Down opens it and the wheel does nothing (ui_wheel_serial).
 * The lit row's help is shown below the rows. */
int dropdown(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen);

/* The same for a button that the caller draws, in the state that *button is set to. */
int dropdown_under(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen,
                   UiState *button);

/* The width that the button needs. */
float dropdown_width(const Ui *ui, const DropdownChoices *choices, int chosen);

#endif
