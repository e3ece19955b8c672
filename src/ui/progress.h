/* progress.h: the progress of work as text and a bar, and a bar for any share of a whole. */
#ifndef HEADLIGHT_UI_PROGRESS_H
#define HEADLIGHT_UI_PROGRESS_H

#include "ui/ui.h"

/* Draw a bar as wide as rect, filled up to share (0 to 1). */
void progress_bar(Ui *ui, Rect rect, float share, Colour colour);

/* Draw the name of the work, its share done (0 to 1, NaN if unknown) and a Stop button. Return true
 * if it was clicked. rect is at least 28 high. */
bool progress(Ui *ui, UiId id, Rect rect, const char *what, float share);

#endif
