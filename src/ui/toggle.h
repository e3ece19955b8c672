/* toggle.h: a switch for what is on or off. */
#ifndef HEADLIGHT_UI_TOGGLE_H
#define HEADLIGHT_UI_TOGGLE_H

#include "ui/ui.h"

/* Draw a switch at rect's left with its label behind; all of rect is to be clicked, and Space,
 * Enter, Left and Right work on it. True in the pass in which it is to change. */
bool toggle(Ui *ui, UiId id, Rect rect, const char *label, bool on);

/* The width that it needs. */
float toggle_width(const Ui *ui, const char *label);

#endif
