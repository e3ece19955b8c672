/* fixed_input.h: X from a file: whether the text is fixed by it, and how to close the file. */
#ifndef HEADLIGHT_APP_FIXED_INPUT_H
#define HEADLIGHT_APP_FIXED_INPUT_H

#include "app/app_state.h"

/* True if the tokens are the rows of a file's X, so that no text can be typed. */
bool fixed_input_is_shown(const App *app);

/* Show a message if the text is fixed. */
bool fixed_input_report(App *app);

/* If the command to close the file was run, replace its tensors by sampled ones of the same shapes,
 * as one undo step. Call after a pass. */
void fixed_input_close(App *app);

#endif
