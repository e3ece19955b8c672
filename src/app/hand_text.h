/* hand_text.h: numbers set by hand stay with their tokens while the text is edited. */
#ifndef HEADLIGHT_APP_HAND_TEXT_H
#define HEADLIGHT_APP_HAND_TEXT_H

#include "app/app_state.h"

/* Move the numbers of X and S of app's session with the tokens that the texts before and now have
 * in common at their beginning and end; numbers of other tokens leave. */
bool hand_follow_text(App *app, const Session *before, Err *err);

#endif
