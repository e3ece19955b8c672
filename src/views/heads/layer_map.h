/* layer_map.h: a map of every layer and head of a checkpoint; a click opens a head. */
#ifndef HEADLIGHT_VIEWS_HEADS_LAYER_MAP_H
#define HEADLIGHT_VIEWS_HEADS_LAYER_MAP_H

#include "views/view.h"

/* Draw a row for each layer, the first at the top, and a column for each head. A click on a matrix
 * chooses its layer and head and shows all heads of that layer. Return the width used. */
float layer_map_draw(const ViewContext *context, Rect area);

#endif
