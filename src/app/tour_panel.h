/* tour_panel.h: what a learner sees of a tour: one panel with words, task and progress, and the
 * part in question lit while everything else is dimmed. */
#ifndef HEADLIGHT_APP_TOUR_PANEL_H
#define HEADLIGHT_APP_TOUR_PANEL_H

#include "app/app_state.h"

/* Make room for the panel: in the inspector's place, or at the foot of a window that is narrow or
 * whose inspector is lit. Does nothing without a tour. */
void tour_panel_place(App *app);

/* Offer the first tour in a line at the foot of the view, until it is taken, closed, or the person
 * changes anything; then never again. */
void tour_offer_draw(App *app);

/* Dim what is not lit, over the finished window, and draw the panel. */
void tour_panel_draw(App *app);

#endif
