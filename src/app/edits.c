/* Every change of the session and the settings. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "base/heap.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "ui/number_field.h"

/* Bits in the undo tags of app_step_begin and of wandering_tag. The tags of drags have neither
 * bit. */
#define STEP_TAG   ((uint64_t)1 << 63)
#define WANDER_TAG ((uint64_t)1 << 62)

const OptionRow *option_lookup(const char *key, size_t bytes) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, bytes);
    return row != NULL ? row : option_find(&PICTURE_OPTIONS, key, bytes);
}

const OptionRow *option_row(const char *key) {
    const OptionRow *row = option_lookup(key, strlen(key));
    assert(row != NULL);
    return row;
}

const OptionRow *option_nth(int i) {
    int next = i - STATE_OPTIONS.count;
    return next < 0                       ? &STATE_OPTIONS.rows[i]
           : next < PICTURE_OPTIONS.count ? &PICTURE_OPTIONS.rows[next]
                                          : NULL;
}

bool option_is_setting(const OptionRow *row) {
    return row >= PICTURE_OPTIONS.rows && row < PICTURE_OPTIONS.rows + PICTURE_OPTIONS.count;
}

const void *app_value(const App *app, const OptionRow *row) {
    const void *values = &app->session.options;
    return (const char *)(option_is_setting(row) ? &app->settings : values) + row->offset;
}

void app_value_text(char out[OPTION_TEXT_MAX], const App *app, const OptionRow *row) {
    option_get(out, row, (const char *)app_value(app, row) - row->offset);
}

void snapshot_take(Snapshot *out, const App *app) {
    session_release(&out->session);
    *out = (Snapshot){session_share(&app->session), app->settings};
}

bool snapshot_is_current(const Snapshot *snapshot, const App *app) {
    return session_equal(&snapshot->session, &app->session) &&
           option_values_equal(&PICTURE_OPTIONS, &snapshot->settings, &app->settings);
}

/* Forget the error of an earlier edit, because the state is valid again. */
static void end_wrong(App *app) {
    if (app->wrong == NULL)
        return;
    app->wrong = NULL;
    message_end(app, app->wrong_message);
    app->ui.again = true;
}

static void state_changed(App *app, uint64_t tag) {
    history_record(&app->history, &app->session, &app->settings, tag != 0 ? tag : app->step);
    app->ui.again = true;
}

/* If the edit makes the view restart what it plays, set its position to 0 in the same undo step. */
static void state_edited(App *app, uint64_t tag) {
    const ViewPosition *position = VIEWS[app->settings.view].position;
    const void *shown;
    const Session *before = history_now(&app->history, &shown);
    const Settings *was = shown;
    Err err;
    if (position != NULL && was->view == app->settings.view &&
        position->restarts(before, was, &app->session, &app->settings))
        option_set(&app->settings, option_row(position->key), "0", 1, &err);
    state_changed(app, tag);
}

void app_step_begin(App *app) {
    app->step = STEP_TAG | ++app->step_count;
}

void app_step_end(App *app) {
    app->step = 0;
}

/* Users try out some options: the view, the settings that a window remembers, such as the theme,
 * and the position of what a view plays. Successive changes of one such option are one undo step:
 * return its undo tag. Return 0 for all other options. */
static uint64_t wandering_tag(const OptionRow *row) {
    bool wanders = settings_remembers(row) || row->choices == &VIEW_REGISTRY;
    for (int i = 0; i < VIEW_REGISTRY.count; i++)
        wanders |= VIEWS[i].position != NULL && strcmp(VIEWS[i].position->key, row->entry.id) == 0;
    return wanders && option_is_setting(row) ? WANDER_TAG | (uint64_t)row->offset : 0;
}

static bool take_session(App *app, bool made, Session *changed, Err *err) {
    bool ready = made && session_split_ready(changed, &app->resources.run.text, err) &&
                 session_fit_numbers(changed, err);
    if (ready) {
        Session before = app->session;
        app->session = *changed;
        *changed = before;
    }
    session_release(changed);
    return ready;
}

bool app_take_session(App *app, bool made, Session *changed, const Settings *settings, Err *err) {
    if (!take_session(app, made, changed, err))
        return false;
    end_wrong(app);
    number_field_cancel(&app->ui); /* it was typed for the session before */
    if (settings == NULL) {
        state_edited(app, 0);
        return true;
    }
    app->settings = *settings;
    state_changed(app, 0);
    work_forget_before(app);
    return true;
}

bool app_take(App *app, const Session *session, const Settings *settings, Err *err) {
    Session changed = session_share(session);
    return app_take_session(app, true, &changed, settings, err);
}

bool app_read_over(const App *app, Session *over, Settings *settings, const char *state,
                   size_t bytes, Err *err) {
    StateExtra extra = settings_extra(settings, app->resources.load_weights);
    bool read = state_read(over, &extra, state, bytes, err);
    if (!read)
        session_release(over);
    return read;
}

bool app_read_state(const App *app, Session *out, Settings *settings, const char *state,
                    size_t bytes, Err *err) {
    *settings = settings_fresh(app);
    return session_init(out, err) && app_read_over(app, out, settings, state, bytes, err);
}

/* Read another layer of the checkpoint. On failure also set app->failure: otherwise a command line
 * would save a picture of the error message and succeed. */
static bool read_layer(App *app, Session *changed, const OptionRow *row, const char *value,
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
    if (weights == NULL)
        app->failure = *err;
    /* Drop the numbers set by hand, because they belong to the previous layer. */
    return weights != NULL && session_set_weights(changed, weights, WEIGHTS_FIXED_ALL, err) &&
           hand_set_paint(&changed->hand, &HAND_RESET, err);
}

static bool set_option(App *app, const OptionRow *row, const char *value, Err *err) {
    if (option_is_setting(row))
        return option_set(&app->settings, row, value, strlen(value), err);
    Session changed = session_share(&app->session);
    int layer = app->session.options.layer;
    bool reads =
        changed.weights != NULL && changed.weights->layer > 0 && row == option_row("layer");
    bool had_edits = reads && app->session.hand != NULL;
    bool set = reads ? read_layer(app, &changed, row, value, err)
                     : session_set(&changed, row, value, strlen(value), err);
    if (!take_session(app, set, &changed, err))
        return false;
    if (had_edits)
        app_say(app, "Numbers set by hand in layer %d were dropped; Ctrl+Z goes back", layer);
    return true;
}

bool app_set(App *app, const OptionRow *row, const char *value, uint64_t serial) {
    Err err;
    char before[OPTION_TEXT_MAX], after[OPTION_TEXT_MAX];
    if (app->building) {
        edit_push(&app->edits, row, value, serial);
        return true;
    }
    app_value_text(before, app, row);
    if (!app_told(app, set_option(app, row, value, &err), &err)) {
        app->wrong = row;
        app->wrong_message = app->message_number;
        return false;
    }
    end_wrong(app);
    app_value_text(after, app, row);
    /* Draw again, because the control may still show the typed value, which the edit rounded. */
    app->ui.again = true;
    if (strcmp(before, after) == 0)
        return true;
    /* Combine the row with the serial, because two options may be edited by the same control. */
    uint64_t tag = serial != 0      ? serial * 4096 + (uint64_t)(row->offset + 1) * 2
                   : app->step != 0 ? app->step
                                    : wandering_tag(row);
    state_edited(app, tag);
    return true;
}

bool app_set_key(App *app, const char *key, const char *value) {
    return app_set(app, option_row(key), value, 0);
}

static void step(App *app, const char *key, int at, int count, int by) {
    app_set_key(app, key, PRINT("%d", (at - 1 + by + count) % count + 1));
}

void step_head(App *app, int by) {
    step(app, "head", app->session.options.head, app->session.options.heads, by);
}

static bool has_layers(App *app) {
    bool has = session_has_layers(&app->session);
    if (!has)
        app_say(app, "These weights have only one layer; open a checkpoint to see more");
    return has;
}

void step_layer(App *app, int by) {
    if (has_layers(app))
        app->layer_steps += by;
}

void step_layers(App *app) {
    const Weights *weights = app->session.weights;
    int by = app->layer_steps;
    app->layer_steps = 0;
    if (by != 0 && session_has_layers(&app->session))
        step(app, "layer", weights->layer, weights->layers, by % weights->layers);
}

void show_layers(App *app, int unused) {
    (void)unused;
    if (has_layers(app))
        app_set_key(app, "wall", app->settings.wall == WALL_LAYERS ? "all" : "layers");
}

bool text_is_fixed(const App *app) {
    return weights_has(app->session.weights, WEIGHTS_X);
}

bool text_say_fixed(App *app) {
    if (text_is_fixed(app))
        app_say(app, "The tokens are the rows of X in %.160s; close the file to type a sentence",
                desk_name(app->session.weights->path));
    return text_is_fixed(app);
}

/* Return insert as valid UTF-8, with control characters such as line ends as blanks, in memory that
 * the caller frees. */
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

typedef struct Split {
    const Text *text;
    Token tokens[TOKENS_MAX];
    int count;
} Split;

static bool split(Split *out, const App *app, const Session *session, Err *err) {
    TokenList list = {.at = out->tokens, .capacity = TOKENS_MAX};
    out->text = session->text;
    bool done = session_split(&list, session, &app->resources.run.text, err);
    out->count = list.total < TOKENS_MAX ? list.total : TOKENS_MAX;
    return done;
}

static bool same_token(const Split *a, int i, const Split *b, int k) {
    const Token *left = &a->tokens[i], *right = &b->tokens[k];
    return left->bytes == right->bytes &&
           memcmp(a->text->bytes + left->at, b->text->bytes + right->at, left->bytes) == 0;
}

/* After an edit of the text, numbers of X and S that were set by hand move with their tokens, if
 * the old and the new text share these at their beginning or end. Other numbers are removed. */
static bool move_numbers(App *app, const Session *before, Err *err) {
    struct {
        Split old, now;
        int places[TOKENS_MAX]; /* the new position of each old token, or -1 if it is gone */
    } * room;
    if (app->session.hand == NULL)
        return true;
    room = heap_get(sizeof *room);
    if (room == NULL)
        return err_fail(err, "memory", "too little to move the numbers set by hand");
    Split *old = &room->old, *now = &room->now;
    bool moved = split(old, app, before, err) && split(now, app, &app->session, err);
    if (moved) {
        int least = old->count < now->count ? old->count : now->count, head = 0, tail = 0;
        while (head < least && same_token(old, head, now, head))
            head++;
        while (tail < least - head &&
               same_token(old, old->count - 1 - tail, now, now->count - 1 - tail))
            tail++;
        for (int i = 0; i < old->count; i++)
            room->places[i] = i < head                 ? i
                              : i >= old->count - tail ? i + now->count - old->count
                                                       : -1;
        moved = hand_set_move(&app->session.hand, room->places, old->count, err);
    }
    free(room);
    return moved;
}

bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial) {
    Err err;
    if (text_say_fixed(app))
        return false;
    if (bytes > TOKEN_TEXT_MAX) {
        app_warn(app, "The pasted text is longer than 1 MiB and was ignored; paste a shorter one");
        return false;
    }
    size_t fit = 0, repairs = 0;
    char *room = repaired(insert, bytes, &fit, &repairs);
    Session before = session_share(&app->session);
    bool edited = room != NULL ? session_edit_text(&app->session, from, to, room, fit, &err) &&
                                     move_numbers(app, &before, &err)
                               : err_fail(&err, "memory", "too little to read the text");
    session_release(&before);
    free(room);
    if (!app_told(app, edited, &err))
        return false;
    app->hints.has_edited = true;
    state_edited(app, serial);
    if (repairs > 0) { /* shown until the text changes */
        app_warn(app, "%zu byte%s that %s not UTF-8 became U+FFFD", repairs,
                 repairs == 1 ? "" : "s", repairs == 1 ? "is" : "are");
        message_about(app, app->session.text);
    }
    return true;
}

bool app_apply(App *app, const Edit *edit) {
    Err err;
    if (edit->row != NULL)
        return app_set(app, edit->row, edit->value, edit->serial);
    Session changed = session_share(&app->session);
    bool made = edit->change != NULL ? edit->change(&changed, edit->kept, &err)
                : edit->is_by_hand   ? hand_set_paint(&changed.hand, &edit->hand, &err)
                                     : edges_paint(&changed.edges, &edit->paint, &err);
    if (!app_told(app, take_session(app, made, &changed, &err), &err))
        return false;
    end_wrong(app);
    state_edited(app, edit->serial != 0 ? edit->serial * 4096 + (edit->is_by_hand ? 3 : 1) : 0);
    return true;
}

void app_reset_edges(App *app, int unused) {
    (void)unused;
    if (app->session.edges != NULL)
        app_apply(app, &(Edit){.paint = EDGES_RESET});
}

void app_undo(App *app, int way) {
    end_wrong(app);
    if (tour_editor_undo(app, way) || number_field_cancel(&app->ui))
        return;
    /* Otherwise playing would continue and overwrite what redo needs. */
    view_memory_stop_playing(&app->memory);
    if (!(way < 0 ? history_undo : history_redo)(&app->history, &app->session, &app->settings))
        app_say(app, "%s", way < 0 ? "Nothing to undo" : "Nothing to redo");
    desk_undone(app);
    app->ui.again = true;
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
    for (int i = 0, from = 0; i < edits.count; i++) {
        if (edits.count > 1 && begins_step(&edits, from, i)) {
            app_step_begin(app);
            from = i;
        }
        if (!app_apply(app, &edits.at[i]))
            break;
    }
    app_step_end(app);
}
