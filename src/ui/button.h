/* button.h: a button of words, of an icon, or bare; and a row of segments of which one is chosen.
 */
#ifndef HEADLIGHT_UI_BUTTON_H
#define HEADLIGHT_UI_BUTTON_H

#include "ui/icon.h"

#define BUTTON_HEIGHT 36

/* Each returns true in the pass in which it was clicked. */
bool button_text(Ui *ui, UiId id, Rect rect, const char *text);
bool button_icon(Ui *ui, UiId id, Rect rect, Icon icon);

/* The one that a panel is about, on fill. */
bool button_main(Ui *ui, UiId id, Rect rect, const char *text);

/* Labels side by side on one ground, the chosen one on fill. Returns the index clicked, or -1.
 * Left, Right, Home and End choose while it has the focus, the wheel while it is over them
 * (ui_wheel_serial). */
int segmented(Ui *ui, UiId id, Rect rect, const char *const *labels, int count, int chosen);

/* The width that segmented needs for these labels. */
float segmented_width(const Ui *ui, const char *const *labels, int count);

#endif
