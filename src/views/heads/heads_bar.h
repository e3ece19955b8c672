/* heads_bar.h: the row under the wall: what is shown, its colour scale, and the choices beside it.
 */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_BAR_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_BAR_H

#include "views/heads/wall.h"

/* The height it needs at that width: more where there is more to be known than which way to read,
 * and where the scale has no room beside the choices. */
float heads_bar_height(const ViewContext *context, float width);

/* Draw in area, which may be narrow: what has no room is left out, the scale last. */
void heads_bar(const ViewContext *context, Rect area, const Heatmap *shown,
               const WallLayout *layout);

#endif
