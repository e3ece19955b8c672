/* progress.h: the progress of work as text and a bar. */
#ifndef HEADLIGHT_UI_PROGRESS_H
#define HEADLIGHT_UI_PROGRESS_H

#include "ui/ui.h"

/* Draw the name of the work, its share done (0 to 1, NaN if unknown) and a Stop button. Return true
 * if Stop was clicked. rect is at least 28 px high. */
bool progress(Ui *ui, UiId id, Rect rect, const char *what, float share);

#endif
