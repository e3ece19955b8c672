#include "app/tour_editor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/desk.h"
#include "app/examples.h"
#include "app/hall.h"
#include "app/sheets.h"
#include "app/tour.h"
#include "base/heap.h"
#include "document/tour.h"

static const char *const KEYS[TOUR_FIELDS] = {
    [TOUR_FIELD_NAME] = "title",
    [TOUR_FIELD_TITLE] = "title",
    [TOUR_FIELD_CAPTION] = "caption",
    [TOUR_FIELD_NOTE] = "note",
};

static void version_release(TourVersion *version) {
    free(version->bytes);
    *version = (TourVersion){0};
}

void tour_editor_forget(App *app) {
    AppTourEditor *e = &app->tour_editor;
    for (int i = 0; i < e->version_count; i++)
        version_release(&e->versions[i]);
    step_pictures_release(&e->pictures);
    *e = (AppTourEditor){.typed = TOUR_FIELDS, .changes = e->changes + 1};
}

/* Append a version after the current one and make it the current one. Remove later versions and, if
 * there are too many, the oldest. Copy the bytes. Return false if memory runs out. */
static bool version_push(App *app, const char *bytes, size_t size) {
    AppTourEditor *e = &app->tour_editor;
    char *copy = heap_get(size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, bytes, size);
    while (e->version_count > e->version + 1)
        version_release(&e->versions[--e->version_count]);
    if (e->version_count == TOUR_VERSIONS_MAX) {
        version_release(&e->versions[0]);
        memmove(e->versions, e->versions + 1, (TOUR_VERSIONS_MAX - 1) * sizeof e->versions[0]);
        e->version_count--;
    }
    e->version = e->version_count++;
    e->versions[e->version] = (TourVersion){.bytes = copy,
                                            .size = size,
                                            .step = app->tour.step,
                                            .before = history_position(&app->history),
                                            .after = history_position(&app->history)};
    return true;
}

bool tour_editor_is_shown(const App *app) {
    return app->tour_editor.is_on && tour_is_on(app) && !app->take.is_on &&
           !app->tour.is_presented && !app->tour.is_recorded && !app->lecture.is_on;
}

const char *tour_editor_text(const App *app, int index, TourField field) {
    const TourStep *step = &app->tour.tour.steps[index];
    const char *const texts[TOUR_FIELDS] = {
        [TOUR_FIELD_NAME] = app->tour.tour.title,
        [TOUR_FIELD_TITLE] = step->title,
        [TOUR_FIELD_CAPTION] = step->caption,
        [TOUR_FIELD_NOTE] = step->note,
    };
    return texts[field];
}

static bool write_file(App *app, const char *path) {
    const AppFiles *files = &app->resources.files;
    AppTourEditor *e = &app->tour_editor;
    const Tour *tour = &app->tour.tour;
    Err err;
    bool wrote =
        files->write(files->context, path, tour->bytes + tour->size + 1, tour->size, true, &err);
    e->is_unsaved = !wrote;
    if (wrote)
        e->stamp = desk_stamp(app, path);
    return app_told(app, wrote, &err);
}

/* Note a change of the tour, and write it to the tour's file, unless another program has changed
 * the file. */
static void note_change(App *app) {
    AppTourEditor *e = &app->tour_editor;
    bool was_saved = !e->is_unsaved;
    e->is_unsaved = true;
    e->changes++;
    if (e->path[0] == '\0')
        return;
    if (!desk_has_changed(app, e->path, e->stamp))
        write_file(app, e->path);
    else if (was_saved)
        app_warn(app,
                 "%.200s has changed since it was opened. The tour's changes stay in this window; "
                 "Ctrl S asks whether to replace the file",
                 desk_name(e->path));
}

/* Replace the tour's text and show one of its steps. If shows, also set the step's state. */
static bool take_text(App *app, TextOut *text, int step, bool shows) {
    AppTourEditor *e = &app->tour_editor;
    Tour tour;
    const Tour *was = &app->tour.tour;
    Err err = {.kind = ERR_NONE};
    /* Before the first change, the tour is stored as the first version. */
    bool has_versions =
        e->version_count > 0 || version_push(app, was->bytes + was->size + 1, was->size);
    bool taken = !text->failed && has_versions && tour_read_text(&tour, text->at, text->used, &err);
    if (taken && !version_push(app, text->at, text->used)) {
        tour_release(&tour);
        taken = false;
    }
    text_out_release(text);
    if (!taken && err.kind == ERR_NONE)
        err_fail(&err, "memory", "too little to change the tour; close other programs");
    if (!app_told(app, taken, &err))
        return false;
    tour_replace(app, &tour, step);
    if (shows)
        tour_go(app, step);
    e->versions[e->version].step = step;
    e->versions[e->version].after = history_position(&app->history);
    e->is_warned = false;
    note_change(app);
    app->ui.again = true;
    return true;
}

/* Return the text that the tour has for the field in which the user types; NULL without such a
 * field. */
static const char *typed_before(const App *app) {
    const AppTourEditor *e = &app->tour_editor;
    if (!tour_is_on(app) || e->typed >= TOUR_FIELDS || e->typed_step >= app->tour.tour.step_count)
        return NULL;
    const char *was = tour_editor_text(app, e->typed_step, e->typed);
    return was != NULL ? was : "";
}

/* True if a field has words that the tour does not have yet. */
static bool has_typed(const App *app) {
    const AppTourEditor *e = &app->tour_editor;
    const char *was = typed_before(app);
    return was != NULL && strlen(was) < TOUR_FIELD_MAX && strcmp(was, e->texts[e->typed]) != 0;
}

/* Append the tour's text with the words that are being typed. */
static void write_typed(TextOut *out, const App *app) {
    const AppTourEditor *e = &app->tour_editor;
    const Tour *tour = &app->tour.tour;
    if (has_typed(app))
        tour_write_key(out, tour, e->typed == TOUR_FIELD_NAME ? TOUR_HEADER : e->typed_step,
                       KEYS[e->typed], e->texts[e->typed]);
    else
        text_out(out, "%.*s", (int)tour->size, tour->bytes + tour->size + 1);
}

void tour_editor_commit(App *app) {
    AppTourEditor *e = &app->tour_editor;
    const char *was = typed_before(app);
    TextOut text = {0};
    bool changes = has_typed(app);
    if (was != NULL && strlen(was) >= TOUR_FIELD_MAX)
        app_warn(app, "This text is too long for the field; change it in the file");
    if (changes)
        write_typed(&text, app);
    e->typed = TOUR_FIELDS;
    if (changes)
        take_text(app, &text, app->tour.step, false);
}

bool tour_editor_is_unsaved(const App *app) {
    return tour_is_on(app) && (app->tour_editor.is_unsaved || has_typed(app));
}

/* A step's state is applied on top of the tour's, and state strings omit defaults. So append the
 * default of each option that the tour's state has changed. */
static void append_defaults(TextOut *out, const OptionTable *table, const void *now,
                            const void *base) {
    for (int i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        char value[OPTION_TEXT_MAX];
        if (!option_is_standard(row, now) || option_value_equal(row, now, base))
            continue;
        option_get(value, row, now);
        text_out(out, "%s%s=%s", out->used > 0 ? "&" : "", row->entry.id, value);
    }
}

/* Append the state string of a session, without the settings that a window remembers: theme, sizes,
 * motion. */
static void append_state(TextOut *out, const Session *session, const Settings *settings) {
    Settings shown = *settings, standard = *settings;
    option_set_standard(&standard, &PICTURE_OPTIONS);
    settings_keep_remembered(&shown, &standard);
    StateExtra extra = settings_extra(&shown, NULL);
    char *state = state_make(session, &extra);
    out->failed |= state == NULL;
    text_out(out, "%s", state != NULL ? state : "");
    free(state);
}

/* True if the tour's state followed by the step's gives the current state. */
static bool is_same(App *app, const char *base, const TextOut *state, Err *err) {
    TextOut whole = {0}, now = {0}, read = {0};
    Session session;
    Settings settings;
    text_out(&whole, "%s%s%s", base, base[0] != '\0' && state->used > 0 ? "&" : "", state->at);
    append_state(&now, &app->session, &app->settings);
    bool same =
        !whole.failed && app_read_state(app, &session, &settings, whole.at, whole.used, err);
    if (same) {
        append_state(&read, &session, &settings);
        same = !now.failed && !read.failed && strcmp(now.at, read.at) == 0;
        if (!same)
            err_fail(err, "step",
                     "a step cannot undo the state of the whole tour; begin a new tour, or move "
                     "that state from the tour to its steps");
        session_release(&session);
    }
    text_out_release(&whole);
    text_out_release(&now);
    text_out_release(&read);
    return same;
}

/* Append the current state as the state string of a step, relative to base, which may be NULL. */
static bool step_state(App *app, TextOut *out, const char *base, Err *err) {
    Session session;
    Settings settings;
    base = base != NULL ? base : "";
    append_state(out, &app->session, &app->settings);
    if (!app_read_state(app, &session, &settings, base, strlen(base), err))
        return false;
    append_defaults(out, &STATE_OPTIONS, &app->session.options, &session.options);
    append_defaults(out, &PICTURE_OPTIONS, &app->settings, &settings);
    session_release(&session);
    return out->failed ? err_fail(err, "memory", "too little for the step; close other programs")
                       : is_same(app, base, out, err);
}

void tour_edit_step(App *app, int is_new) {
    const Tour *tour = &app->tour.tour;
    int step = app->tour.step + (is_new != 0);
    TextOut state = {0}, text = {0};
    Err err;
    bool made = app_told(app, step_state(app, &state, tour->state, &err), &err);
    if (made && is_new != 0) {
        tour_write_step(&text, tour, step, VIEWS[app_view(app)].entry.label, state.at);
        if (take_text(app, &text, step, true))
            tour_strip_focus(app);
    } else if (made) {
        tour_write_key(&text, tour, step, "state", state.at);
        take_text(app, &text, step, true);
    }
    text_out_release(&state);
}

bool tour_editor_begin(App *app, const char *bytes, size_t size) {
    Tour tour;
    Err err;
    if (!app_told(app, tour_read_text(&tour, bytes, size, &err), &err))
        return false;
    app->tour.id[0] = '\0';
    tour_begin(app, &tour, 0);
    app->tour_editor.is_on = app->tour_editor.is_unsaved = true;
    app->tour_editor.changes++;
    return true;
}

static void begin_new(App *app) {
    TextOut state = {0}, text = {0};
    Err err;
    if (app_told(app, step_state(app, &state, NULL, &err), &err)) {
        text_out(
            &text,
            "# Headlight tour 1\ntitle = My tour\nstage = window\n\n== step-1: %s\nstate = %s\n",
            VIEWS[app_view(app)].entry.label, state.at);
        if (!text.failed && tour_editor_begin(app, text.at, text.used))
            tour_strip_focus(app);
    }
    text_out_release(&state);
    text_out_release(&text);
}

/* True if the steps from first to last can be reordered. Otherwise show a message: one of them has
 * a state relative to the step before it, so reordering would change that state. */
static bool may_move(App *app, int first, int last) {
    const Tour *tour = &app->tour.tour;
    for (int i = first; i <= last && i < tour->step_count; i++)
        if (tour->steps[i].is_over_last) {
            app_warn(app, "A step here starts from the one before it (+state), so this step cannot "
                          "be moved or deleted here. Edit the tour's file instead.");
            return false;
        }
    return true;
}

void tour_edit_frame(App *app, int fills) {
    TextOut text = {0};
    int step = app->tour.step;
    tour_write_key(&text, &app->tour.tour, step, "frame", fills != 0 ? app->part_menu.part : "");
    take_text(app, &text, step, false);
}

void tour_edit_move(App *app, int way) {
    TextOut text = {0};
    int step = app->tour.step, to = step + way, count = app->tour.tour.step_count;
    if (to < 0 || to >= count || !may_move(app, to < step ? to : step, (to < step ? step : to) + 1))
        return;
    tour_write_move(&text, &app->tour.tour, step, to);
    take_text(app, &text, to, false);
}

void tour_edit_drop(App *app, int unused) {
    (void)unused;
    TextOut text = {0};
    int step = app->tour.step, count = app->tour.tour.step_count;
    if (count == 1)
        app_warn(app, "A tour needs at least one step; set another picture, or close the tour");
    if (count == 1 || !may_move(app, step, step + 1))
        return;
    tour_write_without(&text, &app->tour.tour, step);
    take_text(app, &text, step < count - 1 ? step : step - 1, true);
}

void tour_edit_play(App *app, int unused) {
    (void)unused;
    app->tour_editor.is_on = false;
    tour_go(app, 0);
}

void tour_editor_add(App *app, int argument) {
    (void)argument;
    if (app->sheet != SHEET_NONE)
        return;
    if (hall_is_on(app)) {
        app_warn(app, "A tour cannot be changed while it is presented; F5 stops presenting");
    } else if (app->take.is_on) {
        if (take_end(app)) { /* this appends the current state as the last step */
            tour_go(app, app->tour.tour.step_count - 1);
            tour_strip_focus(app);
        }
    } else if (!tour_is_on(app)) {
        begin_new(app);
    } else {
        app->tour_editor.is_on = true;
        tour_editor_commit(app);
        app_do(app, tour_edit_step, 1);
        if (!tour_editor_is_shown(app))
            app_say(app, "Added as step %d", app->tour.step + 1);
    }
}

void tour_editor_toggle(App *app, int argument) {
    (void)argument;
    tour_editor_commit(app);
    if (app->take.is_on)
        app_say(app, "Ctrl F9 stops the recording; then you can edit it");
    else if (!tour_is_on(app))
        app_say(app, "No tour is open; Ctrl Enter begins one with the current state");
    app->tour_editor.is_on = tour_is_on(app) && !app->tour_editor.is_on;
    if (!app->tour_editor.is_on)
        step_pictures_release(&app->tour_editor.pictures);
    app->ui.focus = 0;
    app->ui.again = true;
}

bool tour_editor_undo(App *app, int way) {
    AppTourEditor *e = &app->tour_editor;
    Tour tour;
    Err err;
    if (!tour_editor_is_shown(app))
        return false;
    bool is_typed = e->typed < TOUR_FIELDS;
    int version = e->version;
    tour_editor_commit(app);
    if (is_typed && way < 0 && e->version == version)
        return true; /* the field with the caret has no change: do not undo an earlier one */
    const TourVersion *from = &e->versions[e->version], *to = from + way;
    uint64_t now = history_position(&app->history);
    bool is_last = way < 0 ? e->version > 0 && now == from->after
                           : e->version + 1 < e->version_count && now == to->before;
    if (!is_last || !tour_read_text(&tour, to->bytes, to->size, &err))
        return false;
    while (way < 0 && history_position(&app->history) > from->before &&
           history_undo(&app->history, &app->session, &app->settings))
        ;
    while (way > 0 && history_position(&app->history) < to->after &&
           history_redo(&app->history, &app->session, &app->settings))
        ;
    e->version += way;
    tour_replace(app, &tour, to->step);
    note_change(app);
    app->ui.focus = 0;
    app->ui.again = true;
    return true;
}

bool tour_editor_save(App *app) {
    if (!tour_editor_is_shown(app))
        return false;
    tour_editor_commit(app);
    const AppTourEditor *e = &app->tour_editor;
    bool has_changed = desk_has_changed(app, e->path, e->stamp);
    if (e->path[0] == '\0' || has_changed)
        export_view_ask(app, RESULT_TOUR);
    else
        tour_editor_save_as(app, e->path);
    if (has_changed)
        path_sheet_ask(app, e->path);
    return true;
}

bool tour_editor_save_as(App *app, const char *path) {
    AppTourEditor *e = &app->tour_editor;
    if (!tour_is_on(app) || !write_file(app, path))
        return false;
    if (path != e->path)
        snprintf(e->path, sizeof e->path, "%s", path);
    app_say(app, "Saved %s; F5 presents it", desk_name(path));
    return true;
}

bool tour_editor_may_leave(App *app) {
    AppTourEditor *e = &app->tour_editor;
    tour_editor_commit(app);
    if (!tour_is_on(app) || !e->is_unsaved || e->is_warned)
        return true;
    e->is_warned = e->is_on = true;
    app_warn(app, "The tour is not saved. Save it, or repeat the action to discard it");
    export_view_ask(app, RESULT_TOUR);
    return false;
}

static bool kept_path(char out[DOCUMENT_PATH_MAX], const char *session) {
    int bytes = snprintf(out, DOCUMENT_PATH_MAX, "%s" TOUR_SUFFIX, session);
    return session[0] != '\0' && bytes < DOCUMENT_PATH_MAX;
}

static const char *typed(const App *app) {
    const AppTourEditor *e = &app->tour_editor;
    return e->typed < TOUR_FIELDS ? e->texts[e->typed] : "";
}

bool keep_tour_needs(const App *app) {
    return take_needs(app) || tour_editor_is_unsaved(app);
}

bool keep_tour_is_stale(const App *app) {
    const AppKeptTour *kept = &app->desk.tour;
    return kept->is_kept != keep_tour_needs(app) ||
           (kept->is_kept &&
            (kept->changes != app->tour_editor.changes || strcmp(kept->words, typed(app)) != 0));
}

bool keep_tour_write(App *app, Err *err) {
    const AppFiles *files = &app->resources.files;
    AppKeptTour *kept = &app->desk.tour;
    char path[DOCUMENT_PATH_MAX];
    TextOut text = {0};
    bool needs = keep_tour_needs(app), was_kept = kept->is_kept;
    *kept = (AppKeptTour){.is_kept = needs, .changes = app->tour_editor.changes};
    snprintf(kept->words, sizeof kept->words, "%s", typed(app));
    if (!kept_path(path, files->places[PLACE_AUTOSAVE]))
        return true;
    if (!needs && was_kept)
        files->remove(path);
    if (!needs)
        return true;
    (take_needs(app) ? take_write : write_typed)(&text, app);
    bool wrote = text.failed ? err_fail(err, "memory", "too little to keep the tour")
                             : files->write(files->context, path, text.at, text.used, true, err);
    text_out_release(&text);
    return wrote;
}

void keep_tour_recover(App *app, const char *session) {
    const AppFiles *files = &app->resources.files;
    char path[DOCUMENT_PATH_MAX], *bytes = NULL;
    size_t size;
    Err err;
    if (!kept_path(path, session) || !files->exists(path))
        return;
    if (!app_told(app, files->read(&bytes, &size, path, TOUR_BYTES_MAX, &err), &err))
        return;
    if (tour_editor_begin(app, bytes, size) && keep_tour_write(app, &err)) {
        files->remove(path);
        app_say(app, "Your unsaved tour is back; Ctrl S saves it");
    }
    free(bytes);
}
