/* take.h: Ctrl F9 records what the user does as a tour. Each state becomes one step, which lasts as
 * long as the state was on screen. The tour can be edited, and rendered as a film in which nothing
 * stutters. */
#ifndef HEADLIGHT_APP_TAKE_H
#define HEADLIGHT_APP_TAKE_H

#include "app/app_state.h"

/* Start to record; or stop, open the tour in the editor and ask for a file name. */
void take_toggle(App *app, int argument);

/* Draw a dot in the window's corner while recording. */
void take_draw(App *app);

/* After each frame: begin a new step if the state has changed. */
void take_frame(App *app);

void take_release(App *app);

#endif
