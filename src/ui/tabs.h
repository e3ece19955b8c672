/* tabs.h: a row of titles with one open. */
#ifndef HEADLIGHT_UI_TABS_H
#define HEADLIGHT_UI_TABS_H

#include "ui/ui.h"

#define TABS_HEIGHT 40

/* Draw titles from the left of rect, the open one underlined. Return the index to open, or -1.
 * Left, Right, Home and End open others while it has the focus. */
int tabs(Ui *ui, UiId id, Rect rect, const char *const *titles, int count, int open);

#endif
