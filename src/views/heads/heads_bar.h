/* heads_bar.h: the row below the heatmaps: the shown quantity, its colour scale and choices about
 * the display. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_BAR_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_BAR_H

#include "views/heads/wall.h"

/* Draw the choice of the shown quantity at the left of *row, and cut its width off *row. */
void heads_show_control(const ViewContext *context, Rect *row);

/* Return the height that the bar needs at this width. It has more lines if notes are shown, or if
 * the scale does not fit next to the choices. */
float heads_bar_height(const ViewContext *context, float width);

/* Draw the bar in area. If the area is narrow, parts are left out, the colour scale last. */
void heads_bar(const ViewContext *context, Rect area, const Heatmap *shown,
               const WallLayout *layout);

#endif
