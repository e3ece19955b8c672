#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "draw/part.h"
#include "ui/label.h"
#include "ui/scroll.h"
#include "ui/text.h"
#include "views/heads/heads.h"
#include "views/inspector/inspector.h"
#include "views/shared/head_chips.h"
#include "views/shared/number_editor.h"

#define LOW            400     /* px: a window lower than this has no margins */
#define INSPECTOR_MOST 1600.0f /* px: largest height of an inspector */
#define INSPECTOR_END  24      /* px below the last line of an inspector */
/* px: a view at least this high has a row for the chip of weights_chip_draw; in a lower view the
 * chip is next to the title. CHIP_FULL_H: for views that use their whole height (fills_height). */
#define CHIP_VIEW_H 740
#define CHIP_FULL_H 900
#define DESCENT     0.3f /* depth of a letter below its baseline, as a share of its size */

void view_place_prepare(App *app) {
    const View *view = &VIEWS[app_view(app)];
    app->has_scratch =
        arena_reserve(&app->scratch, view_scratch_bytes(view, &app->run), &app->view_err);
    app->view_ready = app->has_scratch && work_is_drawable(app, &app->view_err);
}

bool view_place_forget(App *app) {
    if (!work_end(app))
        return false;
    view_memory_clear(&app->memory, &app->resources.pool);
    return true;
}

static void subtitle_write(char out[VIEW_SUBTITLE_MAX], App *app, bool is_short) {
    const View *view = &VIEWS[app_view(app)];
    if (view->subtitle_of != NULL)
        view->subtitle_of(out, app_shown_session(app), app_shown_settings(app), is_short);
    else
        snprintf(out, VIEW_SUBTITLE_MAX, "%s", is_short ? view->subtitle_short : view->subtitle);
}

/* Draw the title and, next to it, the weights chip or else the subtitle. *has_row: true if the chip
 * has a row of its own; set if the chip does not fit next to the title, unless the window is very
 * low. Reserve room for the choice of a checkpoint's layer. Return the rest of the line. */
static Rect title_draw(App *app, const ViewContext *context, Rect *area, bool *has_row) {
    const View *view = &VIEWS[app_view(app)];
    Rect line = rect_cut_top(area, 34);
    rect_cut_left(&line, text_in(&app->ui, line, TEXT_TITLE, "%s", view->entry.label) + 18);
    Rect chip = line;
    rect_cut_right(&chip, *has_row ? line.w : view->tools_w);
    float layers_w = layer_chips_width(context);
    float chip_w = weights_chip_draw(app, (Rect){chip.x, chip.y, chip.w - layers_w, chip.h});
    if (chip_w > 0) {
        rect_cut_left(&line, chip_w);
        rect_cut_top(area, 10);
        return line;
    }
    *has_row |= app->layout.window.h >= LOW;
    char whole[VIEW_SUBTITLE_MAX], brief[VIEW_SUBTITLE_MAX];
    subtitle_write(whole, app, false);
    subtitle_write(brief, app, true);
    bool is_narrow = app->layout.width == LAYOUT_NARROW; /* the controls have their own line */
    float tools_w = layers_w > 0 ? view->tools_w + layers_w : is_narrow ? 0 : view->tools_least_w;
    Rect words = {line.x, line.y + 2, line.w - tools_w, line.h};
    /* The third variant is empty, so that a subtitle without room is left out. */
    rect_cut_left(&line, text_in(&app->ui, words, TEXT_BODY, "%s\n%s\n", whole, brief));
    rect_cut_top(area, 10);
    return line;
}

/* Return why the view has no picture, and set *title. Return NULL if it has a picture. */
static const char *absent(const App *app, const char **title) {
    const Err *err = &app->run.err;
    *title = VIEWS[app_view(app)].entry.label;
    if (results_session(&app->run) == NULL)
        return app->work.is_stopped ? "Stopped before there was a picture." : WORK_BUSY;
    if (!app->run.valid) {
        *title = strncmp(err->what, "--", 2) == 0 ? err->what + 2 : err->what;
        return err->why;
    }
    if (app->run.T == 0)
        return "Nothing to read yet.";
    if (app->view_ready)
        return NULL;
    *title = app->view_err.what;
    return app->view_err.why;
}

/* True for a computation that is not announced yet, because it may finish within 100 ms. */
static bool is_brief(const App *app, const char *why) {
    return app->run.valid && strcmp(why, WORK_BUSY) == 0 && !work_is_said(app);
}

const char *view_place_absent(const App *app) {
    const char *title, *why = absent(app, &title);
    return why != NULL && is_brief(app, why) ? "" : why;
}

void view_place_draw(App *app) {
    bool is_low = app->layout.window.h < LOW;
    Rect area =
        rect_inset(app->layout.view, app->layout.width == LAYOUT_NARROW ? 16 : 32, is_low ? 8 : 20);
    ViewContext context = *app_context(app);
    const char *title, *why = absent(app, &title);
    Rect clip = draw_clip(app->ui.list, app->layout.view);
    draw_part(app->ui.list, PART_RECT(app->layout.view), "window.view");
    bool is_titled = app->layout.has_title && app_has_picture(app);
    /* true if the chip must be shown, so that the user can close the weights file */
    bool is_stuck = why != NULL && app->session.weights != NULL;
    bool is_full = VIEWS[app_view(app)].fills_height;
    /* A notice must not move rows while the user types. */
    float whole = app->layout.view.h + app->notice_h;
    bool has_row = whole >= (is_full ? CHIP_FULL_H : CHIP_VIEW_H) || is_stuck;
    if (is_titled)
        context.beside_title = title_draw(app, &context, &area, &has_row);
    if (has_row && results_session(&app->run) != NULL) {
        weights_chip_draw(app, rect_cut_top(&area, WEIGHTS_CHIP_H));
        rect_cut_top(&area, 12);
    }
    if (is_titled && strcmp(title, VIEWS[app_view(app)].entry.label) == 0)
        title = NULL; /* the title is already drawn */
    bool is_late = why != NULL && strcmp(why, WORK_BUSY) == 0;
    if (VIEWS[app_view(app)].frame != heads_frame || (why != NULL && !is_late))
        /* Drop the request to edit a second sentence: the user chose another view, or emptied the
         * text. */
        app->memory.heads.wants_second = false;
    if (why == NULL) {
        VIEWS[app_view(app)].frame(&context, area);
        number_editor_draw(&context);
    } else if (!is_brief(app, why)) {
        ui_fail(&app->ui, title != NULL ? title : VIEWS[app_view(app)].entry.label, why);
        sentence_draw(app, area, title, why);
    }
    draw_clip_restore(app->ui.list, clip);
}

static float drawn_bottom(const DrawList *list, size_t from) {
    float bottom = 0;
    for (size_t i = from; i < list->command_count; i++) {
        const DrawCommand *c = &list->commands[i];
        if (c->kind == DRAW_BOX)
            bottom = fmaxf(bottom, rect_bottom(c->as.box.rect));
        else if (c->kind == DRAW_TEXT)
            bottom = fmaxf(bottom, c->as.text.at.y + c->as.text.size * DESCENT);
    }
    return bottom;
}

/* Draw the hints, the numbers set by hand, and the inspector. If the pointer is on a row of the
 * inspector, hide the highlighted cell from the inspector, so that its rows stay in place. */
static void inspect_lit(App *app, Rect content, void (*inspect)(const ViewContext *, Rect)) {
    Rect top = rect_inset(content, 24, 20);
    float from = top.y;
    hints_draw(app, &top);
    hand_list_draw(app, &top);
    rect_cut_top(&content, top.y - from);
    ViewContext context = *app_context(app);
    Hover hover = app->hover;
    if (hover.lit_is_row)
        hover.lit = ATTN_CELL_NONE;
    context.hover = &hover;
    inspect(&context, content);
    app->hover.next = hover.next;
    app->hover.next_is_row = hover.next_is_row;
}

static void inspector_scrolled(App *app, Rect area, void (*inspect)(const ViewContext *, Rect)) {
    float was = app->inspector_h;
    Vec2 size = {area.w, fmaxf(was, 1)};
    ScrollArea scroll =
        scroll_begin(&app->ui, ui_id("inspector", 0), area, &app->inspector_scroll, size);
    Rect content = scroll.content;
    size_t from = app->ui.list->command_count;
    content.h = INSPECTOR_MOST;
    content.w = area.w; /* the scroll bar is in the margin */
    inspect_lit(app, content, inspect);
    float height = drawn_bottom(app->ui.list, from) - content.y + INSPECTOR_END;
    if (fabsf(height - was) > 0.5f) { /* ignore rounding errors */
        app->inspector_h = height;
        app->ui.again = true;
    }
    scroll_end(&app->ui, &scroll);
}

void inspector_place_draw(App *app) {
    Rect area = app->layout.inspector;
    draw_part(app->ui.list, PART_RECT(area), "window.inspector");
    if (area.w <= 0)
        return;
    bool drawer = app->layout.is_drawer;
    if (drawer && app->sheet != SHEET_NONE)
        return;
    app->ui.list->layer = drawer ? UI_LAYER_DRAWER : UI_LAYER_BASE;
    draw_fill(app->ui.list, area, 0, app->ui.theme->chrome);
    if (drawer)
        ui_cover(&app->ui, area);
    void (*own)(const ViewContext *, Rect) = VIEWS[app_view(app)].inspector;
    void (*inspect)(const ViewContext *, Rect) =
        own != NULL && app->view_ready ? own : inspector_draw;
    if (app_has_picture(app) && app->has_scratch)
        inspector_scrolled(app, area, inspect);
    app->ui.list->layer = UI_LAYER_BASE;
}
