/* presenter.h: presents a tour to a room: the keys of a clicker, a black or white screen, a
 * spotlight, a pen, a frozen picture, notes and the time left. */
#ifndef HEADLIGHT_APP_PRESENTER_H
#define HEADLIGHT_APP_PRESENTER_H

#include "app/app_state.h"

/* A command: begin to present the tour that is open, or stop. */
void presenter_toggle(App *app, int unused);

/* Begin to present from the step with this id (NULL: the current step), with a limit in minutes (0:
 * none). Fail if there is no such step. */
bool presenter_begin(App *app, const char *from, int minutes, Err *err);

/* Handle the keys that mean something only while presenting. Call before the widgets. */
void presenter_keys(App *app);

/* Set the number of displays. With two, the notes are in a window of their own (app/console.h). */
void presenter_displays(App *app, int count);

/* Report that this window was closed or could not be opened. */
void presenter_close_console(App *app);

/* Draw what lies over the stage. */
void presenter_draw(App *app, Rect stage);

#endif
