/* take.h: Ctrl F9 records what a person does as a tour: a step for each state, as long as it was
 * shown. The tour can be edited, and rendered as a film without the stutter of the window. */
#ifndef HEADLIGHT_APP_TAKE_H
#define HEADLIGHT_APP_TAKE_H

#include "app/app.h"
#include "base/text_out.h"

typedef struct AppTake {
    bool is_on;
    TextOut text;    /* owned: the tour so far, without the step that is shown */
    Session session; /* owned: of that step; text NULL while nothing is recorded */
    Settings settings;
    double begun_s, since_s; /* of the recording, and of that step */
    int steps;
} AppTake;

/* Start to record; or stop, edit the tour and ask for its file. */
void take_toggle(App *app, int argument);

/* Draw a dot in the window's corner while it records. */
void take_draw(App *app);

/* After each frame: begin a step if the state has changed. */
void take_frame(App *app);

void take_release(App *app);

#endif
