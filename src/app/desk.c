#include "app/desk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "app/sheets.h"
#include "app/tour.h"
#include "base/utf8.h"

#define AUTOSAVE_S 1.0

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
    else if (files->read(&bytes, size, path, most, err))
        return bytes;
    return NULL;
}

/* True if the layer on screen is that of a question or a tour, and not the user's own. If the user
 * edits it, it becomes the user's own, unless the layer before it has a file or unsaved changes. */
static bool shows_guest(const App *app) {
    const AppDesk *desk = &app->desk;
    Snapshot own = detour_own(app);
    return detour_is_guest(app) && (desk->path[0] != '\0' || !detour_is_edited(app) ||
                                    !session_equal(&own.session, &desk->saved.session));
}

/* Return the user's own state, on screen or not. Its session is borrowed. */
static Snapshot own_state(const App *app) {
    Snapshot own = {app->session, app->settings};
    if (shows_guest(app)) {
        own = detour_own(app);
        settings_keep_remembered(&own.settings, &app->settings);
    }
    return own;
}

bool desk_saves_own(const App *app) {
    return app->desk.saves_own && shows_guest(app);
}

/* Return the settings for a file. The window's size and zoom belong to the machine and are left
 * out. */
static Settings settings_to_keep(const Settings *settings) {
    Settings standard, kept = *settings;
    option_set_standard(&standard, &PICTURE_OPTIONS);
    kept.size = standard.size;
    kept.ui_scale = standard.ui_scale;
    return kept;
}

/* Write a state as a session. */
static bool write_to(App *app, const char *path, const Snapshot *what, const DocumentKept *kept,
                     Err *err) {
    const AppFiles *files = &app->resources.files;
    Settings shown = settings_to_keep(&what->settings);
    StateExtra extra = settings_extra(&shown, NULL);
    size_t size;
    char *bytes = document_write(&size, &what->session, &extra, kept, err);
    bool wrote = bytes != NULL && files->write(files->context, path, bytes, size, true, err);
    free(bytes);
    return wrote;
}

bool desk_write_kept(App *app, Err *err) {
    Snapshot own = own_state(app);
    DocumentKept kept = {.stamp = app->desk.stamp};
    snprintf(kept.file, sizeof kept.file, "%s", app->desk.path);
    if (shows_guest(app) && detour_is_edited(app)) {
        Settings shown = settings_to_keep(&app->settings);
        StateExtra extra = settings_extra(&shown, NULL);
        kept.shown = state_make(&app->session, &extra);
        if (kept.shown == NULL)
            return err_fail(err, "memory", "too little to keep the layer on screen");
    }
    bool wrote = write_to(app, app->resources.files.places[PLACE_AUTOSAVE], &own, &kept, err);
    free(kept.shown);
    return wrote;
}

uint64_t desk_stamp(const App *app, const char *path) {
    const AppFiles *files = &app->resources.files;
    return path[0] != '\0' && files->stamp != NULL ? files->stamp(path) : 0;
}

bool desk_has_changed(const App *app, const char *path, uint64_t stamp) {
    uint64_t now = desk_stamp(app, path);
    return now != 0 && now != stamp;
}

void desk_use_path(App *app, const char *path, uint64_t stamp, bool is_new) {
    AppDesk *desk = &app->desk;
    if (is_new)
        detour_end(app);
    Snapshot own = own_state(app);
    session_release(&desk->saved.session);
    desk->saved = (Snapshot){session_share(&own.session), own.settings};
    uint64_t now = history_position(&app->history);
    if (desk->path != path)
        snprintf(desk->path, sizeof desk->path, "%s", path);
    desk->stamp = stamp;
    desk->opened_at = is_new || now < desk->opened_at ? now : desk->opened_at;
}

/* True if the user's own session differs from its saved state. */
static bool desk_unsaved(const App *app) {
    Snapshot own = own_state(app);
    return !session_equal(&own.session, &app->desk.saved.session);
}

/* True if something is unsaved: the user's own session, changes of another one on screen, or a
 * tour. */
static bool has_unsaved(const App *app) {
    return desk_unsaved(app) || detour_is_edited(app) || keep_tour_needs(app);
}

/* True if a crash would lose something: unsaved changes, or settings that are not remembered. */
static bool needs_keeping(const App *app) {
    Snapshot own = own_state(app);
    const Settings *now = &own.settings, *saved = &app->desk.saved.settings;
    if (has_unsaved(app))
        return true;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        if (!settings_remembers(row) && !option_value_equal(row, now, saved))
            return true;
    }
    return false;
}

/* True if the last autosave has the state on screen and the user's own layer behind it. */
static bool is_autosaved(const App *app) {
    const Session *own = &history_detour(&app->history)->own, *saved = &app->desk.autosaved_own;
    bool is_same = own->text != NULL && saved->text != NULL ? session_equal(own, saved)
                                                            : own->text == saved->text;
    return is_same && snapshot_is_current(&app->desk.autosaved, app);
}

static void note_autosaved(App *app) {
    const Session *own = &history_detour(&app->history)->own;
    snapshot_take(&app->desk.autosaved, app);
    session_release(&app->desk.autosaved_own);
    app->desk.autosaved_own = own->text != NULL ? session_share(own) : (Session){0};
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
    note_autosaved(app);
    /* A tour's autosave is found only through that of the session. So write it after the session's,
     * and remove it before the session's. */
    bool is_placed = path[0] != '\0';
    bool wrote = !needs || !is_placed || desk_write_kept(app, &err);
    wrote = wrote && keep_tour_write(app, &err);
    if (!needs) {
        if (desk->is_kept)
            files->remove(path);
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
    bool saves_own = desk_saves_own(app);
    Snapshot what = saves_own ? own_state(app) : (Snapshot){app->session, app->settings};
    if (write_to(app, path, &what, NULL, &err)) {
        bool was_guest = detour_is_guest(app) && !saves_own;
        if (was_guest) /* from now on, this is the user's own layer, also after undo */
            history_end_detours(&app->history);
        desk_use_path(app, path, desk_stamp(app, path), false);
        if (was_guest)
            autosave(app, needs_keeping(app));
        recent_add(app, path);
        app_say(app,
                saves_own ? "Saved your own layer as %s; Ctrl Shift S saves what is shown"
                          : "Saved %s",
                desk_name(path));
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

/* Ask where to save the user's own session, or what is shown. */
static void ask_path(App *app, bool saves_own) {
    path_sheet_open(app, SHEET_SAVE);
    app->desk.saves_own = saves_own;
}

void desk_save(App *app, int unused) {
    (void)unused;
    if (tour_editor_save(app))
        return;
    bool is_outdated = desk_has_changed(app, app->desk.path, app->desk.stamp);
    app->desk.saves_own = true;
    if (app->desk.path[0] != '\0' && !is_outdated && desk_save_as(app, app->desk.path))
        return;
    ask_path(app, app->desk.path[0] != '\0' || desk_unsaved(app));
    if (is_outdated)
        path_sheet_ask(app, app->desk.path);
}

void desk_begin(App *app) {
    snapshot_take(&app->desk.saved, app);
    note_autosaved(app);
    app->desk.due_s = app->desk.remember_due_s = INFINITY;
    if (app->resources.files.read == NULL)
        return;
    const AppFiles *files = &app->resources.files;
    const char *settings = files->places[PLACE_SETTINGS];
    app->tour.is_offered = app->resources.recovers && app->resources.load_tour != NULL &&
                           settings[0] != '\0' && !files->exists(settings);
    remember_begin(app);
    desk_recover(app);
    if (files->places[PLACE_AUTOSAVE][0] != '\0' && files->autosave_note != NULL)
        app_warn(app, "%s", files->autosave_note);
    note_autosaved(app);
}

void desk_release(App *app) {
    session_release(&app->desk.saved.session);
    session_release(&app->desk.autosaved.session);
    session_release(&app->desk.autosaved_own);
    text_out_release(&app->desk.remembered_text);
    free(app->desk.recent_bytes);
    free(app->desk.names);
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
    bool is_current = is_autosaved(app);
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
    tour_editor_commit(app); /* this also writes the tour's file, if there is one */
    bool needs = has_unsaved(app);
    if (!is_autosaved(app) || desk->is_kept != needs || keep_tour_is_stale(app) || desk->failed)
        autosave(app, needs);
    remember_frame(app); /* the setting may have changed in this frame */
    remember_write(app);
    return !needs || (desk->is_kept && !desk->failed);
}

bool desk_may_quit(App *app) {
    bool has_files = app->resources.files.read != NULL;
    if (has_files && app_keep(app))
        return true;
    take_end(app);
    if (!tour_editor_may_leave(app))
        return false;
    if (!has_files || app->desk.is_warned || !(desk_unsaved(app) || detour_is_edited(app)))
        return true;
    app->desk.is_warned = true;
    app_warn(app, "The session is not saved. Save it, or repeat the action to discard it");
    ask_path(app, desk_unsaved(app));
    return false;
}

void desk_undone(App *app) {
    AppDesk *desk = &app->desk;
    if (desk->path[0] == '\0' || history_position(&app->history) >= desk->opened_at)
        return;
    desk->path[0] = '\0';
}
