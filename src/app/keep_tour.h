/* keep_tour.h: autosaves a tour that is made in the window, in a file next to the session's
 * autosave, and brings it back. */
#ifndef HEADLIGHT_APP_KEEP_TOUR_H
#define HEADLIGHT_APP_KEEP_TOUR_H

#include "app/app.h"

/* True if tours can be autosaved, so that the window may close without a question. */
bool keep_tour_can(const App *app);

/* True if the tour has changes that the user has not saved to a file. */
bool keep_tour_needs(const App *app);

/* True if the tour differs from its autosave. */
bool keep_tour_is_stale(const App *app);

/* Autosave the tour, including text that is being typed. If it needs no autosave, remove the old
 * one. */
bool keep_tour_write(App *app, Err *err);

/* Continue the tour that was autosaved with this session, if there is one. */
void keep_tour_recover(App *app, const char *session);

#endif
