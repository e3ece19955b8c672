/* provenance.h: the way back from a number: the pieces that a cell's weight is made of, each a chip
 * that goes there. Vectors are looked into in the inspector's own place, down to the word and its
 * position; matrices are shown by the views that are about them. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_PROVENANCE_H
#define HEADLIGHT_VIEWS_INSPECTOR_PROVENANCE_H

#include "views/view.h"

/* The chips of a cell, off the top of *rest; nothing where there is no room for them. */
void provenance_chips(const ViewContext *context, Rect *rest, AttnCell spot);

/* The piece of that cell which is looked into, and the way back, off the top of *rest; false where
 * it is none. */
bool provenance_piece(const ViewContext *context, Rect *rest, AttnCell spot);

/* Go back to the number itself; false where it is what is shown. */
bool provenance_end(const ViewContext *context);

#endif
