/* heads_bar.h: the row under the wall: the shown quantity, its colour scale and its choices. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_BAR_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_BAR_H

#include "views/heads/wall.h"

/* Draw the choice of the shown quantity at the left of *row, and cut it off. */
void heads_show_control(const ViewContext *context, Rect *row);

/* Return the height that the bar needs at this width. It has more lines if notes are shown, or if
 * the scale does not fit next to the choices. */
float heads_bar_height(const ViewContext *context, float width);

/* Draw the bar in area. In a narrow area parts are left out, the scale last. */
void heads_bar(const ViewContext *context, Rect area, const Heatmap *shown,
               const WallLayout *layout);

#endif
