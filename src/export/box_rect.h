/* box_rect.h: where the edges of a box lie in a picture of that scale. Pure. */
#ifndef HEADLIGHT_EXPORT_BOX_RECT_H
#define HEADLIGHT_EXPORT_BOX_RECT_H

#include "draw/draw.h"

/* Return the box's rectangle in device pixels: edges on whole pixels, as on screen; a circle moves
 * freely. */
Rect box_rect(const DrawBox *box, float scale);

#endif
