#include "app/tour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOT          10.0f
#define STEP_LEAST_S 0.2 /* seconds: changes closer together than this become one step */

/* Append the step that was on screen until now. Return false, and append nothing, if the tour's
 * file would be too large or memory runs out. */
static bool put_step(TextOut *out, const App *app) {
    const AppTake *t = &app->take;
    Settings shown = t->now.settings;
    StateExtra extra = settings_extra(&shown, NULL);
    char *state = state_make(&t->now.session, &extra);
    int at_s = (int)(t->since_s - t->begun_s);
    double hold_s = fmax(app->time_s - t->since_s, STEP_LEAST_S);
    size_t before = out->used;
    out->failed |= state == NULL;
    text_out(out, "\n== t%d: %d:%02d\n", t->steps + 1, at_s / 60, at_s % 60);
    if (state != NULL && state[0] != '\0')
        text_out(out, "state = %s\n", state);
    text_out(out, "hold = %.2f\n", fmin(hold_s, TOUR_SECONDS));
    free(state);
    if (!out->failed && out->used <= TOUR_BYTES_MAX)
        return true;
    out->used = before;
    if (out->at != NULL)
        out->at[before] = '\0';
    return false;
}

static bool step_write(App *app) {
    AppTake *t = &app->take;
    bool fits = put_step(&t->text, app);
    t->steps += fits;
    app->tour_editor.changes++; /* so that the recording is autosaved */
    return fits;
}

bool take_needs(const App *app) {
    return app->take.is_on && app->take.steps > 0;
}

void take_write(TextOut *out, const App *app) {
    text_out(out, "%s", app->take.text.at);
    if (!out->failed && !put_step(out, app))
        out->failed = false; /* the step does not fit, so leave it out */
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

/* End the recording and edit it as a tour. */
static bool end(App *app, bool is_full) {
    AppTake *t = &app->take;
    t->is_on = false;
    session_release(&t->now.session);
    if (is_full)
        app_warn(app, "The recording ended: %s",
                 t->text.failed               ? "too little memory; close other programs"
                 : t->steps == TOUR_STEPS_MAX ? "a tour has at most 1,000 steps"
                                              : "a tour's file has at most 1 MiB, and the next "
                                                "step does not fit");
    return t->steps > 0 && tour_editor_begin(app, t->text.at, t->text.used);
}

bool take_end(App *app) {
    return app->take.is_on && end(app, !step_write(app));
}

void take_toggle(App *app, int argument) {
    (void)argument;
    if (!app->take.is_on) {
        if (tour_editor_may_leave(app)) /* because the recording replaces the current tour */
            begin(app);
    } else if (take_end(app)) {
        tour_editor_save(app);
    }
}

void take_draw(App *app) {
    UiPlace below = ui_raise(&app->ui, UI_LAYER_TIP);
    if (app->take.is_on)
        draw_disc(app->ui.list, (Vec2){DOT, DOT}, DOT / 2, app->ui.theme->warn, 0, 0);
    ui_lower(&app->ui, below);
}

void take_frame(App *app) {
    AppTake *t = &app->take;
    if (!t->is_on || snapshot_is_current(&t->now, app))
        return;
    if (app->time_s - t->since_s >= STEP_LEAST_S) {
        bool is_full = !step_write(app) || t->steps == TOUR_STEPS_MAX;
        t->since_s = app->time_s;
        if (is_full && end(app, true))
            tour_editor_save(app);
        if (is_full)
            return;
    }
    snapshot_take(&t->now, app);
}
