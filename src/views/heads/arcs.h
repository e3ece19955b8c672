/* arcs.h: the chosen head as a directed graph: tokens in a column, an arrow from each query to the
 * keys it reads most; back on the left, ahead on the right, a loop for itself. */
#ifndef HEADLIGHT_VIEWS_HEADS_ARCS_H
#define HEADLIGHT_VIEWS_HEADS_ARCS_H

#include "views/view.h"

/* Draw the chosen head of a layer in area, its title and width legend included. The wheel over it
 * changes how many edges a token shows. title is the layer's name, or NULL. */
void arcs_draw(const ViewContext *context, Rect area, int layer);

#endif
