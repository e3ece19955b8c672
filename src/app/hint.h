/* hint.h: what to look for and what to try, on a line of its own at the view's lower edge, which
 * covers nothing. It stays until it is closed, or what it speaks of is gone. */
#ifndef HEADLIGHT_APP_HINT_H
#define HEADLIGHT_APP_HINT_H

#include "app/app_state.h"

/* Say it, in place of the one before. words must last as long as the App. about: the text that it
 * speaks of, another of which ends it; or NULL for the view in force, and in Compare its page,
 * which end it when they are left. */
void hint_say(App *app, const char *words, const Text *about);

/* Close it; false where there is none. */
bool hint_close(App *app);

/* Draw it, if it still holds, and cut its line from the view's place. */
void hint_draw(App *app);

#endif
