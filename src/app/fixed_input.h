/* fixed_input.h: whether the text is fixed by the X of a file. */
#ifndef HEADLIGHT_APP_FIXED_INPUT_H
#define HEADLIGHT_APP_FIXED_INPUT_H

#include "app/app_state.h"

/* True if the tokens are the rows of a file's X, so that no text can be typed. */
bool fixed_input_is_shown(const App *app);

/* Show a message if the text is fixed. */
bool fixed_input_report(App *app);

#endif
