/* comes_from.h: the way back from a number: the pieces that a cell's weight is made of, each a chip
 * that goes there. Vectors are looked into in the inspector's own place, down to the word and its
 * position; matrices are shown by the views that are about them. */
#ifndef HEADLIGHT_VIEWS_COMES_FROM_H
#define HEADLIGHT_VIEWS_COMES_FROM_H

#include "views/view.h"

/* The chips of a cell, off the top of *rest; nothing where there is no room for them. */
void comes_from_chips(const ViewContext *context, Rect *rest, Spot spot);

/* The piece of that cell which is looked into, and the way back, off the top of *rest; false where
 * it is none. */
bool comes_from_piece(const ViewContext *context, Rect *rest, Spot spot);

/* Go back to the number itself; false where it is what is shown. */
bool comes_from_end(const ViewContext *context);

#endif
