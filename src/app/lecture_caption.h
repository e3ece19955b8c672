/* lecture_caption.h: the black line at the bottom of a lecture: a sentence that can be edited, and
 * the last key pressed. Only for lecture.c. */
#ifndef HEADLIGHT_APP_LECTURE_CAPTION_H
#define HEADLIGHT_APP_LECTURE_CAPTION_H

#include "app/app_state.h"

float caption_height(App *app);

void caption_draw(App *app, Rect bar);

/* Draw the last key pressed on a dark background, for a while after its press. */
void caption_key_draw(App *app, Rect place);

#endif
