/* word_tip.h: tooltips of words that belong to no control: titles, labels, symbols, statistics and
 * axes. What a word means is looked up in the tables that name it. */
#ifndef HEADLIGHT_APP_WORD_TIP_H
#define HEADLIGHT_APP_WORD_TIP_H

#include "app/app_state.h"

/* Return what explains these words in the current view; its text is NULL if nothing does. */
Tooltip word_tip(const App *app, const char *words);

/* Explain the words under the pointer, unless they have a tooltip of their own. Call after
 * everything else in the window is drawn. */
void word_tip_draw(App *app);

#endif
