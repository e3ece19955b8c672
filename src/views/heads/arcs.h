/* arcs.h: the chosen head as a directed graph. Tokens form a column; an arrow goes from each
 * query to the keys it reads most: backward on the left, forward on the right, a loop for itself.
 */
#ifndef HEADLIGHT_VIEWS_HEADS_ARCS_H
#define HEADLIGHT_VIEWS_HEADS_ARCS_H

#include "views/view.h"

/* Draw the chosen head of a layer in area, with its title and width legend. The mouse wheel changes
 * how many edges each token shows. title is the layer's name, or NULL. */
void arcs_draw(const ViewContext *context, Rect area, int layer);

#endif
