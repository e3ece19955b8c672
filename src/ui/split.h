/* split.h: two panes next to or above each other, with a border to drag between them. */
#ifndef HEADLIGHT_UI_SPLIT_H
#define HEADLIGHT_UI_SPLIT_H

#include "ui/ui.h"

#define SPLIT_GAP 12 /* between the panes; holds the handle */

/* The first pane gets `share` of the space. Neither gets less than `least` logical pixels if both
 * can have that. A double click restores `standard`. */
typedef struct SplitPane {
    bool upright; /* the border is upright: panes left and right */
    float least, standard;
} SplitPane;

/* Divide area by *share, 0 to 1, into *first and *second, and draw the handle between them. It can
 * be dragged, or moved with the arrows across it, Home and End. Return true if *share changed. */
bool split_pane(Ui *ui, UiId id, Rect area, const SplitPane *pane, float *share, Rect *first,
                Rect *second);

#endif
