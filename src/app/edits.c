#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "app/desk.h"
#include "app/detour.h"
#include "app/fixed_input.h"
#include "app/hand_text.h"
#include "app/option_control.h"
#include "app/remember.h"
#include "base/heap.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

/* Bits that mark the tag of an undo step. Serials of drags never have them. */
#define STEP_TAG   ((uint64_t)1 << 63)
#define WANDER_TAG ((uint64_t)1 << 62)

/* Forget the error of an earlier edit, because the state is valid again. */
static void end_wrong(App *app) {
    if (app->wrong == NULL)
        return;
    app->wrong = NULL;
    message_end(app, app->wrong_message);
    app->ui.again = true;
}

static bool is_setting(const OptionRow *row) {
    return row >= PICTURE_OPTIONS.rows && row < PICTURE_OPTIONS.rows + PICTURE_OPTIONS.count;
}

const void *app_values(const App *app, const OptionRow *row) {
    return is_setting(row) ? (const void *)&app->settings : &app->session.options;
}

static void state_changed(App *app, uint64_t tag) {
    history_record(&app->history, &app->session, &app->settings, tag != 0 ? tag : app->step);
    app->ui.again = true;
}

/* If the edit restarts what the view plays, reset its position in the same undo step. */
static void state_edited(App *app, uint64_t tag) {
    const ViewPosition *position = VIEWS[app->settings.view].position;
    const void *shown;
    const Session *before = history_now(&app->history, &shown);
    const Settings *was = shown;
    if (position != NULL && was->view == app->settings.view &&
        position->restarts(before, was, &app->session, &app->settings)) {
        const OptionRow *row = option_find(&PICTURE_OPTIONS, position->key, strlen(position->key));
        Err err;
        option_set(&app->settings, row, "0", 1, &err);
    }
    state_changed(app, tag);
}

void app_step_begin(App *app) {
    app->step = STEP_TAG | ++app->step_count;
}

void app_step_end(App *app) {
    app->step = 0;
}

/* True if the option is the position of a view that plays. */
static bool is_position(const OptionRow *row) {
    for (int i = 0; i < VIEW_REGISTRY.count; i++)
        if (VIEWS[i].position != NULL && strcmp(VIEWS[i].position->key, row->entry.id) == 0)
            return true;
    return false;
}

/* Return the tag for changing views, trying themes and playing. All such changes in a row are one
 * undo step. */
static uint64_t wandering_tag(const OptionRow *row) {
    bool wanders = is_setting(row) &&
                   (settings_remembers(row) || row->choices == &VIEW_REGISTRY || is_position(row));
    return wanders ? WANDER_TAG | (uint64_t)row->offset : 0;
}

/* Replace the session by changed (its contents move), unless it needs something that was not
 * loaded. */
static bool take_session(App *app, Session *changed, Err *err) {
    bool ready = session_split_ready(changed, &app->resources.run.text, err) &&
                 session_fit_numbers(changed, err);
    if (ready) {
        Session before = app->session;
        app->session = *changed;
        *changed = before;
    }
    session_release(changed);
    return ready;
}

bool app_take_session(App *app, Session *changed, const Settings *settings, Err *err) {
    if (!take_session(app, changed, err))
        return false;
    if (settings != NULL)
        app->settings = *settings;
    end_wrong(app);
    (settings != NULL ? state_changed : state_edited)(app, 0);
    if (settings != NULL)
        work_forget_before(app);
    return true;
}

bool app_take(App *app, const Session *session, const Settings *settings, Err *err) {
    Session changed = session_share(session);
    return app_take_session(app, &changed, settings, err);
}

/* Read another layer of the checkpoint. */
static bool read_layer(const App *app, Session *changed, const OptionRow *row, const char *value,
                       Err *err) {
    WeightsLoad load = app->resources.load_weights;
    if (!option_set(&changed->options, row, value, strlen(value), err))
        return false;
    WeightsRequest request = {.layer = changed->options.layer,
                              .heads = changed->options.heads,
                              .other = changed->weights};
    if (load == NULL)
        return err_fail(err, changed->weights->path, "cannot be read here");
    Weights *weights = load(changed->weights->path, &request, err);
    /* Numbers set by hand belong to the layer in which they were set. */
    return weights != NULL && session_set_weights(changed, weights, WEIGHTS_FIXED_ALL, err) &&
           session_paint_numbers(changed, &HAND_RESET, err);
}

/* Report that another layer starts without the numbers that were set by hand in this one. */
static void say_layer_edits(App *app, int layer) {
    app_say(app, "The numbers set by hand were layer %d's; Ctrl+Z returns to them", layer);
}

static bool set_option(App *app, const OptionRow *row, const char *value, Err *err) {
    if (is_setting(row))
        return option_set(&app->settings, row, value, strlen(value), err);
    Session changed = session_share(&app->session);
    bool reads =
        changed.weights != NULL && changed.weights->layer > 0 && row == option_row("layer");
    bool set = reads ? read_layer(app, &changed, row, value, err)
                     : session_set(&changed, row, value, strlen(value), err);
    if (!set) {
        session_release(&changed);
        return false;
    }
    int layer = app->session.options.layer;
    bool had_edits = reads && app->session.hand != NULL;
    if (!take_session(app, &changed, err))
        return false;
    if (had_edits)
        say_layer_edits(app, layer);
    return true;
}

bool app_set(App *app, const OptionRow *row, const char *value, uint64_t serial) {
    Err err;
    char before[OPTION_TEXT_MAX], after[OPTION_TEXT_MAX];
    if (app->building) {
        edit_push(&app->edits, row, value, serial);
        return true;
    }
    option_get(before, row, app_values(app, row));
    bool set = set_option(app, row, value, &err);
    if (!set) {
        app_say_err(app, &err);
        app->wrong = row;
        app->wrong_message = app->message_number;
        return false;
    }
    end_wrong(app);
    option_get(after, row, app_values(app, row));
    app->ui.again = true; /* a control may show the requested value, which was rounded */
    if (strcmp(before, after) == 0)
        return true;
    /* Combine the row with the serial, because two options may be edited by the same control. */
    uint64_t tag = serial != 0      ? serial * 4096 + (uint64_t)(row->offset + 1) * 2
                   : app->step != 0 ? app->step
                                    : wandering_tag(row);
    state_edited(app, tag);
    return true;
}

bool app_set_state(App *app, const char *key, const char *value, uint64_t serial) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert(row != NULL);
    return app_set(app, row, value, serial);
}

static void step(App *app, const char *key, int at, int count, int by) {
    char value[16];
    snprintf(value, sizeof value, "%d", (at - 1 + by + count) % count + 1);
    app_set_state(app, key, value, 0);
}

void step_head(App *app, int by) {
    step(app, "head", app->session.options.head, app->session.options.heads, by);
}

void step_layer(App *app, int by) {
    const Weights *weights = app->session.weights;
    if (session_has_layers(&app->session))
        step(app, "layer", weights->layer, weights->layers, by);
    else
        app_say(app, "The weights have one layer; a checkpoint has more");
}

void show_layers(App *app, int argument) {
    (void)argument;
    const OptionRow *row = option_find(&PICTURE_OPTIONS, "wall", 4);
    if (session_has_layers(&app->session))
        app_set(app, row, app->settings.wall == WALL_LAYERS ? "all" : "layers", 0);
    else
        app_say(app, "The weights have one layer; a checkpoint has more");
}

/* Return insert without malformed bytes, NULs and line ends, in memory that the caller frees. */
static char *repaired(const char *insert, size_t bytes, size_t *out_bytes, size_t *repairs) {
    char *room = heap_get(bytes * 3 + 1);
    if (room == NULL)
        return NULL;
    *out_bytes = utf8_repair(room, bytes * 3, insert, bytes, repairs);
    for (size_t i = 0; i < *out_bytes; i++)
        if ((unsigned char)room[i] < 0x20 || room[i] == 0x7f)
            room[i] = ' ';
    return room;
}

bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial) {
    Err err;
    if (fixed_input_report(app))
        return false;
    if (bytes > TOKEN_TEXT_MAX) {
        app_warn(app, "The text pasted is longer than 1 MiB and was left out; paste less of it");
        return false;
    }
    size_t fit = 0, repairs = 0;
    char *room = repaired(insert, bytes, &fit, &repairs);
    Session before = session_share(&app->session);
    bool edited = room != NULL ? session_edit_text(&app->session, from, to, room, fit, &err) &&
                                     hand_follow_text(app, &before, &err)
                               : err_fail(&err, "memory", "too little to take in the text");
    session_release(&before);
    free(room);
    app->hints.has_edited = app->hints.has_edited || edited;
    if (edited)
        state_edited(app, serial);
    else
        app_say_err(app, &err);
    if (edited && repairs > 0) {
        /* Show how often the text was repaired, until the text changes. */
        app_warn(app, "%zu byte%s that %s not UTF-8 became U+FFFD", repairs,
                 repairs == 1 ? "" : "s", repairs == 1 ? "is" : "are");
        message_about(app, app->session.text);
    }
    return edited;
}

/* Open or close edges of the mask. Calls with the same serial other than 0 are one undo step. */
static bool app_paint_edges(App *app, const EdgePaint *paint, uint64_t serial) {
    Err err;
    if (app->building) {
        edit_push_edges(&app->edits, paint, serial);
        return true;
    }
    if (!session_paint_edges(&app->session, paint, &err)) {
        app_say_err(app, &err);
        return false;
    }
    state_edited(app, serial != 0 ? serial * 4096 + 1 : 0);
    return true;
}

void app_reset_edges(App *app, int argument) {
    (void)argument;
    if (app->session.edges != NULL)
        app_paint_edges(app, &EDGES_RESET, 0);
}

bool app_paint_hand(App *app, const HandPaint *paint, uint64_t serial) {
    Err err;
    if (app->building) {
        edit_push_hand(&app->edits, paint, serial);
        return true;
    }
    if (!session_paint_numbers(&app->session, paint, &err)) {
        app_say_err(app, &err);
        return false;
    }
    state_edited(app, serial != 0 ? serial * 4096 + 3 : 0);
    return true;
}

void app_undo(App *app, int way) {
    end_wrong(app);
    if (tour_editor_undo(app, way))
        return;
    view_memory_stop_playing(
        &app->memory); /* otherwise playing would continue and overwrite what redo needs */
    if (!(way < 0 ? history_undo : history_redo)(&app->history, &app->session, &app->settings))
        app_say(app, "%s", way < 0 ? "Nothing to undo" : "Nothing to redo");
    desk_undone(app);
    detour_undone(app);
    app->ui.again = true;
}

static bool change_session(App *app, const Edit *edit) {
    Err err;
    Session changed = session_share(&app->session);
    bool made = edit->change(&changed, edit->kept, &err);
    if (!made)
        session_release(&changed);
    made = made && app_take_session(app, &changed, NULL, &err);
    if (!made)
        app_say_err(app, &err);
    return made;
}

/* True if edit i starts another undo step. The changes of one click are one step; a second change
 * of the same thing starts another. */
static bool begins_step(const EditQueue *edits, int from, int i) {
    for (int k = from; k < i; k++)
        if (edits->at[k].row == edits->at[i].row)
            return true;
    return i == 0;
}

void app_apply_edits(App *app) {
    EditQueue edits = app->edits;
    app->edits.count = 0;
    bool applied = true;
    for (int i = 0, from = 0; i < edits.count && applied; i++) {
        const Edit *edit = &edits.at[i];
        if (edits.count > 1 && begins_step(&edits, from, i)) {
            app_step_begin(app);
            from = i;
        }
        applied = edit->change != NULL ? change_session(app, edit)
                  : edit->row != NULL  ? app_set(app, edit->row, edit->value, edit->serial)
                  : edit->is_by_hand   ? app_paint_hand(app, &edit->hand, edit->serial)
                                       : app_paint_edges(app, &edit->paint, edit->serial);
    }
    app_step_end(app);
}
