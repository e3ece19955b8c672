/* `headlight tour`: lists the tours that come with the program, or lists, describes, checks or
 * plays the steps of one tour. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "app/hall.h"
#include "app/tour.h"
#include "io/file.h"
#include "shell/output.h"
#include "shell/stage.h"
#include "shell/tour_film.h"

static void put(TextOut *text, const char *name, const char *value) {
    if (value != NULL)
        text_out(text, "  %s: %s\n", name, value);
}

static void describe_steps(TextOut *text, const Tour *tour) {
    double sum = 0;
    for (int i = 0; i < tour->step_count; i++)
        sum += tour_seconds(tour, i);
    text_out(text, "%s\n%d steps, %.0f s, stage: %s\n", tour->title, tour->step_count, sum,
             tour->is_hall ? "hall" : "window");
    for (int i = 0; i < tour->step_count; i++) {
        const TourStep *s = &tour->steps[i];
        TextOut state = {0};
        tour_state(&state, tour, i);
        text_out(text, "\n%d. %s (%s)\n", i + 1, s->title, s->id);
        put(text, "state", state.at);
        put(text, "frame", s->frame);
        put(text, "light", s->light);
        put(text, "caption", s->caption);
        put(text, "ask", s->ask.words);
        put(text, "guess", s->guess.words);
        put(text, "note", s->note);
        text_out_release(&state);
    }
}

/* Show each step at its end, and check its text against the picture. */
static bool check_steps(Tour *tour, const Call *call, TourFaults *faults, Err *err) {
    Stage stage;
    Session session;
    if (!session_init(&session, err))
        return false;
    bool began = stage_begin(&stage, &session, &call->settings,
                             (StageOptions){.kind = STAGE_LIST, .changes = true}, err);
    session_release(&session);
    if (!began)
        return false;
    int steps = tour->step_count;
    bool is_hall = tour->is_hall;
    tour_begin(stage.app, tour, 0);
    if (is_hall && !presenter_begin(stage.app, NULL, 0, err)) {
        stage_end(&stage);
        return false;
    }
    for (int i = 0; i < steps; i++) {
        tour_go_end(stage.app, i);
        stage_frame(&stage, NULL, 0, STAGE_SETTLED_S * (2 * i + 1));
        stage_frame(&stage, NULL, 0, STAGE_SETTLED_S * (2 * i + 2));
        tour_check_step(stage.app, i, faults);
    }
    stage_end(&stage);
    return true;
}

/* Check that all states can be read before any of them is shown. */
static void check_states(const Tour *tour, TourFaults *faults) {
    for (int i = 0; i < tour->step_count; i++) {
        Session session;
        Settings settings;
        Err err;
        TextOut state = {0};
        StateExtra extra = settings_extra(&settings, assets_weights);
        option_set_standard(&settings, &PICTURE_OPTIONS);
        tour_at(&state, tour, i, INFINITY);
        const char *own = tour->steps[i].state != NULL ? tour->steps[i].state : tour->state;
        int line = own != NULL ? tour_line(tour, own) : tour->steps[i].line;
        if (state.failed || !session_init(&session, &err)) {
            tour_fault(faults, line, "memory", "too little to check the tour");
        } else {
            char why[sizeof(Err)];
            if (!state_read(&session, &extra, state.at != NULL ? state.at : "", state.used, &err)) {
                snprintf(why, sizeof why, "%s: %s", err.what, err.why);
                tour_fault(faults, line, "state", why);
            }
            session_release(&session);
        }
        text_out_release(&state);
    }
}

static bool check(Tour *tour, const Call *call, TourFaults *faults, Err *err) {
    if (faults->errors == 0)
        check_states(tour, faults);
    if (faults->errors == 0 && !check_steps(tour, call, faults, err))
        return false;
    return tour_report(faults, call->word, err);
}

static bool play(const Call *call, Err *err) {
    Call window = *call;
    char name[80], path[FILE_PATH_BYTES];
    if (registry_find(&TOUR_REGISTRY, call->word, strlen(call->word)) >= 0) {
        snprintf(name, sizeof name, "tours/%.40s" TOUR_SUFFIX, call->word);
        if (!assets_find(path, sizeof path, name, err))
            return false;
        window.word = path;
    }
    return verb_window(&window, err);
}

bool verb_tour(const Call *call, Err *err) {
    Tour tour;
    TourFaults faults;
    TextOut text = {0};
    if (call->word == NULL) {
        for (int i = 0; i < TOUR_REGISTRY.count; i++)
            text_out(&text, "%-14s %s\n", TOURS[i].id, TOURS[i].label);
        return print_text(&text, err);
    }
    if (!tour_load(&tour, &faults, call->word, err))
        return false;
    bool done =
        call->check ? check(&tour, call, &faults, err) : tour_report(&faults, call->word, err);
    if (done && call->list)
        for (int i = 0; i < tour.step_count; i++)
            text_out(&text, "%s\t%.1f\t%s\n", tour.steps[i].id, tour_seconds(&tour, i),
                     tour.steps[i].title);
    else if (done && call->describe)
        describe_steps(&text, &tour);
    tour_release(&tour);
    if (done && (call->list || call->describe))
        return print_text(&text, err);
    return done && (call->check || play(call, err));
}
