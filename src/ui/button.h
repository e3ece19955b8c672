/* button.h: a button with text or an icon, a row of segments with one chosen, an on/off switch, and
 * the progress of work with a Stop button. */
#ifndef HEADLIGHT_UI_BUTTON_H
#define HEADLIGHT_UI_BUTTON_H

#include "ui/icon.h"

#define BUTTON_HEIGHT 36

/* Draw the background and the focus ring of a button whose content the caller draws, and return its
 * state. */
UiState button_ground(Ui *ui, UiId id, Rect rect, float radius, Colour rest);

/* Draw a button. Each function returns true in the pass in which the button was clicked. */
bool button_text(Ui *ui, UiId id, Rect rect, const char *text);
bool button_icon(Ui *ui, UiId id, Rect rect, Icon icon);

/* Draw the main button of a panel, with theme->fill as its background. */
bool button_main(Ui *ui, UiId id, Rect rect, const char *text);

/* Draw labels next to each other, the chosen one with theme->fill as its background. Return the
 * index that the user chooses, or -1. While the control has the focus, Left, Right, Home and End
 * choose; while the pointer is over it, the wheel does, too. */
int segmented(Ui *ui, UiId id, Rect rect, const char *const *labels, int count, int chosen);

float segmented_width(const Ui *ui, const char *const *labels, int count);

/* Draw a switch at the left of rect, and its label after it. All of rect can be clicked; Space,
 * Enter, Left and Right also work. Return true if the owner must change the value. */
bool button_toggle(Ui *ui, UiId id, Rect rect, const char *label, bool on);

float toggle_width(const Ui *ui, const char *label);

/* Draw the name of the work, its share done (0 to 1, NaN if unknown) and a Stop button. Return true
 * if Stop was clicked. rect is at least 28 px high. */
bool button_progress(Ui *ui, UiId id, Rect rect, const char *what, float share);

#endif
