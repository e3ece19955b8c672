/* hints.h: the first three things to try, listed at the top of the inspector at the first start. A
 * hint disappears when it is done, the list after the last; the settings' file remembers them. */
#ifndef HEADLIGHT_APP_HINTS_H
#define HEADLIGHT_APP_HINTS_H

#include "app/app_state.h"

/* Draw the list and cut it off the top of *rest. Nothing without hints. */
void hints_draw(App *app, Rect *rest);

/* Check which hints the user has just done. Call after every pass. */
void hints_notice(App *app);

/* A command: show all hints again. */
void hints_show(App *app, int argument);

#endif
