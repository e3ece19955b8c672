/* arcs.h: the chosen head as a directed graph. Tokens form a column. An arrow goes from each query
 * to the keys it reads most: to earlier keys on the left, to later ones on the right, and a loop to
 * itself. */
#ifndef HEADLIGHT_VIEWS_HEADS_ARCS_H
#define HEADLIGHT_VIEWS_HEADS_ARCS_H

#include "views/view.h"

/* Draw the chosen head of a layer in area, with its title and the legend of widths. rows is the
 * place of a matrix, or empty. If there is room, each token is at the height of its row in that
 * matrix. The mouse wheel changes how many edges are shown for each token. */
void arcs_draw(const ViewContext *context, Rect area, Rect rows, int layer);

#endif
