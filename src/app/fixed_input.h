/* fixed_input.h: tensors that came from a file: whether the tokens are their rows, and how to close
 * it.
 */
#ifndef HEADLIGHT_APP_FIXED_INPUT_H
#define HEADLIGHT_APP_FIXED_INPUT_H

#include "app/app_state.h"

/* Whether the tokens are the rows of a given X, and no text can be typed. */
bool fixed_input_is_shown(const App *app);

/* If so, say so. */
bool fixed_input_report(App *app);

/* If the command to close the file was run: sampled tensors of the same shapes take the place of
 * the given ones, as one step to undo. After a pass. */
void fixed_input_close(App *app);

#endif
