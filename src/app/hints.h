/* hints.h: the first three things to try, listed at the top of the inspector at the first start. A
 * hint disappears when the user has done it, and the list with its last hint. The settings' file
 * stores which are done. */
#ifndef HEADLIGHT_APP_HINTS_H
#define HEADLIGHT_APP_HINTS_H

#include "app/app_state.h"

/* Draw the list and cut it off the top of *rest. Does nothing if no hints are left. */
void hints_draw(App *app, Rect *rest);

/* Check which hints the user has just done. Call after every pass. */
void hints_notice(App *app);

/* A command: show all hints again. */
void hints_show(App *app, int argument);

#endif
