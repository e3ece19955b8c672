/* crop.h: one part of a picture as a picture of its own. Pure. */
#ifndef HEADLIGHT_DRAW_CROP_H
#define HEADLIGHT_DRAW_CROP_H

#include "draw/draw.h"

/* Cut list, which is ended and measured by measure, to rect with that margin around it. What covers
 * all of rect is its ground and becomes the list's. */
void draw_crop(DrawList *list, const TextMeasure *measure, Rect rect, float margin);

/* Return the size of most letters in the list, logical pixels; 0 without any. */
float draw_text_size(const DrawList *list);

#endif
