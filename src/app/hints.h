/* hints.h: the first three things to try, at the top of the inspector in the first start's window.
 * Each leaves once it was done, the card after the last; the settings' file remembers them. */
#ifndef HEADLIGHT_APP_HINTS_H
#define HEADLIGHT_APP_HINTS_H

#include "app/app_state.h"

/* Draw the card and cut it off the top of *rest. Nothing without hints. */
void hints_draw(App *app, Rect *rest);

/* Notice what the person has just done. Call after every pass. */
void hints_notice(App *app);

/* A command: show all hints again. */
void hints_show(App *app, int argument);

#endif
