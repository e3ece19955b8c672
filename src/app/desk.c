#include "app/desk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/examples.h"
#include "app/sheets.h"
#include "app/tour.h"
#include "base/picture_state.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

#define AUTOSAVE_S        1.0
#define PICTURE_BYTES_MAX ((size_t)64 << 20)
#define STAMP_BYTES       17 /* of a file's stamp in an autosave, with the blank that follows it */

const char *desk_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void desk_whole_path(const App *app, char out[DOCUMENT_PATH_MAX], const char *path) {
    const char *here = app->resources.files.places[PLACE_HERE];
    bool is_whole = path[0] == '/' || here == NULL || here[0] == '\0';
    if (strncmp(path, "./", 2) == 0 && !is_whole)
        path += 2;
    int bytes = snprintf(out, DOCUMENT_PATH_MAX, "%s%s", is_whole ? "" : here, path);
    if (bytes >= DOCUMENT_PATH_MAX) /* a shortened path could name another file */
        snprintf(out, DOCUMENT_PATH_MAX, "%s", path);
}

bool desk_has_suffix(const char *path, const char *suffix) {
    size_t bytes = strlen(path), end = strlen(suffix);
    return bytes > end && strcmp(path + bytes - end, suffix) == 0;
}

char *desk_read(App *app, const char *path, size_t most, size_t *size, Err *err) {
    const AppFiles *files = &app->resources.files;
    char *bytes = NULL;
    if (files->read == NULL)
        err_set(ERR_FAILED, err, path, "cannot be read here");
    else if (files->read(files->context, &bytes, size, path, most, err))
        return bytes;
    return NULL;
}

/* Write the session. The window's size and zoom belong to the machine and are left out. */
static bool write_to(App *app, const char *path, const char *file, Err *err) {
    const AppFiles *files = &app->resources.files;
    Settings standard, shown = app->settings;
    option_set_standard(&standard, &PICTURE_OPTIONS);
    shown.size = standard.size;
    shown.ui_scale = standard.ui_scale;
    StateExtra extra = settings_extra(&shown, NULL);
    size_t size;
    char *bytes = document_write(&size, &app->session, &extra, file, err);
    bool wrote = bytes != NULL && files->write(files->context, path, bytes, size, true, err);
    free(bytes);
    return wrote;
}

/* Write the autosave. The stamp of the session's file comes before its path, so that a restored
 * session knows whether another program wrote to the file. */
static bool write_autosave(App *app, Err *err) {
    char file[DOCUMENT_PATH_MAX + STAMP_BYTES];
    snprintf(file, sizeof file, "%016" PRIx64 " %s", app->desk.stamp, app->desk.path);
    return write_to(app, app->resources.files.places[PLACE_AUTOSAVE],
                    app->desk.path[0] != '\0' ? file : "", err);
}

static uint64_t stamp_of(const App *app, const char *path) {
    const AppFiles *files = &app->resources.files;
    return path[0] != '\0' ? files->stamp(files->context, path) : 0;
}

bool desk_is_outdated(const App *app) {
    uint64_t now = stamp_of(app, app->desk.path);
    return now != 0 && now != app->desk.stamp;
}

/* Use this path from now on; stamp is that of its file. is_new: another document was opened, to
 * which earlier undo steps do not belong. */
static void use_path(App *app, const char *path, uint64_t stamp, bool is_new) {
    AppDesk *desk = &app->desk;
    uint64_t now = history_position(&app->history);
    if (desk->path != path)
        snprintf(desk->path, sizeof desk->path, "%s", path);
    desk->stamp = stamp;
    snapshot_take(&desk->saved, app);
    desk->opened_at = is_new || now < desk->opened_at ? now : desk->opened_at;
}

/* True if the session differs from its saved state. */
static bool desk_unsaved(App *app) {
    return !session_equal(&app->session, &app->desk.saved.session);
}

/* True if a crash would lose something: unsaved changes, or settings that are not remembered. */
static bool needs_keeping(App *app) {
    const Settings *now = &app->settings, *saved = &app->desk.saved.settings;
    if (desk_unsaved(app) || keep_tour_needs(app))
        return true;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        if (!settings_remembers(row) && !option_value_equal(row, now, saved))
            return true;
    }
    return false;
}

/* Autosave if needed; delete the autosave if everything is saved. A failure is reported once, until
 * autosaving works again. */
static void autosave(App *app, bool needs) {
    AppDesk *desk = &app->desk;
    const AppFiles *files = &app->resources.files;
    Err err;
    char why[sizeof err] = "";
    const char *path = files->places[PLACE_AUTOSAVE];
    desk->due_s = INFINITY;
    snapshot_take(&desk->autosaved, app);
    /* The autosave of a tour is found only through the session's, so it is written after that, and
     * removed before that. */
    bool is_placed = path[0] != '\0';
    bool wrote = !needs || !is_placed || write_autosave(app, &err);
    wrote = wrote && keep_tour_write(app, &err);
    if (!needs) {
        if (desk->is_kept)
            files->remove(files->context, path);
        desk->is_kept = false;
    } else if (!is_placed) {
        snprintf(why, sizeof why, "%s", files->autosave_note);
    } else if (wrote) {
        desk->is_kept = true;
        desk->failed = false;
    } else {
        snprintf(why, sizeof why, "%s: %s", err.what, err.why);
    }
    if (why[0] != '\0' && !desk->failed) {
        desk->failed = true;
        app_warn(app, "A crash would lose unsaved work: %.550s", why);
    }
}

bool desk_save_as(App *app, const char *path) {
    Err err;
    char kept[256] = "";
    if (write_to(app, path, NULL, &err)) {
        use_path(app, path, stamp_of(app, path), false);
        recent_add(app, path);
        app_say(app, "Saved %s", desk_name(path));
        return true;
    }
    autosave(app, needs_keeping(app));
    if (app->desk.is_kept && !app->desk.failed)
        snprintf(kept, sizeof kept,
                 ". Nothing is lost: the session is kept in %.180s, even after the window closes",
                 app->resources.files.places[PLACE_AUTOSAVE]);
    else
        snprintf(kept, sizeof kept,
                 ". The session stays in this window; Ctrl Shift C copies all of it");
    app_warn(app, "%.150s: %.190s%s", err.what, err.why, desk_unsaved(app) ? kept : "");
    return false;
}

void desk_save(App *app, int unused) {
    (void)unused;
    if (tour_editor_save(app))
        return;
    bool is_outdated = desk_is_outdated(app);
    if (app->desk.path[0] != '\0' && !is_outdated && desk_save_as(app, app->desk.path))
        return;
    path_sheet_open(app, SHEET_SAVE);
    if (is_outdated)
        path_sheet_ask(app, app->desk.path);
}

/* Replace the session and the settings as one undo step. The settings count as those of a file. */
static bool use_session(App *app, bool made, Session *changed, const Settings *settings, Err *err) {
    bool taken = app_take_session(app, made, changed, settings, err);
    if (taken)
        app->desk.seen = app->settings; /* a file's settings are not remembered as the user's */
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
    detour_end(app);
    hint_close(app);
    lecture_leave(app);
    app->ui.focus = 0;
    app->drawer_open = app->rail_open = false;
    app->chip_scroll = 0;
    app->inspector_scroll = (Scroll){0};
    use_path(app, "", 0, true);
}

/* A session that was read but not applied yet. */
typedef struct Opened {
    Session session;
    Settings settings;
    DocumentFaults faults;
    char file[DOCUMENT_PATH_MAX]; /* in an autosave: the path of the file of the session */
} Opened;

static bool read_session(Opened *out, App *app, const char *path, Err *err) {
    size_t size;
    out->settings = settings_fresh(app);
    StateExtra extra = settings_extra(&out->settings, app->resources.load_weights);
    char *bytes = desk_read(app, path, DOCUMENT_BYTES_MAX, &size, err);
    if (bytes == NULL)
        return false;
    out->session = session_share(&app->session);
    bool read = document_read(&out->session, &extra, out->file, bytes, size, &out->faults, err);
    free(bytes);
    if (read)
        return true;
    snprintf(err->what, sizeof err->what, "%.150s", desk_name(path));
    session_release(&out->session);
    return false;
}

/* Replace the current session by one that was read. */
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
    uint64_t stamp = stamp_of(app, path);
    if (!read_session(&opened, app, path, err) || !take_opened(app, &opened, path, err))
        return false;
    use_path(app, path, stamp, true);
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
 * If they are no weights, try to use the file as word vectors, which have the same suffix. */
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
    while (path[0] != '\0' && files->exists(files->context, path)) {
        Err err;
        bool read = read_session(opened, app, path, &err);
        if (read && !opened->faults.is_cut)
            return true;
        if (read)
            session_release(&opened->session);
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

/* Restore the autosave of an earlier window, unless this window was started with a file. */
static void recover(App *app) {
    const AppFiles *files = &app->resources.files;
    const char *path = files->places[PLACE_RECOVER];
    Opened opened;
    Err err;
    if (!app->resources.recovers || !read_recovered(&opened, app))
        return;
    if (!app_told(app, take_opened(app, &opened, path, &err), &err))
        return;
    bool has_stamp = strlen(opened.file) > STAMP_BYTES && opened.file[0] != '/';
    const char *file = opened.file + (has_stamp ? STAMP_BYTES : 0);
    snprintf(app->desk.path, sizeof app->desk.path, "%s", file);
    app->desk.stamp = has_stamp ? strtoull(opened.file, NULL, 16) : stamp_of(app, file);
    app->desk.opened_at = history_position(&app->history);
    if (!write_autosave(app, &err))
        return; /* the old file stays */
    app->desk.is_kept = true;
    app_say(app, "Your unsaved session is back. Ctrl Z starts a new one");
    keep_tour_recover(app, path);
    files->remove(files->context, path);
}

void desk_begin(App *app) {
    snapshot_take(&app->desk.saved, app);
    snapshot_take(&app->desk.autosaved, app);
    app->desk.due_s = app->desk.remember_due_s = INFINITY;
    if (app->resources.files.read == NULL)
        return;
    const AppFiles *files = &app->resources.files;
    const char *settings = files->places[PLACE_SETTINGS];
    app->tour.is_offered = app->resources.recovers && app->resources.load_tour != NULL &&
                           settings[0] != '\0' && !files->exists(files->context, settings);
    remember_begin(app);
    recover(app);
    if (files->places[PLACE_AUTOSAVE][0] != '\0' && files->autosave_note != NULL)
        app_warn(app, "%s", files->autosave_note);
    snapshot_take(&app->desk.autosaved, app);
}

void desk_release(App *app) {
    session_release(&app->desk.saved.session);
    session_release(&app->desk.autosaved.session);
    text_out_release(&app->desk.remembered_text);
    free(app->desk.recent_bytes);
    free(app->desk.names.bytes);
}

static void title(App *app) {
    AppDesk *desk = &app->desk;
    const char *name = desk->path[0] != '\0' ? desk_name(desk->path) : "Headlight";
    char shown[256];
    size_t repairs;
    shown[utf8_repair(shown, sizeof shown - 1, name, strlen(name), &repairs)] = '\0';
    snprintf(desk->title, sizeof desk->title, "%s%s%s", desk_unsaved(app) ? "* " : "", shown,
             desk->path[0] != '\0' ? " - Headlight" : "");
    app->effects.title = desk->title;
}

void desk_frame(App *app) {
    AppDesk *desk = &app->desk;
    title(app);
    if (app->resources.files.read == NULL)
        return;
    bool needs = needs_keeping(app),
         has_place = app->resources.files.places[PLACE_AUTOSAVE][0] != '\0';
    bool is_current = snapshot_is_current(&desk->autosaved, app);
    desk->is_warned = desk->is_warned && is_current;
    if (is_current && (desk->is_kept == needs || !has_place) && !keep_tour_is_stale(app))
        desk->due_s = INFINITY;
    else if (isinf(desk->due_s))
        desk->due_s = app->time_s + AUTOSAVE_S;
    if (desk->due_s <= app->time_s)
        autosave(app, needs);
    app->effects.next_frame_s = fmin(app->effects.next_frame_s, desk->due_s);
    remember_frame(app);
}

/* Delete the autosave when the window closes, unless there is unsaved work. */
bool app_keep(App *app) {
    const AppDesk *desk = &app->desk;
    bool needs = desk_unsaved(app) || keep_tour_needs(app);
    if (!session_equal(&app->session, &desk->autosaved.session) || desk->is_kept != needs ||
        keep_tour_is_stale(app) || desk->failed)
        autosave(app, needs);
    remember_frame(app); /* the setting may have changed in this frame */
    remember_write(app);
    return !needs || (desk->is_kept && !desk->failed);
}

bool desk_may_quit(App *app) {
    bool has_files = app->resources.files.read != NULL;
    if (has_files && app_keep(app))
        return true;
    if (!tour_editor_may_leave(app))
        return false;
    if (!has_files || app->desk.is_warned || !desk_unsaved(app))
        return true;
    app->desk.is_warned = true;
    app_warn(app, "The session is not saved. Save it, or repeat the action to discard it");
    path_sheet_open(app, SHEET_SAVE);
    return false;
}

void desk_undone(App *app) {
    AppDesk *desk = &app->desk;
    if (desk->path[0] == '\0' || history_position(&app->history) >= desk->opened_at)
        return;
    desk->path[0] = '\0';
}
