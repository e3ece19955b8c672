/* provenance.h: the inputs of a cell's weight, each a chip that leads to it. Vectors are shown in
 * the inspector itself, back to the word vector and its position; matrices in their own views. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_PROVENANCE_H
#define HEADLIGHT_VIEWS_INSPECTOR_PROVENANCE_H

#include "views/view.h"

/* Draw the chips of a cell at the top of *rest, if there is room. */
void provenance_chips(const ViewContext *context, Rect *rest, AttnCell cell);

/* Show the chosen vector of the cell and the way back, at the top of *rest. Return false if none is
 * chosen. */
bool provenance_piece(const ViewContext *context, Rect *rest, AttnCell cell);

/* Return to the first number. Return false if it is already shown. */
bool provenance_end(const ViewContext *context);

#endif
