/* given.h: tensors that came from a file, as the window shows them: which they are, whose rows the
 * tokens are, and how to let go of them. */
#ifndef HEADLIGHT_APP_GIVEN_H
#define HEADLIGHT_APP_GIVEN_H

#include "app/app_state.h"

/* Whether the tokens are the rows of a given X, and no text can be typed. */
bool given_rows(const App *app);

/* If so, say so. */
bool given_say_rows(App *app);

/* A line over the view's lower edge that names the tensors, with a button to let go of them; none
 * where there are none. */
void given_draw(App *app);

/* If the button was clicked: drawn tensors of the same shapes take the place of the given ones, as
 * one step to undo. After a pass. */
void given_let_go(App *app);

#endif
