/* toggle.h: an on/off switch. */
#ifndef HEADLIGHT_UI_TOGGLE_H
#define HEADLIGHT_UI_TOGGLE_H

#include "ui/ui.h"

/* Draw a switch at rect's left, its label after it. All of rect can be clicked; Space, Enter, Left
 * and Right also work. Return true in the pass in which it must change. */
bool toggle(Ui *ui, UiId id, Rect rect, const char *label, bool on);

/* Return the width that it needs. */
float toggle_width(const Ui *ui, const char *label);

#endif
