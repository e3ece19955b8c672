/* progress.h: how far work has come, in words and as a bar; and a bar for one share of a whole. */
#ifndef HEADLIGHT_UI_PROGRESS_H
#define HEADLIGHT_UI_PROGRESS_H

#include "ui/ui.h"

/* A bar over all of rect's width, share of it (0 to 1) filled. */
void progress_bar(Ui *ui, Rect rect, float share, Colour colour);

/* What is being done, how much of it (share, 0 to 1; NaN where that is not known) and a button that
 * stops it. True where it was clicked. rect is at least 28 high. */
bool progress(Ui *ui, UiId id, Rect rect, const char *what, float share);

#endif
