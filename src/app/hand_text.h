/* hand_text.h: moves numbers set by hand with their tokens while the text is edited. */
#ifndef HEADLIGHT_APP_HAND_TEXT_H
#define HEADLIGHT_APP_HAND_TEXT_H

#include "app/app_state.h"

/* Move the numbers of X and S of app's session along with tokens that both texts share at their
 * beginning and end. Numbers of other tokens are removed. */
bool hand_follow_text(App *app, const Session *before, Err *err);

#endif
