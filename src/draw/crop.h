/* crop.h: cuts one part out of a picture. Pure. */
#ifndef HEADLIGHT_DRAW_CROP_H
#define HEADLIGHT_DRAW_CROP_H

#include "draw/draw.h"

/* Cut list to rect with this margin around it. list must be ended; measure is its text measure. An
 * opaque box that covers all of rect becomes the list's background. */
void draw_crop(DrawList *list, const TextMeasure *measure, Rect rect, float margin);

/* Return the most frequent letter size in the list, in logical pixels; 0 if the list has no
 * text. */
float draw_text_size(const DrawList *list);

#endif
