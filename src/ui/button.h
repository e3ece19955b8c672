/* button.h: a button with text or an icon, and a row of segments with one chosen. */
#ifndef HEADLIGHT_UI_BUTTON_H
#define HEADLIGHT_UI_BUTTON_H

#include "ui/icon.h"

#define BUTTON_HEIGHT 36

/* Draw a button. Each function returns true in the pass in which the button was clicked. */
bool button_text(Ui *ui, UiId id, Rect rect, const char *text);
bool button_icon(Ui *ui, UiId id, Rect rect, Icon icon);

/* Draw the main button of a panel, with theme->fill as its background. */
bool button_main(Ui *ui, UiId id, Rect rect, const char *text);

/* Draw labels next to each other, the chosen one with theme->fill as its background. Return the
 * index that the user chooses, or -1. While the control has the focus, Left, Right, Home and End
 * choose; while the pointer is over it, the wheel does, too. */
int segmented(Ui *ui, UiId id, Rect rect, const char *const *labels, int count, int chosen);

/* Return the width that segmented needs for these labels. */
float segmented_width(const Ui *ui, const char *const *labels, int count);

#endif
