#include <math.h>
#include <string.h>

#include "app/chrome.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "views/inspector.h"

void view_place_prepare(App *app) {
    const View *view = &VIEWS[app->settings.view];
    app->view_ready = app->run.valid && app->run.T > 0;
    if (app->view_ready && view->prepare != NULL)
        app->view_ready =
            view->prepare(&app->run, app_shown_session(app), &app->settings, &app->view_err);
    if (app->view_ready)
        app->view_ready =
            arena_reserve(&app->scratch, view_scratch_bytes(view, &app->run), &app->view_err);
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

void view_place_draw(App *app) {
    Rect area = rect_inset(app->layout.view, app->layout.width == LAYOUT_NARROW ? 16 : 32, 20);
    ViewContext context = app_view_context(app);
    Err *err = &app->run.err;
    Rect clip = draw_clip(app->ui.list, app->layout.view);
    if (app->layout.has_title && app->run.valid && app->run.T > 0)
        title_draw(app, &area);
    if (run_session(&app->run) == NULL)
        sentence_draw(app, area, VIEWS[app->settings.view].entry.label,
                      app->work.is_stopped ? "Stopped before there was a picture." : "Computing…");
    else if (!app->run.valid)
        sentence_draw(app, area, strncmp(err->what, "--", 2) == 0 ? err->what + 2 : err->what,
                      err->why);
    else if (app->run.T == 0)
        sentence_draw(app, area, VIEWS[app->settings.view].entry.label, "Nothing to read yet.");
    else if (!app->view_ready)
        sentence_draw(app, area, app->view_err.what, app->view_err.why);
    else
        VIEWS[app->settings.view].frame(&context, area);
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
    if (app->run.valid && app->run.T > 0)
        inspect(&context, area);
    app->ui.list->layer = UI_LAYER_BASE;
}
