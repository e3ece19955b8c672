/* detour.h: returns to the layer that the user had before asking a question. */
#ifndef HEADLIGHT_APP_DETOUR_H
#define HEADLIGHT_APP_DETOUR_H

#include "app/app_state.h"

/* Keep the session and the settings before a question changes them. Do nothing during a detour,
 * because the way back leads to the layer before its first question. */
void detour_begin(App *app);

/* Forget the way back. */
void detour_end(App *app);

/* True if there is a layer to go back to. */
bool detour_is_on(const App *app);

/* Restore the text, weights, pin and view from before the first question, as one step of undo. */
void detour_back(App *app);

/* End the detour if its beginning was undone. */
void detour_undone(App *app);

#endif
