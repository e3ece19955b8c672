#include "app/tour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOT          10.0f
#define STEP_LEAST_S 0.2 /* seconds: changes closer together than this become one step */

static void step_write(App *app) {
    AppTake *t = &app->take;
    StateExtra extra = settings_extra(&t->now.settings, NULL);
    char *state = state_make(&t->now.session, &extra);
    int at_s = (int)(t->since_s - t->begun_s);
    double hold_s = fmax(app->time_s - t->since_s, STEP_LEAST_S);
    bool fits = state != NULL && strlen(state) < (size_t)APP_STATE_MAX * 4;
    if (fits && t->steps < TOUR_STEPS_MAX) {
        t->steps++;
        text_out(&t->text, "\n== t%d: %d:%02d\n", t->steps, at_s / 60, at_s % 60);
        if (state[0] != '\0')
            text_out(&t->text, "state = %s\n", state);
        text_out(&t->text, "hold = %.2f\n", fmin(hold_s, TOUR_SECONDS));
    }
    free(state);
}

static void begin(App *app) {
    AppTake *t = &app->take;
    text_out_reset(&t->text);
    text_out(&t->text, "# Headlight tour 1\ntitle = Recording\nstage = window\n");
    t->steps = 0;
    t->begun_s = t->since_s = app->time_s;
    t->is_on = true;
    snapshot_take(&t->now, app);
    app_say(app, "Recording what you do; Ctrl F9 stops");
}

void take_toggle(App *app, int argument) {
    AppTake *t = &app->take;
    (void)argument;
    if (!t->is_on) {
        if (tour_editor_may_leave(app)) /* the recording replaces the current tour */
            begin(app);
        return;
    }
    step_write(app);
    t->is_on = false;
    session_release(&t->now.session);
    if (t->text.failed)
        app_warn(app, "Too little memory for the recording");
    else if (tour_editor_begin(app, t->text.at, t->text.used))
        tour_editor_save(app);
}

void take_draw(App *app) {
    DrawList *list = app->ui.list;
    int layer = list->layer;
    list->layer = UI_LAYER_TIP;
    if (app->take.is_on)
        draw_fill(list, (Rect){DOT / 2, DOT / 2, DOT, DOT}, DOT / 2, app->ui.theme->warn);
    list->layer = layer;
}

void take_frame(App *app) {
    AppTake *t = &app->take;
    if (!t->is_on || snapshot_is_current(&t->now, app))
        return;
    if (app->time_s - t->since_s >= STEP_LEAST_S) {
        step_write(app);
        t->since_s = app->time_s;
    }
    snapshot_take(&t->now, app);
}
