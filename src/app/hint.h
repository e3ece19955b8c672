/* hint.h: a line at the view's lower edge with a hint on what to look for and what to try. It stays
 * until it is closed or no longer applies. */
#ifndef HEADLIGHT_APP_HINT_H
#define HEADLIGHT_APP_HINT_H

#include "app/app_state.h"

/* Show a hint in place of the current one. words must live as long as the App. The hint ends when
 * the session's text is no longer `about`; if about is NULL, when the view or the page of Compare
 * changes. */
void hint_say(App *app, const char *words, const Text *about);

/* Close the hint. Return false if there is none. */
bool hint_close(App *app);

/* Draw the hint, if it still applies, and take its line from the view's area. */
void hint_draw(App *app);

#endif
