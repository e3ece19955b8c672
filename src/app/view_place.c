#include <math.h>
#include <string.h>

#include "app/chrome.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "views/inspector.h"

void view_place_prepare(App *app) {
    const View *view = &VIEWS[app->settings.view];
    app->has_scratch =
        arena_reserve(&app->scratch, view_scratch_bytes(view, &app->run), &app->view_err);
    app->view_ready = app->has_scratch && work_is_drawable(app, &app->view_err);
}

static void title_draw(App *app, Rect *area) {
    const View *view = &VIEWS[app->settings.view];
    Rect line = rect_cut_top(area, 34);
    LabelStyle style = {FONT_SANS_BOLD, 26, app->ui.theme->text_1, LABEL_LEFT};
    rect_cut_left(&line, prose_draw(&app->ui, line, &style, view->entry.label) + 18);
    style = (LabelStyle){FONT_SANS, 18, app->ui.theme->text_2, LABEL_LEFT};
    bool brief = label_width(&app->ui, style.font, style.size, view->subtitle,
                             strlen(view->subtitle)) > line.w;
    line.y += 2;
    label_draw(&app->ui, line, &style, brief ? view->subtitle_short : view->subtitle);
    rect_cut_top(area, 10);
}

/* Why there is no picture of the view, under *title; NULL where there is one. */
static const char *absent(const App *app, const char **title) {
    const Err *err = &app->run.err;
    *title = VIEWS[app->settings.view].entry.label;
    if (run_session(&app->run) == NULL)
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

/* Of what is there in a moment nothing is said. */
static bool is_brief(const App *app, const char *why) {
    return app->run.valid && strcmp(why, WORK_BUSY) == 0 && !work_is_said(app);
}

void view_place_draw(App *app) {
    Rect area = rect_inset(app->layout.view, app->layout.width == LAYOUT_NARROW ? 16 : 32, 20);
    ViewContext context = app_view_context(app);
    const char *title, *why = absent(app, &title);
    Rect clip = draw_clip(app->ui.list, app->layout.view);
    if (app->layout.has_title && app->run.valid && app->run.T > 0)
        title_draw(app, &area);
    if (why == NULL)
        VIEWS[app->settings.view].frame(&context, area);
    else if (!is_brief(app, why))
        sentence_draw(app, area, title, why);
    draw_clip_restore(app->ui.list, clip);
}

void inspector_place_draw(App *app) {
    Rect area = app->layout.inspector;
    if (area.w <= 0)
        return;
    bool drawer = app->layout.is_drawer;
    if (drawer && app->sheet != SHEET_NONE)
        return;
    app->ui.list->layer = drawer ? UI_LAYER_DRAWER : UI_LAYER_BASE;
    draw_fill(app->ui.list, area, 0, app->ui.theme->chrome);
    if (drawer)
        ui_cover(&app->ui, area);
    ViewContext context = app_view_context(app);
    void (*own)(const ViewContext *, Rect) = VIEWS[app->settings.view].inspector;
    void (*inspect)(const ViewContext *, Rect) =
        own != NULL && app->view_ready ? own : inspector_draw;
    if (app->run.valid && app->run.T > 0 && app->has_scratch)
        inspect(&context, area);
    app->ui.list->layer = UI_LAYER_BASE;
}
