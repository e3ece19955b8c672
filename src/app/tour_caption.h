/* tour_caption.h: a tour in a recording. Its words are drawn in large type at the lower edge of the
 * picture, or not at all. The panel of the window is not drawn. */
#ifndef HEADLIGHT_APP_TOUR_CAPTION_H
#define HEADLIGHT_APP_TOUR_CAPTION_H

#include "app/app_state.h"
#include "views/tour_numbers.h"

/* Reserve room for the words at the lower edge of the window. */
void tour_caption_place(App *app);
void tour_caption_draw(App *app);

/* Fill out with the words of this moment, with numbers filled in: the caption or, if spoken, the
 * spoken text; "" if there are none. */
void tour_caption_words(char out[TOUR_WORDS_MAX], App *app, bool spoken);

#endif
