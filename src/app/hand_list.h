/* hand_list.h: the list above the inspector of numbers set by hand: their names and values, what
 * they changed, and how to undo them. */
#ifndef HEADLIGHT_APP_HAND_LIST_H
#define HEADLIGHT_APP_HAND_LIST_H

#include "app/app_state.h"

/* Draw the list and cut it off the top of *rest. Does nothing if no number is set. */
void hand_list_draw(App *app, Rect *rest);

/* Commands: edit the score of the pinned or lit cell; undo every number set by hand. */
void hand_edit(App *app, int argument);
void hand_reset(App *app, int argument);

/* Set the gain of a head's output to 0, or its share of the mean to 1. If it is set already,
 * restore it. head counts from 0; -1 is the chosen head. */
void hand_zero_head(App *app, int head);
void hand_mean_head(App *app, int head);

#endif
