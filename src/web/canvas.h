/* canvas.h: draws a draw list on the page's canvas. */
#ifndef HEADLIGHT_WEB_CANVAS_H
#define HEADLIGHT_WEB_CANVAS_H

#include "draw/draw.h"

/* Draw `list` on a canvas of this size in device pixels. Call after draw_end. If memory runs out,
 * some commands are not drawn. */
void canvas_draw(const DrawList *list, int width, int height);

#endif
