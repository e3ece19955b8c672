/* toggle.h: an on/off switch. */
#ifndef HEADLIGHT_UI_TOGGLE_H
#define HEADLIGHT_UI_TOGGLE_H

#include "ui/ui.h"

/* Draw a switch at the left of rect, and its label after it. All of rect can be clicked; Space,
 * Enter, Left and Right also work. Return true in the pass in which the owner must change the
 * value. */
bool toggle(Ui *ui, UiId id, Rect rect, const char *label, bool on);

/* Return the width that the switch and its label need. */
float toggle_width(const Ui *ui, const char *label);

#endif
