/* box_rect.h: the edges of a box in a picture of some scale. Pure. */
#ifndef HEADLIGHT_EXPORT_BOX_RECT_H
#define HEADLIGHT_EXPORT_BOX_RECT_H

#include "draw/draw.h"

/* Return the box's rectangle in device pixels: edges on whole pixels, as on screen, but circles at
 * any place. */
Rect box_rect(const DrawBox *box, float scale);

#endif
