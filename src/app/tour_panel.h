/* tour_panel.h: the panel of a tour with words, task and progress. It lights the parts that the
 * step is about, and dims everything else. */
#ifndef HEADLIGHT_APP_TOUR_PANEL_H
#define HEADLIGHT_APP_TOUR_PANEL_H

#include "app/app_state.h"

/* Make room for the panel: in the inspector's place, or at the foot of the window if it is narrow
 * or the tour lights the inspector. Does nothing without a tour. */
void tour_panel_place(App *app);

/* Return the part that the current moment lights, so that the view scrolls to it; NULL after
 * that. */
const char *tour_to_reveal(const App *app);

/* Offer the first tour in a line at the foot of the view, if the inspector, where the hints offer
 * it, is closed. The line disappears for ever when the user takes the tour, closes it, edits the
 * text or chooses another view. */
void tour_offer_draw(App *app);

/* Draw the same offer as a row of the hints. */
#define TOUR_OFFER_ROW_H 36
void tour_offer_row(App *app, Rect *rest);

/* Dim everything that is not lit, over the finished picture of the window, and draw the panel. */
void tour_panel_draw(App *app);

#endif
