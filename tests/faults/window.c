/* window.c: an hour of input to the window without a display, for run.c: every view, edits, undo,
 * studies, autosaves and a session that is saved. As a verb it prints the session at
 * its end, or fails with the first error or warning that the window showed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app_state.h"
#include "app/keymap.h"
#include "document/state.h"
#include "shell/desk_files.h"
#include "support/measure.h"

#define STATE  "text=a%20b%20c&d-model=8&heads=2&embedding=random"
#define FRAMES 3 /* after each event */

/* Keys; what begins with ' is typed. */
static char played[] = "1 Ctrl+L 'd Enter 2 Right 3 M 4 R 5 Space 6 Space F L Escape Ctrl+K 'seed "
                       "Escape ? Escape Ctrl+Shift+C Ctrl+Z Ctrl+Shift+Z Ctrl+S";

typedef struct Window {
    App *app;
    DrawList list;
    double time_s;
    char wrong[1024]; /* the first that was shown; "" for none */
} Window;

static void note_wrong(Window *w) {
    const Err *err = app_failure(w->app);
    if (w->wrong[0] != '\0')
        return;
    for (int i = 0; i < w->app->message_count; i++)
        if (w->app->messages[i].warning)
            snprintf(w->wrong, sizeof w->wrong, "%s", w->app->messages[i].text);
    if (err != NULL)
        snprintf(w->wrong, sizeof w->wrong, "%s: %s", err->what, err->why);
    else if (w->list.dropped > 0)
        snprintf(w->wrong, sizeof w->wrong, "picture: too little memory for all of it");
}

static void frame(Window *w, const InputEvent *events, int count) {
    Input input = {.width_px = 1200,
                   .height_px = 800,
                   .pointer_px = {600, 400},
                   .pointer_inside = true,
                   .events = events,
                   .event_count = count};
    app_frame(w->app, &input, w->time_s, &w->list);
    w->time_s += 0.4;
    note_wrong(w);
}

static void play(Window *w) {
    frame(w, NULL, 0);
    for (const char *given = strtok(played, " "); given != NULL; given = strtok(NULL, " ")) {
        InputEvent event = {.kind = INPUT_TEXT, .text = given + 1, .text_bytes = strlen(given) - 1};
        if (given[0] != '\'')
            event = (InputEvent){.kind = INPUT_KEY};
        if (given[0] != '\'' && !key_read(&event.key, &event.mods, given, strlen(given)))
            snprintf(w->wrong, sizeof w->wrong, "no key: %s", given);
        frame(w, &event, 1);
        for (int k = 0; k < FRAMES; k++)
            frame(w, NULL, 0);
    }
}

static bool print_session(const Window *w) {
    char *state = state_make(app_session(w->app), NULL);
    bool printed = state != NULL && puts(state) != EOF && fflush(stdout) == 0;
    free(state);
    return printed;
}

static bool begin(Window *w, const TextMeasure *measure, const AppFiles *files, Err *err) {
    Session session;
    Settings settings;
    StateExtra extra = settings_extra(&settings, NULL);
    AppResources resources = {.measure = measure, .files = *files, .still = true};
    option_set_standard(&settings, &PICTURE_OPTIONS);
    if (!session_init(&session, err))
        return false;
    if (state_read(&session, &extra, STATE, strlen(STATE), err))
        w->app = app_create(&resources, &session, &settings, err);
    session_release(&session);
    return w->app != NULL;
}

/* A hidden folder for each run, so that no run finds files of another. */
static bool begin_files(DeskFiles *desk) {
    char here[FILE_PATH_BYTES / 2], folder[FILE_PATH_BYTES];
    if (getcwd(here, sizeof here) == NULL)
        return false;
    snprintf(folder, sizeof folder, "%s/.home-%ld", here, (long)getpid());
    if (mkdir(folder, 0700) != 0 || setenv("XDG_STATE_HOME", folder, 1) != 0 ||
        setenv("XDG_CONFIG_HOME", folder, 1) != 0)
        return false;
    desk_files_begin(desk);
    return true;
}

int main(void) {
    static DeskFiles desk;
    static Window w;
    Err err;
    TextMeasure measure = measure_fixed(NULL);
    if (!begin_files(&desk)) {
        fputs("headlight: home: cannot be made\n", stderr);
        return 1;
    }
    AppFiles files = desk_files(&desk);
    if (!begin(&w, &measure, &files, &err)) {
        fprintf(stderr, "headlight: %s: %s\n", err.what, err.why);
        return 1;
    }
    play(&w);
    if (w.wrong[0] == '\0' && !print_session(&w))
        snprintf(w.wrong, sizeof w.wrong, "session: could not be printed");
    app_destroy(w.app);
    draw_release(&w.list);
    desk_files_end(&desk);
    if (w.wrong[0] != '\0')
        fprintf(stderr, "headlight: %s\n", w.wrong);
    return w.wrong[0] != '\0';
}
