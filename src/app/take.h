/* take.h: Ctrl F9 records what the user does as a tour, with one step for each state, as long as it
 * was on screen. The tour can be edited, and rendered as a film in which nothing stutters. */
#ifndef HEADLIGHT_APP_TAKE_H
#define HEADLIGHT_APP_TAKE_H

#include "app/app.h"
#include "base/text_out.h"

typedef struct AppTake {
    bool is_on;
    TextOut text;    /* owned: the tour so far, without the current step */
    Session session; /* owned: that step's session; text NULL while nothing is recorded */
    Settings settings;
    double begun_s, since_s; /* beginning of the recording, and of the current step */
    int steps;
} AppTake;

/* Start to record; or stop, open the tour in the editor and ask for a file name. */
void take_toggle(App *app, int argument);

/* Draw a dot in the window's corner while it records. */
void take_draw(App *app);

/* After each frame: begin a step if the state has changed. */
void take_frame(App *app);

void take_release(App *app);

#endif
