/* lecture_caption.h: the black line under a lecture: a sentence that may be edited, and the keys
 * that were pressed; for lecture.c. */
#ifndef HEADLIGHT_APP_LECTURE_CAPTION_H
#define HEADLIGHT_APP_LECTURE_CAPTION_H

#include "app/app_state.h"

/* How high it has to be for what it says. */
float caption_height(App *app);

void caption_draw(App *app, Rect bar);

#endif
