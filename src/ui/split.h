/* split.h: two panes side by side, or one above the other, with a border to drag between them. */
#ifndef HEADLIGHT_UI_SPLIT_H
#define HEADLIGHT_UI_SPLIT_H

#include "ui/ui.h"

#define SPLIT_GAP 12 /* between the panes, where the handle is */

/* share of the room goes to the first pane; neither gets less than least logical pixels where both
 * can have that. standard is what a double click goes back to. */
typedef struct SplitPane {
    bool upright; /* the border is upright: panes left and right */
    float least, standard;
} SplitPane;

/* Divide area by *share, 0 to 1, into *first and *second, and draw the handle between them: it is
 * dragged, moved by the arrows that cross it, and by Home and End. True where *share changed. */
bool split_pane(Ui *ui, UiId id, Rect area, const SplitPane *pane, float *share, Rect *first,
                Rect *second);

#endif
