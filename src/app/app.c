#include "app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/desk.h"
#include "app/examples.h"
#include "app/film_marks.h"
#include "app/hall.h"
#include "app/sheets.h"
#include "app/tour.h"
#include "base/heap.h"
#include "draw/part.h"
#include "ui/label.h"

#define PASSES_MAX 6 /* limit of passes per frame; each change needs another one */

App *app_create(const AppResources *resources, const Session *session, const Settings *settings,
                Err *err) {
    App *app = heap_get_zero(1, sizeof *app);
    if (app == NULL || !view_memory_create(&app->memory)) {
        free(app);
        return err_null(err, "memory", "too little to start; close other programs");
    }
    app->resources = *resources;
    app->session = session_share(session);
    app->settings = *settings;
    if (resources->first_example && !desk_first_example(&app->session, err)) {
        app_destroy(app);
        return NULL;
    }
    app->hints.is_on = resources->recovers && resources->files.read != NULL &&
                       resources->files.places[PLACE_SETTINGS][0] != '\0';
    settings_open(app, &app->settings);
    app->pass_s = -1;
    app->hover.lit = app->hover.next = ATTN_CELL_NONE;
    keymap_standard(&app->keys);
    if (!history_start(&app->history, &app->session, &app->settings, sizeof app->settings,
                       &PICTURE_OPTIONS, err) ||
        !results_init(&app->run, err)) {
        app_destroy(app);
        return NULL;
    }
    desk_begin(app);
    return app;
}

bool app_is_computing(App *app) {
    return app->work.now != NULL || view_memory_is_computing(&app->memory, &app->resources.pool);
}

void app_destroy(App *app) {
    if (app == NULL)
        return;
    if (!work_end(app))
        return;
    history_release(&app->history);
    results_release(&app->run);
    arena_release(&app->scratch);
    view_memory_release(&app->memory, &app->resources.pool);
    session_release(&app->session);
    tour_release_all(app);
    desk_release(app);
    weights_drop(app->trained.weights);
    text_out_release(&app->take.text);
    session_release(&app->take.now.session);
    text_out_release(&app->copied);
    text_out_release(&app->selected);
    free(app);
}

const Err *app_failure(const App *app) {
    return app->failure.kind != ERR_NONE      ? &app->failure
           : app->ui.failure.kind != ERR_NONE ? &app->ui.failure
                                              : work_failure(app);
}

const AppEffects *app_effects(const App *app) {
    return &app->effects;
}

const Results *app_results(const App *app) {
    return &app->run;
}

const Session *app_session(const App *app) {
    return &app->session;
}

const Settings *app_settings(const App *app) {
    return &app->settings;
}

/* Show an error as a message. Remove the "--" of option names, which mean nothing in the window. */
void app_say_err(App *app, const Err *err) {
    char text[sizeof err->what + sizeof err->why + 4];
    char *to = text;
    snprintf(text, sizeof text, "%s: %s", err->what, err->why);
    for (const char *from = text; (*to = *from) != '\0'; to++, from++)
        if (strncmp(from, "--", 2) == 0)
            *to = *(from += 2);
    app_warn(app, "%s", text);
}

bool app_told(App *app, bool done, const Err *err) {
    if (!done)
        app_say_err(app, err);
    return done;
}

/* Copy text into `out`. Return the copy; or NULL, with a message, if memory runs out. */
static const char *keep_copy(App *app, TextOut *out, const char *text, size_t bytes) {
    text_out_reset(out);
    text_out_bytes(out, text, bytes);
    if (out->failed)
        app_warn(app, "Too little memory to copy");
    return out->failed ? NULL : out->at;
}

void app_copy(App *app, const char *text, size_t bytes) {
    if (bytes == 0)
        return;
    app->effects.clipboard = keep_copy(app, &app->copied, text, bytes);
    app->effects.clipboard_bytes = bytes;
}

/* Copy the clipboard text and the selection that widgets set, because the next pass frees that
 * text. */
static void take_copies(App *app) {
    Ui *ui = &app->ui;
    if (ui->copied != NULL)
        app_copy(app, ui->copied, ui->copied_bytes);
    if (ui->selected != NULL) {
        app->effects.selection = keep_copy(app, &app->selected, ui->selected, ui->selected_bytes);
        app->effects.selection_bytes = ui->selected_bytes;
    }
    ui->copied = ui->selected = NULL;
    if (ui->is_cut)
        app_warn(app, "The text is too long for its field; the end was left out");
    ui->is_cut = false;
    app->effects.want_paste |= ui->wants_paste;
    app->effects.want_selection |= ui->wants_selection;
}

const ViewContext *app_context(App *app) {
    app->context = (ViewContext){.ui = &app->ui,
                                 .session = app_shown_session(app),
                                 .today = &app->session,
                                 .run = &app->run,
                                 .before = app->work.before.valid ? &app->work.before : NULL,
                                 .edits = &app->edits,
                                 .hover = &app->hover,
                                 .settings = app_shown_settings(app),
                                 .memory = &app->memory,
                                 .now_s = app->resources.now_s,
                                 .pool = &app->resources.pool,
                                 .wait_ms = &app->work.left_ms,
                                 .scratch = &app->scratch,
                                 .window_width = app->layout.window.w,
                                 .is_hall = hall_is_on(app) && tour_moment(app).frame == NULL,
                                 .is_late = work_is_said(app),
                                 .waits = app->work.waits,
                                 .save = &app->wanted,
                                 .trained = &app->trained,
                                 .chosen = example_cell(app),
                                 .why_chosen = EXAMPLES[0].entry.help};
    return &app->context;
}

/* Draw the window except sheets and messages, in the order of the Tab key. */
static void window_draw(App *app) {
    const Layout *l = &app->layout;
    draw_part(app->ui.list, PART_RECT(l->state_row), "window.settings");
    draw_part(app->ui.list, PART_RECT(l->rail), "window.views");
    draw_part(app->ui.list, PART_RECT(l->status), "window.status");
    text_row_draw(app);
    missing_words_draw(app);
    if (!app->layout.state_folded)
        state_row_draw(app);
    rail_draw(app);
    notice_draw(app);
    tour_offer_draw(app);
    hint_draw(app);
    view_place_draw(app);
    inspector_place_draw(app);
    work_draw(app);
    status_draw(app);
    tour_panel_draw(app);
    word_tip_draw(app);
    app->ui.again |= !app->layout.state_folded && state_row_is_stale(app);
}

static void build_parts(App *app) {
    if (app->layout.too_small) {
        static const char why[] =
            "This window is too small to show attention. Make it larger, or zoom out with Ctrl −.";
        Rect area = rect_inset(app->layout.window, 12, 12);
        text_wrap(&app->ui, &area, TEXT_CAPTION | TEXT_BRIGHT | TEXT_PLAIN, why);
        ui_fail(&app->ui, "--size",
                "is too small to show attention; use a larger one, or a smaller --ui-scale");
        return;
    }
    app->has_drawn_sheet = app->sheet != SHEET_NONE;
    sheet_draw(app);
    app->ui.unlisted = app->has_drawn_sheet; /* keep Tab inside the sheet */
    (hall_is_on(app) ? hall_draw : app->lecture.is_on ? lecture_draw : window_draw)(app);
    app->ui.unlisted = false;
    if (!hall_is_on(app))
        messages_draw(app);
    part_menu_draw(app);
    film_marks_draw(app);
    take_draw(app);
}

void app_do(App *app, AppAction *action, int argument) {
    app->ui.again = true;
    app->later = action;
    app->later_argument = argument;
    if (app->building)
        return;
    app->later = NULL;
    action(app, argument);
}

/* Handle the events that no widget took: a pasted state string, dropped files, the request to quit.
 * In the first pass of a frame also warn of an empty paste: the clipboard is empty, or too large
 * for the window system. */
static void take_events(App *app, const Input *input, bool first) {
    const InputEvent *event;
    for (int i = 0; first && i < input->event_count; i++)
        if (input->events[i].kind == INPUT_PASTE && input->events[i].text_bytes == 0)
            app_warn(app,
                     "The clipboard has no text that can be pasted; copy a text of at most 1 MiB");
    if ((event = ui_take(&app->ui, INPUT_PASTE)) != NULL && event->text_bytes > 0) {
        Err err;
        Session changed;
        Settings settings;
        StateExtra extra = {.table = &PICTURE_OPTIONS};
        bool read = app_read_state(app, &changed, &settings, event->text, event->text_bytes, &err);
        if (!read && !state_is_begun(&extra, event->text, event->text_bytes))
            app_warn(app, "The clipboard has no state string; copy one with Ctrl Shift C");
        else
            app_told(app, app_take_session(app, read, &changed, &settings, &err), &err);
    }
    while ((event = ui_take(&app->ui, INPUT_DROP_FILE)) != NULL) {
        char path[DOCUMENT_PATH_MAX];
        int bytes = snprintf(path, sizeof path, "%.*s", (int)event->text_bytes, event->text);
        if (bytes < DOCUMENT_PATH_MAX)
            desk_open(app, path);
    }
    if (ui_take(&app->ui, INPUT_QUIT) != NULL)
        command_run(app, "quit");
}

static void build_pass(App *app, const Input *input, DrawList *out, bool first) {
    bool is_lecture = app->lecture.is_on;
    bool is_hall = hall_is_on(app);
    float wide = input->width_px, high = input->height_px, density = input->density;
    hall_resize(app, wide, high);
    float scale = is_hall      ? hall_scale(app, high)
                  : is_lecture ? layout_lecture_scale(wide, high, density)
                               : layout_scale(wide, high, density, app->settings.ui_scale);
    float width = input->width_px / scale, height = input->height_px / scale;
    bool is_projected = is_lecture || (is_hall && !hall_keeps_theme(app));
    app->theme = THEMES[is_projected ? THEME_PROJECTOR : app->settings.theme];
    app->theme.signed_palette =
        signed_palette_of(app->settings.signed_palette, app->theme.signed_palette);
    app->layout = layout_of(width, height, is_lecture ? 0 : missing_words_height(app),
                            VIEWS[app_view(app)].is_wide, app->drawer_open);
    tour_panel_place(app);
    draw_begin(out, width, height, scale, app->theme.canvas);
    out->reveal = tour_to_reveal(app);
    app->ui.input = input;
    app->ui.list = out;
    app->ui.theme = &app->theme;
    app->ui.measure = app->resources.measure;
    app->ui.time_s = app->time_s;
    app->ui.first_pass = first;
    app->ui.is_plain = is_hall;
    app->ui.motion_s = app->resources.motion_s;
    app->ui.reduced_motion = app->resources.still || app->settings.motion != 0;
    if (app->hover.lit.query >= app->run.T || app->hover.lit.key >= app->run.T)
        app->hover.lit = ATTN_CELL_NONE; /* the text now has fewer tokens */
    app->hover.next = ATTN_CELL_NONE;
    app->hover.next_is_row = false;
    app->wrong_is_said = false;
    app->edits.count = 0;
    messages_age(app);
    ui_begin(&app->ui);
    /* Set this first, because hall_aim handles keys that may change the session. */
    app->building = true;
    hall_aim(app);
    tour_aim(app);
    build_parts(app);
    app->building = false;
    if (app->later != NULL) {
        app_apply_edits(app); /* the action needs the number of a field that was left for it */
        app_do(app, app->later, app->later_argument);
    }
    commands_keys(app);
    step_layers(app);
    export_view_wanted(app);
    ui_end(&app->ui);
    take_events(app, input, first);
    take_copies(app);
}

/* Apply the changes that this pass caused. Return true if the picture is therefore out of date. */
static bool settle(App *app) {
    Hover *hover = &app->hover;
    if (!attn_cell_equal(hover->lit, hover->next) || hover->lit_is_row != hover->next_is_row) {
        hover->lit = hover->next;
        hover->lit_is_row = hover->next_is_row;
        app->ui.again = true;
    }
    app_apply_edits(app);
    app->effects.quit = app->effects.quit && desk_may_quit(app);
    tour_notice(app);
    hints_notice(app);
    sheet_follow(app);
    return app->ui.again;
}

static void build(App *app, const Input *input, DrawList *out) {
    bool again = true;
    for (int pass = 0; again && pass < PASSES_MAX; pass++) {
        tour_update(app);
        lecture_update(app);
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
    app->failure = (Err){0};
    if (!app->is_under_sheet) {
        app->focus_under = app->ui.focus;
        app->focus_under_is_visible = app->ui.focus_visible;
    }
    /* More events than fit into one pass are spread over several, so that none is lost. */
    for (int at = 0; at == 0 || at < input->event_count; at += UI_EVENTS_MAX) {
        int left = input->event_count - at;
        part.events = at > 0 ? input->events + at : input->events;
        part.event_count = left < UI_EVENTS_MAX ? left : UI_EVENTS_MAX;
        build(app, &part, out);
    }
    draw_end(out);
    app->effects.text_input = app->ui.wants_text;
    app->effects.text_caret = app->ui.caret;
    static const Cursor CURSORS[] = {CURSOR_ARROW, CURSOR_TEXT, CURSOR_HAND, CURSOR_RESIZE_X,
                                     CURSOR_RESIZE_Y};
    bool is_hall = hall_is_on(app);
    app->effects.is_presented = is_hall || app->lecture.is_on;
    app->effects.is_frozen = is_hall && app->tour.is_frozen;
    app->effects.has_console = is_hall && app->tour.has_console;
    bool hides = is_hall && (app->tour.hides_pointer || pen_has_pointer(app));
    app->effects.cursor = hides ? CURSOR_NONE : CURSORS[app->ui.cursor];
    app->effects.next_frame_s = app->ui.next_time_s;
    desk_frame(app);
    export_view_frame(app);
    take_frame(app);
    part_menu_frame(app);
}

bool app_open(App *app, const char *path) {
    char whole[DOCUMENT_PATH_MAX];
    desk_whole_path(app, whole, path);
    return desk_open(app, whole);
}

void app_window_size(App *app, OptionPair size) {
    app->desk.window = size;
}
