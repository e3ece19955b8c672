/* Opens sessions, texts, weights, tours and pictures, and restores the autosave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "app/examples.h"
#include "app/tour.h"
#include "base/picture_state.h"
#include "text/tokenizer.h"

#define PICTURE_BYTES_MAX ((size_t)64 << 20)

/* Replace the session and the settings by those of a file, as one undo step. */
static bool use_session(App *app, bool made, Session *changed, const Settings *settings, Err *err) {
    bool taken = app_take_session(app, made, changed, settings, err);
    if (taken)
        app->desk.seen = app->settings; /* do not remember a file's settings as the user's */
    return taken;
}

bool desk_first_example(Session *session, Err *err) {
    const char *state = EXAMPLES[0].state;
    bool read = state_read(session, NULL, state, strlen(state), err);
    if (!read)
        session_release(session);
    return read;
}

void desk_new(App *app, int unused) {
    (void)unused;
    Err err;
    Session fresh;
    Settings settings = settings_fresh(app);
    settings_open(app, &settings);
    bool is_made = session_init(&fresh, &err) &&
                   (!app->resources.first_example || desk_first_example(&fresh, &err));
    if (!app_told(app, use_session(app, is_made, &fresh, &settings, &err), &err))
        return;
    view_place_forget(app);
    hint_close(app);
    lecture_leave(app);
    app->ui.focus = 0;
    app->drawer_open = app->rail_open = false;
    app->chip_scroll = 0;
    app->inspector_scroll = (Scroll){0};
    desk_use_path(app, "", 0, true);
}

/* A session that was read but not applied yet. */
typedef struct Opened {
    Session session;
    Settings settings;
    DocumentFaults faults;
    DocumentKept kept;
} Opened;

static void opened_release(Opened *opened) {
    session_release(&opened->session);
    free(opened->kept.shown);
    opened->kept.shown = NULL;
}

static bool read_session(Opened *out, App *app, const char *path, Err *err) {
    size_t size;
    out->settings = settings_fresh(app);
    StateExtra extra = settings_extra(&out->settings, app->resources.load_weights);
    char *bytes = desk_read(app, path, DOCUMENT_BYTES_MAX, &size, err);
    if (bytes == NULL)
        return false;
    out->session = session_share(&app->session);
    bool read = document_read(&out->session, &extra, &out->kept, bytes, size, &out->faults, err);
    free(bytes);
    if (read)
        return true;
    snprintf(err->what, sizeof err->what, "%.150s", desk_name(path));
    opened_release(out);
    return false;
}

static bool take_opened(App *app, Opened *opened, const char *path, Err *err) {
    if (!use_session(app, true, &opened->session, &opened->settings, err))
        return false;
    desk_say_faults(app, desk_name(path), &opened->faults);
    if (opened->faults.is_cut)
        app_warn(app,
                 "%.150s has no end line: it may have been cut off. If you overwrite it, the "
                 "missing part is lost",
                 desk_name(path));
    return true;
}

static bool open_session(App *app, const char *path, Err *err) {
    Opened opened;
    /* Get the stamp first, so that a write during the reading is noticed. */
    uint64_t stamp = desk_stamp(app, path);
    if (!read_session(&opened, app, path, err))
        return false;
    bool taken = take_opened(app, &opened, path, err);
    opened_release(&opened);
    if (!taken)
        return false;
    desk_use_path(app, path, stamp, true);
    recent_add(app, path);
    return true;
}

static bool open_text(App *app, const char *path, Err *err) {
    size_t size;
    char *bytes = desk_read(app, path, TOKEN_TEXT_MAX, &size, err);
    if (bytes == NULL)
        return false;
    app_edit_text(app, 0, app->session.text->size, bytes, size, 0);
    free(bytes);
    return true;
}

/* Use the state inside a picture that this program saved. Ignore its size, which is not the
 * window's. */
static bool open_picture(App *app, const char *path, Err *err) {
    size_t size;
    char *state = NULL, *bytes = desk_read(app, path, PICTURE_BYTES_MAX, &size, err);
    Session changed = {0};
    Settings settings = app->settings;
    if (bytes == NULL)
        return false;
    bool read = picture_state_find(&state, bytes, size, err);
    if (!read)
        snprintf(err->what, sizeof err->what, "%s", desk_name(path));
    read = read && app_read_state(app, &changed, &settings, state, strlen(state), err);
    free(bytes);
    free(state);
    settings.size = app->settings.size;
    return app_take_session(app, read, &changed, &settings, err);
}

/* Use the weights in a file. Options that the weights determine, such as widths, change with them.
 * If the file has no weights, try to use it as word vectors, which have the same suffix. */
static bool open_weights(App *app, const char *path, Err *err) {
    Err not_words;
    WeightsLoad load = app->resources.load_weights;
    Weights *weights = load != NULL ? load(path, NULL, err) : NULL;
    if (weights == NULL && missing_words_can_take(app) && missing_words_take(app, path, &not_words))
        return true;
    Session changed = session_share(&app->session);
    bool set = weights != NULL && session_set_weights(&changed, weights, 0, err);
    if (load == NULL)
        err_fail(err, desk_name(path), "cannot be read here");
    return app_take_session(app, set, &changed, NULL, err);
}

/* The kinds of file that a window opens, by suffix. */
static const struct {
    const char *suffix;
    bool (*open)(App *app, const char *path, Err *err);
} OPENERS[] = {{DOCUMENT_SUFFIX, open_session},
               {".txt", open_text},
               {".safetensors", open_weights},
               {".npz", open_weights},
               {"/", open_weights},
               {".safetensors.index.json", open_weights},
               {TOUR_SUFFIX, tour_open},
               {".png", open_picture},
               {".svg", open_picture},
               {".pdf", open_picture}};

bool app_opens(const char *path) {
    for (size_t i = 0; i < sizeof OPENERS / sizeof *OPENERS; i++)
        if (desk_has_suffix(path, OPENERS[i].suffix))
            return true;
    return false;
}

bool desk_open(App *app, const char *path) {
    Err err;
    err_fail(&err, desk_name(path),
             "is not a session (.headlight), tour (.tour), weights (.safetensors, .npz), text "
             "(.txt) or picture with a state (.png, .svg, .pdf)");
    for (size_t i = 0; app->resources.files.read != NULL && i < sizeof OPENERS / sizeof *OPENERS;
         i++)
        if (desk_has_suffix(path, OPENERS[i].suffix) && OPENERS[i].open(app, path, &err))
            return true;
    app_say_err(app, &err);
    if (path != app->desk.failed_path)
        snprintf(app->desk.failed_path, sizeof app->desk.failed_path, "%s", path);
    app->desk.failed_message = app_opens(path) ? app->message_number : 0;
    return false;
}

/* Read the newest intact autosave. Damaged ones are renamed, so that they do not hide older ones at
 * the next start. */
static bool read_recovered(Opened *opened, App *app) {
    const AppFiles *files = &app->resources.files;
    const char *path = files->places[PLACE_RECOVER];
    char aside[DOCUMENT_PATH_MAX], text[sizeof app->messages[0].text];
    while (path[0] != '\0' && files->exists(path)) {
        Err err;
        bool read = read_session(opened, app, path, &err);
        if (read && !opened->faults.is_cut)
            return true;
        if (read)
            opened_release(opened);
        if (read)
            err_fail(&err, desk_name(path), "was cut off");
        snprintf(text, sizeof text, "A session that was not saved is damaged: %.250s", err.why);
        if (!app_told(app, files->set_aside(files->context, aside, &err), &err))
            return false;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ". It is kept as %.250s", aside);
        app_warn(app, "%s", text);
    }
    return false;
}

/* Restore the layer of a question or tour that was on screen and had edits. It becomes an undo step
 * before the user's own layer. Return false, with a message, if its state cannot be read. */
static bool take_shown(App *app, const char *state, const Snapshot *own) {
    Err err;
    Session shown = {0};
    Settings settings;
    bool read = app_read_state(app, &shown, &settings, state, strlen(state), &err);
    if (!app_told(app, app_take_session(app, read, &shown, &settings, &err), &err))
        return false;
    detour_set(app, own, &own->session);
    return true;
}

void desk_recover(App *app) {
    const AppFiles *files = &app->resources.files;
    const char *path = files->places[PLACE_RECOVER];
    Opened opened;
    Err err;
    if (!app->resources.recovers || !read_recovered(&opened, app))
        return;
    Snapshot own = {opened.session, opened.settings};
    bool has_shown = opened.kept.shown != NULL && take_shown(app, opened.kept.shown, &own);
    uint64_t shown_at = history_position(&app->history);
    bool taken = app_told(app, take_opened(app, &opened, path, &err), &err);
    opened_release(&opened);
    if (!taken)
        return;
    detour_end(app);
    snprintf(app->desk.path, sizeof app->desk.path, "%s", opened.kept.file);
    app->desk.stamp = opened.kept.stamp;
    app->desk.opened_at = has_shown ? shown_at : history_position(&app->history);
    if (!desk_write_kept(app, &err))
        return; /* keep the old autosave, because there is no new one */
    app->desk.is_kept = true;
    app_say(app, "Your unsaved session is back. Ctrl Z %s",
            has_shown ? "shows what you changed in a question or a tour" : "starts a new one");
    keep_tour_recover(app, path);
    files->remove(path);
}
