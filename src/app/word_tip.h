/* word_tip.h: tooltips of words on screen that are not controls: titles, labels, symbols,
 * statistics and axes. Their meanings come from the tables that name them. */
#ifndef HEADLIGHT_APP_WORD_TIP_H
#define HEADLIGHT_APP_WORD_TIP_H

#include "app/app_state.h"

/* Return the explanation of these words in the current view. Its text is NULL if there is none. */
Tooltip word_tip(const App *app, const char *words);

/* Explain the words under the pointer, unless they have a tooltip of their own. Call after
 * everything else in the window is drawn. */
void word_tip_draw(App *app);

#endif
