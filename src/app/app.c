#include "app/app.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "app/commands.h"
#include "app/desk.h"
#include "app/given.h"
#include "app/hint.h"
#include "app/remember.h"
#include "app/results.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "ui/label.h"

#define PASSES_MAX 6 /* of building one frame, until what it changed is in it */

/* Which steps of undo are one; no serial of a drag comes near. */
#define STEP_TAG   ((uint64_t)1 << 63)
#define WANDER_TAG ((uint64_t)1 << 62)

App *app_create(const AppResources *resources, const Session *session, const Settings *settings,
                Err *err) {
    App *app = calloc(1, sizeof *app);
    if (app == NULL) {
        err_fail(err, "memory", "too little to start; close other programs");
        return NULL;
    }
    app->resources = *resources;
    app->session = session_share(session);
    app->settings = *settings;
    app->pass_s = -1;
    app->hover.lit = app->hover.next = SPOT_NONE;
    keymap_standard(&app->keys);
    if (!history_start(&app->history, &app->session, &app->settings, sizeof app->settings, err) ||
        !run_init(&app->run, err)) {
        app_destroy(app);
        return NULL;
    }
    desk_begin(app);
    return app;
}

bool app_is_computing(const App *app) {
    return app->work.job != WORK_NONE || view_memory_is_computing(&app->memory);
}

void app_destroy(App *app) {
    if (app == NULL)
        return;
    bool ended = work_end(app);
    if (!view_memory_end(&app->memory) || !ended)
        return;
    history_release(&app->history);
    run_release(&app->run);
    arena_release(&app->scratch);
    view_memory_release(&app->memory);
    session_release(&app->session);
    desk_release(app);
    free(app->copied.bytes);
    free(app->selected.bytes);
    free(app);
}

const AppEffects *app_effects(const App *app) {
    return &app->effects;
}

const Session *app_session(const App *app) {
    return &app->session;
}

const Settings *app_settings(const App *app) {
    return &app->settings;
}

/* As a verb would say it, without the dashes of its options: in the window nobody types those. */
void app_say_err(App *app, const Err *err) {
    char text[sizeof err->what + sizeof err->why + 4];
    char *to = text;
    snprintf(text, sizeof text, "%s: %s", err->what, err->why);
    for (const char *from = text; (*to = *from) != '\0'; to++, from++)
        if (strncmp(from, "--", 2) == 0)
            *to = *(from += 2);
    app_say(app, text, true);
}

/* The state holds again: what was wrong with an edit before is over. */
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

/* Settings are numbers of four bytes throughout, with nothing between them: they compare as such.
 */
static void state_changed(App *app, uint64_t tag) {
    history_record(&app->history, &app->session, &app->settings, tag != 0 ? tag : app->step);
    app->ui.again = true;
}

void app_record(App *app) {
    state_changed(app, 0);
}

void app_step_begin(App *app) {
    app->step = STEP_TAG | ++app->step_count;
}

void app_step_end(App *app) {
    app->step = 0;
}

/* Going from view to view, and trying one theme after the other, is one step wherever it leads. */
static uint64_t wandering_tag(const OptionRow *row) {
    bool wanders = is_setting(row) && (settings_remembers(row) || row->choices == &VIEW_REGISTRY);
    return wanders ? WANDER_TAG | (uint64_t)row->offset : 0;
}

/* Put changed, which is given up, in the session's place, unless it needs what was not loaded. */
static bool take_session(App *app, Session *changed, Err *err) {
    bool ready = tokenizer_ready(changed->options.tokenizer, &app->resources.run.text, err);
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
    state_changed(app, 0);
    return true;
}

static bool set_option(App *app, const OptionRow *row, const char *value, Err *err) {
    if (is_setting(row))
        return option_set(&app->settings, row, value, strlen(value), err);
    Session changed = session_share(&app->session);
    if (session_set(&changed, row, value, strlen(value), err))
        return take_session(app, &changed, err);
    session_release(&changed);
    return false;
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
    app->ui.again = true; /* a control showed what was asked for, which may round to what was */
    if (strcmp(before, after) == 0)
        return true;
    /* One serial covers one control: the row tells two apart. */
    uint64_t tag = serial != 0      ? serial * 4096 + (uint64_t)(row->offset + 1) * 2
                   : app->step != 0 ? app->step
                                    : wandering_tag(row);
    state_changed(app, tag);
    return true;
}

bool app_set_state(App *app, const char *key, const char *value, uint64_t serial) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert(row != NULL);
    return app_set(app, row, value, serial);
}

/* insert without malformed bytes, NULs and line ends, in memory that the caller frees. */
static char *repaired(const char *insert, size_t bytes, size_t *out_bytes, size_t *repairs) {
    char *room = malloc(bytes * 3 + 1);
    if (room == NULL)
        return NULL;
    *out_bytes = utf8_repair(room, bytes * 3, insert, bytes, repairs);
    for (size_t i = 0; i < *out_bytes; i++)
        if ((unsigned char)room[i] < 0x20 || room[i] == 0x7f)
            room[i] = ' ';
    return room;
}

/* For as long as the text is the one that was repaired. */
static void say_repairs(App *app, size_t repairs) {
    char text[128];
    snprintf(text, sizeof text, "%zu byte%s that %s not UTF-8 became U+FFFD", repairs,
             repairs == 1 ? "" : "s", repairs == 1 ? "is" : "are");
    app_say(app, text, true);
    app->messages[app->message_count - 1].about = app->session.text;
}

bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial) {
    Err err;
    if (given_say_rows(app))
        return false;
    if (bytes > TOKEN_TEXT_MAX) {
        app_say(app, "The text pasted is longer than 1 MiB and was left out; paste less of it",
                true);
        return false;
    }
    size_t fit = 0, repairs = 0;
    char *room = repaired(insert, bytes, &fit, &repairs);
    bool edited = room != NULL ? session_edit_text(&app->session, from, to, room, fit, &err)
                               : err_fail(&err, "memory", "too little to take in the text");
    free(room);
    if (edited)
        state_changed(app, serial);
    else
        app_say_err(app, &err);
    if (edited && repairs > 0)
        say_repairs(app, repairs);
    return edited;
}

bool app_paint_edges(App *app, const EdgePaint *paint, uint64_t serial) {
    Err err;
    if (app->building) {
        edit_push_edges(&app->edits, paint, serial);
        return true;
    }
    if (!session_paint_edges(&app->session, paint, &err)) {
        app_say_err(app, &err);
        return false;
    }
    state_changed(app, serial != 0 ? serial * 4096 + 1 : 0);
    return true;
}

void app_undo(App *app) {
    end_wrong(app);
    if (!history_undo(&app->history, &app->session, &app->settings))
        app_say(app, "Nothing to undo", false);
    desk_undone(app);
    app->ui.again = true;
}

void app_redo(App *app) {
    end_wrong(app);
    if (!history_redo(&app->history, &app->session, &app->settings))
        app_say(app, "Nothing to redo", false);
    app->ui.again = true;
}

/* The text as kept in out, or NULL for want of memory, which is said. */
static const char *keep_copy(App *app, AppCopy *out, const char *text, size_t bytes) {
    if (bytes > out->capacity) {
        char *grown = realloc(out->bytes, bytes);
        if (grown == NULL) {
            app_say(app, "Too little memory to copy", true);
            return NULL;
        }
        out->bytes = grown;
        out->capacity = bytes;
    }
    return memcpy(out->bytes, text, bytes);
}

void app_copy(App *app, const char *text, size_t bytes) {
    if (bytes == 0)
        return;
    app->effects.clipboard = keep_copy(app, &app->copied, text, bytes);
    app->effects.clipboard_bytes = bytes;
}

/* What widgets put on the clipboard and selected, before the next pass may release the text that
 * it is a part of. */
static void take_copies(App *app) {
    Ui *ui = &app->ui;
    if (ui->copied != NULL)
        app_copy(app, ui->copied, ui->copied_bytes);
    if (ui->selected != NULL) {
        app->effects.selection = keep_copy(app, &app->selected, ui->selected, ui->selected_bytes);
        app->effects.selection_bytes = ui->selected_bytes;
    }
    ui->copied = ui->selected = NULL;
    app->effects.want_paste |= ui->wants_paste;
    app->effects.want_selection |= ui->wants_selection;
}

ViewContext app_view_context(App *app) {
    return (ViewContext){.ui = &app->ui,
                         .session = app_shown_session(app),
                         .run = &app->run,
                         .edits = &app->edits,
                         .hover = &app->hover,
                         .settings = &app->settings,
                         .memory = &app->memory,
                         .now_s = app->resources.now_s,
                         .hands = app->resources.hands,
                         .scratch = &app->scratch,
                         .window_width = app->layout.window.w,
                         .is_late = work_is_said(app),
                         .waits = app->work.waits,
                         .save = &app->wanted};
}

bool app_read_state(const App *app, Session *session, Settings *settings, const char *string,
                    size_t bytes, Err *err) {
    StateExtra extra = {.table = &PICTURE_OPTIONS,
                        .values = settings,
                        .values_bytes = sizeof *settings,
                        .load = app->resources.load_weights};
    return state_read(session, &extra, string, bytes, err);
}

/* A pasted state string, where no text field took the clipboard. A string leaves defaults out, so
 * that it is read into a default session; how the picture is shown stays unless it says so. */
static void paste_state(App *app, const InputEvent *event) {
    Err err;
    Session changed;
    Settings settings = app->settings;
    if (!session_init(&changed, &err)) {
        app_say_err(app, &err);
    } else if (!app_read_state(app, &changed, &settings, event->text, event->text_bytes, &err)) {
        session_release(&changed);
        app_say(app, "The clipboard holds no state string; copy one with Ctrl Shift C", true);
    } else if (!app_take_session(app, &changed, &settings, &err)) {
        app_say_err(app, &err);
    }
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

/* What one click changes is one step: until the same thing is changed again. */
static bool begins_step(const EditQueue *edits, int from, int i) {
    for (int k = from; k < i; k++)
        if (edits->at[k].row == edits->at[i].row)
            return true;
    return i == 0;
}

static void apply_edits(App *app) {
    EditQueue edits = app->edits;
    app->edits.count = 0;
    given_let_go(app);
    bool applied = true;
    for (int i = 0, from = 0; i < edits.count && applied; i++) {
        const Edit *edit = &edits.at[i];
        if (edits.count > 1 && begins_step(&edits, from, i)) {
            app_step_begin(app);
            from = i;
        }
        applied = edit->change != NULL ? change_session(app, edit)
                  : edit->row != NULL  ? app_set(app, edit->row, edit->value, edit->serial)
                                       : app_paint_edges(app, &edit->paint, edit->serial);
    }
    app_step_end(app);
}

/* All of the window, in the order in which Tab goes round. */
static void build_parts(App *app) {
    if (app->layout.too_small) {
        Rect area = rect_inset(app->layout.window, 12, 12);
        LabelStyle style = {FONT_SANS, 16, app->ui.theme->text_1, LABEL_LEFT};
        label_wrap(&app->ui, area, &style,
                   "This window is too small to show attention. Make it "
                   "larger, or everything smaller with Ctrl −.");
        return;
    }
    app->has_drawn_sheet = app->sheet != SHEET_NONE;
    sheet_draw(app);
    app->ui.unlisted = app->has_drawn_sheet; /* Tab stays on a sheet */
    text_row_draw(app);
    if (!app->layout.state_folded)
        state_row_draw(app);
    rail_draw(app);
    notice_draw(app);
    hint_draw(app);
    view_place_draw(app);
    inspector_place_draw(app);
    work_draw(app);
    status_draw(app);
    app->ui.unlisted = false;
    messages_draw(app);
}

/* A clipboard that is empty, or too large for the window system to hand over at once. */
static void say_empty_paste(App *app, const Input *input) {
    for (int i = 0; i < input->event_count; i++)
        if (input->events[i].kind == INPUT_PASTE && input->events[i].text_bytes == 0)
            app_say(app, "The clipboard gave no text; copy a text of at most 1 MiB", true);
}

static void open_dropped(App *app, const InputEvent *drop) {
    char path[DOCUMENT_PATH_MAX];
    if (drop->text_bytes >= sizeof path)
        return;
    memcpy(path, drop->text, drop->text_bytes);
    path[drop->text_bytes] = '\0';
    desk_open(app, path);
}

static void build_pass(App *app, const Input *input, DrawList *out, bool first) {
    float scale = layout_scale(input->width_px, input->height_px, app->settings.ui_scale);
    float width = input->width_px / scale, height = input->height_px / scale;
    app->theme = THEMES[app->settings.theme];
    app->theme.signed_palette =
        signed_palette_of(app->settings.signed_palette, app->theme.signed_palette);
    app->layout = layout_of(width, height, app->drawer_open);
    layout_widen(&app->layout, VIEWS[app->settings.view].is_wide, app->drawer_open);
    draw_begin(out, width, height, scale, app->theme.canvas);
    app->ui.input = input;
    app->ui.list = out;
    app->ui.theme = &app->theme;
    app->ui.measure = app->resources.measure;
    app->ui.time_s = app->time_s;
    app->ui.first_pass = first;
    app->ui.reduced_motion = app->resources.still || app->settings.motion != 0;
    app->hover.next = SPOT_NONE;
    app->hover.next_is_row = false;
    app->wrong_is_said = false;
    app->edits.count = 0;
    messages_age(app);
    ui_begin(&app->ui);
    app->building = true;
    build_parts(app);
    app->building = false;
    if (app->after_build != NULL)
        app->after_build(app);
    app->after_build = NULL;
    commands_keys(app);
    results_wanted(app);
    ui_end(&app->ui);
    if (first)
        say_empty_paste(app, input);
    const InputEvent *paste = ui_take(&app->ui, INPUT_PASTE);
    if (paste != NULL && paste->text_bytes > 0)
        paste_state(app, paste);
    const InputEvent *drop;
    while ((drop = ui_take(&app->ui, INPUT_DROP_FILE)) != NULL)
        open_dropped(app, drop);
    if (ui_take(&app->ui, INPUT_QUIT) != NULL)
        app->effects.quit = true;
    take_copies(app);
}

/* Whether the pass just built is out of date by what happened in it. */
static bool settle(App *app) {
    Hover *hover = &app->hover;
    if (memcmp(&hover->lit, &hover->next, sizeof hover->lit) != 0 ||
        hover->lit_is_row != hover->next_is_row) {
        hover->lit = hover->next;
        hover->lit_is_row = hover->next_is_row;
        app->ui.again = true;
    }
    apply_edits(app);
    sheet_follow(app);
    return app->ui.again;
}

/* Build until nothing in the picture is out of date. */
static void build(App *app, const Input *input, DrawList *out) {
    bool again = true;
    for (int pass = 0; again && pass < PASSES_MAX; pass++) {
        work_update(app);
        view_place_prepare(app);
        build_pass(app, input, out, pass == 0);
        again = settle(app);
    }
}

void app_frame(App *app, const Input *input, double time_s, DrawList *out) {
    Input part = *input;
    app->time_s = time_s;
    app->effects = (AppEffects){.next_frame_s = INFINITY};
    if (!app->is_under_sheet) {
        app->focus_under = app->ui.focus;
        app->focus_under_is_visible = app->ui.focus_visible;
    }
    /* More events than a pass takes go in one part after the other: none is lost. */
    for (int at = 0; at == 0 || at < input->event_count; at += UI_EVENTS_MAX) {
        int left = input->event_count - at;
        part.events = at > 0 ? input->events + at : input->events;
        part.event_count = left < UI_EVENTS_MAX ? left : UI_EVENTS_MAX;
        build(app, &part, out);
    }
    draw_end(out);
    app->effects.text_input = app->ui.wants_text;
    app->effects.text_caret = app->ui.caret;
    static const Cursor CURSORS[] = {CURSOR_ARROW, CURSOR_TEXT, CURSOR_HAND, CURSOR_RESIZE_X};
    app->effects.cursor = CURSORS[app->ui.cursor];
    app->effects.next_frame_s = app->ui.next_time_s;
    desk_frame(app);
    results_frame(app);
}

bool app_open(App *app, const char *path) {
    return desk_open(app, path);
}

bool app_opens(const char *path) {
    return desk_opens(path);
}

void app_read_settings(Settings *settings, const char *bytes, size_t size) {
    settings_read(settings, bytes, size, NULL);
}

void app_window_size(App *app, OptionPair size) {
    app->desk.window = size;
}
