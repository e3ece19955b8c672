/* arcs.h: the chosen head as a directed graph. Tokens form a column; an arrow goes from each
 * query to the keys it reads most: backward on the left, forward on the right, a loop for itself.
 */
#ifndef HEADLIGHT_VIEWS_HEADS_ARCS_H
#define HEADLIGHT_VIEWS_HEADS_ARCS_H

#include "views/view.h"

/* Draw the chosen head of a layer in area, with its title and width legend. If rows is not empty it
 * is the place of a matrix whose rows the tokens are level with, if they fit. The mouse wheel
 * changes how many edges each token shows. */
void arcs_draw(const ViewContext *context, Rect area, Rect rows, int layer);

#endif
