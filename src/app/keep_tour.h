/* keep_tour.h: autosaves a tour that is made in the window, in a file next to the session's
 * autosave, and brings it back. */
#ifndef HEADLIGHT_APP_KEEP_TOUR_H
#define HEADLIGHT_APP_KEEP_TOUR_H

#include "app/app.h"

/* True if there is a place for it, so that a window may close without a question. */
bool keep_tour_can(const App *app);

/* True if the tour has changes that no file of the user's has. */
bool keep_tour_needs(const App *app);

/* True if it differs from what was kept last. */
bool keep_tour_is_stale(const App *app);

/* Write the tour, with the words that are being typed, or remove it if it needs no keeping. */
bool keep_tour_write(App *app, Err *err);

/* Continue the tour that was kept next to this session, if there is one. */
void keep_tour_recover(App *app, const char *session);

#endif
