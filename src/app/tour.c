#include "app/tour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/desk.h"
#include "app/examples.h"
#include "app/hall.h"
#include "views/tour_numbers.h"

bool tour_is_on(const App *app) {
    return app->tour.tour.step_count > 0;
}

/* Return the time in the step. While presenting, it stops before the cue that waits for a press. */
static double time_in_step(const App *app) {
    const AppTour *t = &app->tour;
    double time_s = fmax(app->time_s - t->since_s, 0);
    return time_s < t->limit_s ? time_s : nextafter(t->limit_s, 0);
}

TourMoment tour_moment(const App *app) {
    TextOut state = {0};
    TourMoment moment = tour_at(&state, &app->tour.tour, app->tour.step, time_in_step(app));
    text_out_release(&state);
    return moment;
}

/* True if the user has changed anything since the tour set the state. */
static bool is_changed(const App *app) {
    const Snapshot *as_set = &app->tour.as_set;
    return as_set->session.text != NULL && !snapshot_is_current(as_set, app);
}

static void press_keys(App *app, int due) {
    AppTour *t = &app->tour;
    for (; t->keys < due; t->keys++) {
        uint32_t key;
        unsigned mods;
        const char *name = tour_key(&t->tour, t->step, t->keys)->value;
        if (!key_read(&key, &mods, name, strlen(name)))
            continue;
        for (int i = 0; i < app->keys.count; i++) {
            const Binding *b = &app->keys.at[i];
            if (b->key != key || b->mods != mods)
                continue;
            command_do(app, b->command);
            lecture_pressed(app, b);
        }
    }
}

void tour_update(App *app) {
    AppTour *t = &app->tour;
    if (!tour_is_on(app) || t->is_detour)
        return;
    t->is_detour = is_changed(app);
    double time_s = time_in_step(app);
    /* Set the state if a cue has begun that was not finished when the tour last set the state. */
    const TourStep *step = app_tour_step(app);
    bool is_due = t->shown_s < 0;
    for (int i = step->cue; i < step->cue + step->cue_count; i++) {
        const TourCue *cue = &t->tour.cues[i];
        is_due |= cue->at_s <= time_s && t->shown_s < cue->at_s + cue->over_s;
    }
    if (t->is_detour || !is_due)
        return;
    TextOut state = {0};
    Session session = {0};
    Settings settings;
    Err err;
    TourMoment moment = tour_at(&state, &t->tour, t->step, time_s);
    t->shown_s = time_s;
    app->step = t->undo;
    bool read = !state.failed && app_read_state(app, &session, &settings,
                                                state.at != NULL ? state.at : "", state.used, &err);
    if (state.failed)
        err_fail(&err, "memory", "too little to show this step; close other programs");
    Snapshot before = detour_begin(app);
    bool taken = app_told(app, app_take_session(app, read, &session, &settings, &err), &err);
    press_keys(app, moment.keys);
    /* Do this before as_set is copied: the new layer is not a change by the user. */
    step_layers(app);
    app_step_end(app);
    snapshot_take(&t->as_set, app);
    if (taken)
        detour_set_or_end(app, &before, &app->session);
    session_release(&before.session);
    text_out_release(&state);
}

/* Return the time of the first cue after time_s, which the next press shows; INFINITY if none
 * follows. */
static double next_cue(const App *app, double time_s) {
    const TourStep *s = app_tour_step(app);
    for (int i = s->cue; i < s->cue + s->cue_count; i++)
        if (app->tour.tour.cues[i].at_s > time_s)
            return app->tour.tour.cues[i].at_s;
    return INFINITY;
}

static void note_left(AppTour *t, int step) {
    int at = 0;
    if (t->id[0] == '\0')
        return;
    while (at < TOURS_LEFT_MAX - 1 && strcmp(t->left[at].id, t->id) != 0)
        at++;
    memmove(t->left + 1, t->left, (size_t)at * sizeof *t->left);
    snprintf(t->left[0].id, sizeof t->left[0].id, "%s", t->id);
    t->left[0].step = step;
}

static void go(App *app, int step) {
    AppTour *t = &app->tour;
    if (step < 0 || step >= t->tour.step_count)
        return;
    if (!view_place_forget(app)) /* a computation for the previous step has not stopped yet */
        app_say(app, "The previous step is still being computed");
    t->step = step;
    t->since_s = app->time_s;
    t->pointer_then = app->ui.pointer;
    t->seen = NULL;
    t->shown_s = -1;
    t->keys = t->tries = t->guess = 0;
    t->is_detour = t->is_done = false;
    session_release(&t->as_set.session);
    t->pin_tried = (OptionPair){0, 0};
    t->pen.count = 0;
    t->limit_s = t->is_presented && !t->is_recorded ? next_cue(app, 0) : INFINITY;
    app->hover.lit = app->hover.next = ATTN_CELL_NONE;
    const char *light = t->tour.steps[step].light;
    app->rail_open = false;
    app->drawer_open = light != NULL && strstr(light, "inspector") != NULL;
    hint_close(app);
    t->hall = (AppHall){0};
    note_left(t, step);
    remember_soon(app);
    app_step_begin(app);
    t->undo = app->step;
    app_step_end(app);
    tour_update(app);
    app->ui.again = true;
}

void tour_go(App *app, int step) {
    app_do(app, go, step);
}

void tour_go_end(App *app, int step) {
    go(app, step);
    app->tour.limit_s = INFINITY;
    app->tour.since_s = app->time_s - TOUR_SECONDS * 2;
    tour_update(app);
}

void tour_next(App *app) {
    AppTour *t = &app->tour;
    if (t->is_presented && !t->is_detour && isfinite(t->limit_s)) {
        t->since_s = app->time_s - t->limit_s;
        t->limit_s = next_cue(app, t->limit_s);
        app->ui.again = true;
        return;
    }
    tour_go(app, t->step + 1);
}

void tour_back(App *app) {
    tour_go(app, app->tour.is_detour ? app->tour.step : app->tour.step - 1);
}

void tour_begin(App *app, Tour *tour, int step) {
    AppTour *t = &app->tour;
    tour_editor_forget(app);
    tour_replace(app, tour, step);
    tour_go(app, t->step);
}

void tour_replace(App *app, Tour *tour, int step) {
    AppTour *t = &app->tour;
    tour_release(&t->tour);
    t->tour = *tour;
    *tour = (Tour){0};
    t->step = step >= 0 && step < t->tour.step_count ? step : 0;
}

void tour_record_begin(App *app, Tour *tour, int step, bool is_hall, bool has_caption) {
    app->tour.is_presented = is_hall;
    app->tour.before_jump = app->tour.typed = -1;
    app->tour.is_recorded = true;
    app->tour.has_caption = has_caption;
    tour_begin(app, tour, step);
}

void tour_record_step(App *app, int step, double time_s) {
    app->time_s = time_s;
    go(app, step);
}

bool tour_read_text(Tour *out, const char *bytes, size_t size, Err *err) {
    TourFaults faults;
    if (!tour_read(out, bytes, size, &PICTURE_OPTIONS, &faults, err))
        return false;
    for (int i = 0; faults.errors > 0 && i < faults.count && i < TOUR_FAULTS_MAX; i++)
        if (!faults.at[i].is_note) {
            *err = faults.at[i].err;
            tour_release(out);
            return false;
        }
    return true;
}

bool tour_begin_bytes(App *app, const char *id, const char *bytes, size_t size, Err *err) {
    Tour tour;
    int step = 0;
    if (!tour_editor_may_leave(app))
        return err_fail(err, id,
                        "not opened, because the current tour is not saved; save it first");
    if (!tour_read_text(&tour, bytes, size, err))
        return false;
    for (int i = 0; i < TOURS_LEFT_MAX; i++)
        if (strcmp(app->tour.left[i].id, id) == 0)
            step = app->tour.left[i].step;
    snprintf(app->tour.id, sizeof app->tour.id, "%s", id);
    tour_begin(app, &tour, step);
    return true;
}

bool tour_open(App *app, const char *path, Err *err) {
    size_t size, end = strlen(TOUR_SUFFIX);
    const char *name = desk_name(path);
    uint64_t stamp =
        desk_stamp(app, path); /* get it first, so that a write during the reading is noticed */
    char *bytes = desk_read(app, path, TOUR_BYTES_MAX, &size, err);
    bool begun = bytes != NULL && tour_begin_bytes(app, name, bytes, size, err);
    bool is_shipped =
        strlen(name) > end && registry_find(&TOUR_REGISTRY, name, strlen(name) - end) >= 0;
    if (begun && !is_shipped) /* changes of a tour that ships must be saved under another name */
        snprintf(app->tour_editor.path, sizeof app->tour_editor.path, "%s", path);
    if (begun)
        app->tour_editor.stamp = stamp;
    free(bytes);
    return begun;
}

void tour_take_first(App *app, int argument) {
    (void)argument;
    lecture_leave(app);
    tour_begin_shipped(app, 0);
}

void tour_press(App *app, int way) {
    if (!tour_is_on(app))
        return;
    if (way > 0)
        tour_next(app);
    else
        tour_back(app);
}

void tour_begin_shipped(App *app, int tour) {
    Err err;
    const char *id = TOURS[tour].id;
    char *bytes = NULL;
    size_t size;
    bool can = app->resources.load_tour != NULL;
    app_told(app,
             can ? app->resources.load_tour(&bytes, &size, id, &err) &&
                       tour_begin_bytes(app, id, bytes, size, &err)
                 : err_fail(&err, id, "cannot be read here"),
             &err);
    free(bytes);
}

static void leave(App *app, int back) {
    AppTour *t = &app->tour;
    bool at_end = t->step == t->tour.step_count - 1;
    if (!tour_is_on(app) || !tour_editor_may_leave(app))
        return;
    tour_editor_forget(app);
    note_left(t, at_end ? 0 : t->step);
    remember_soon(app);
    tour_release(&t->tour);
    session_release(&t->as_set.session);
    t->is_presented = false;
    app->ui.focus = 0;
    if (back != 0 && detour_is_on(app))
        detour_back(app);
}

void tour_leave(App *app) {
    app_do(app, leave, 0);
}

void tour_leave_back(App *app) {
    app_do(app, leave, 1);
}

void tour_release_all(App *app) {
    tour_release(&app->tour.tour);
    text_out_release(&app->tour.words);
    session_release(&app->tour.as_set.session);
    tour_editor_forget(app);
}

/* Return the option that a goal such as "pin(9,*)" or "form=merged" is about, and write the value
 * that it asks for. Return NULL, with err, if it is about none. */
static const OptionRow *goal_option(char value[OPTION_TEXT_MAX], App *app, const char *goal,
                                    Err *err) {
    int query, key;
    const char *equals = strchr(goal, '=');
    const OptionRow *row = equals != NULL ? option_lookup(goal, (size_t)(equals - goal)) : NULL;
    if (tour_place(&query, &key, goal)) {
        if (query > app->run.T || key > app->run.T) {
            err_usage(err, goal, "is not in this layer");
            return NULL;
        }
        snprintf(value, OPTION_TEXT_MAX, "%d,%d", query,
                 key > 0 ? key : tour_largest_key(app_context(app), query - 1) + 1);
        return option_row("pin");
    }
    if (row != NULL)
        snprintf(value, OPTION_TEXT_MAX, "%s", equals + 1);
    else
        err_usage(err, goal,
                  equals != NULL
                      ? "names no option"
                      : "is not a goal; write pin(9,*), form=merged, A(9,2) > 0.5 or text");
    return row;
}

bool tour_goal_met(App *app, const char *goal, Err *err) {
    char wanted[OPTION_TEXT_MAX], value[OPTION_TEXT_MAX];
    bool is_set = app->tour.as_set.session.text != NULL;
    *err = (Err){.kind = ERR_NONE};
    if (strcmp(goal, "text") == 0)
        return is_set && app->tour.as_set.session.text != app->session.text;
    if (strpbrk(goal, "<>") != NULL) {
        bool holds = tour_holds(app_context(app), goal, err);
        if (!holds && err->kind == ERR_FAILED)
            *err = (Err){.kind = ERR_NONE};
        return holds;
    }
    const OptionRow *row = goal_option(wanted, app, goal, err);
    if (row == NULL)
        return false;
    app_value_text(value, app, row);
    return strcmp(value, wanted) == 0;
}

void tour_notice(App *app) {
    AppTour *t = &app->tour;
    Err err;
    if (tour_is_on(app) && !t->is_detour)
        ui_wake(&app->ui, t->since_s + fmin(tour_moment(app).next_s, t->limit_s));
    if (!tour_is_on(app) || t->is_done || !app_has_picture(app) || app_is_behind(app))
        return;
    const char *goal = app_tour_step(app)->ask.goal;
    OptionPair pin = app->session.options.pin;
    bool is_new = !option_pair_equal(&pin, &t->pin_tried);
    t->pin_tried = pin;
    if (goal == NULL || t->shown_s < 0)
        return;
    if (tour_goal_met(app, goal, &err)) {
        t->is_done = true;
        t->done_s = app->time_s;
        app->ui.again = true;
    } else if (is_new && is_changed(app) && pin.first > 0) {
        t->tries++;
        app->ui.again = true;
    }
}

bool tour_show_me(App *app) {
    char value[OPTION_TEXT_MAX];
    Err err;
    const char *goal = app_tour_step(app)->ask.goal;
    const OptionRow *row =
        goal != NULL && strpbrk(goal, "<>") == NULL ? goal_option(value, app, goal, &err) : NULL;
    return row != NULL && app_set(app, row, value, 0);
}
