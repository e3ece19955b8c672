/* tour_caption.h: a tour in a recording: its words in large type at the foot of the picture, if
 * they are shown at all. The user's panel is not shown. */
#ifndef HEADLIGHT_APP_TOUR_CAPTION_H
#define HEADLIGHT_APP_TOUR_CAPTION_H

#include "app/app_state.h"
#include "views/tour_numbers.h"

/* Make room for the words at the foot of the window. */
void tour_caption_place(App *app);
void tour_caption_draw(App *app);

/* Fill out with the words of this moment, with their numbers: the caption or, if spoken, the spoken
 * text; "" if there are none. */
void tour_caption_words(char out[TOUR_WORDS_MAX], App *app, bool spoken);

#endif
