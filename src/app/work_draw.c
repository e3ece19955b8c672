#include <math.h>

#include "app/app_state.h"
#include "ui/button.h"
#include "ui/progress.h"
#include "ui/text.h"
#include "ui/tween.h"

#define PROGRESS_S 1.0
#define LIGHT_S    1.4 /* seconds in which the line of light crosses the window */
/* Seconds between frames of the light; the job needs the processor, too. */
#define LIGHT_STEP_S 0.03
#define LIGHT_W      320
#define PROGRESS_W   460
#define GO_ON_W      88
#define GAP          14
#define BUTTON_INSET 6 /* px between a button and the edges of the status row */

/* Draw a light that runs along the lower edge of the rows of controls. */
static void light_draw(App *app) {
    Ui *ui = &app->ui;
    Rect row = app->layout.state_folded ? app->layout.text_row : app->layout.state_row;
    Rect line = {row.x, rect_bottom(row), row.w, 2};
    Colour beam = ui->theme->beam, none = colour_fade(beam, 0);
    if (ui->reduced_motion) {
        draw_fill(ui->list, line, 0, beam);
        return;
    }
    float way = (float)(fmod(app->time_s - app->work.since_s, LIGHT_S) / LIGHT_S);
    Rect clip = draw_clip(ui->list, line);
    line.x += way * (line.w + LIGHT_W) - LIGHT_W;
    line.w = LIGHT_W;
    draw_box(ui->list, &(DrawBox){.rect = line, .fill = none, .fill_right = beam});
    draw_clip_restore(ui->list, clip);
    ui_wake(ui, app->time_s + LIGHT_STEP_S);
}

static void veil_draw(App *app) {
    Ui *ui = &app->ui;
    bool is_old = app->work.is_stale && work_is_said(app);
    float veil = ui_tween(ui, ui_id("veil", 0), is_old ? VIEW_VEIL : 0, MOTION_VIEW);
    if (veil <= 0)
        return;
    bool is_drawer = app->layout.width > LAYOUT_MEDIUM;
    draw_fill(ui->list, app->layout.view, 0, colour_fade(ui->theme->canvas, veil));
    ui->list->layer = is_drawer ? UI_LAYER_DRAWER : UI_LAYER_BASE;
    draw_fill(ui->list, app->layout.inspector, 0, colour_fade(ui->theme->chrome, veil));
    ui->list->layer = UI_LAYER_BASE;
}

void work_status_draw(App *app, Rect *rest) {
    static const char whole[] = "Stopped; the picture is the previous one", brief[] = "Stopped";
    Ui *ui = &app->ui;
    AppWork *work = &app->work;
    if (work->now == NULL && work->is_stopped) {
        float needed = text_width(ui, TEXT_BODY | TEXT_BRIGHT, "%s", whole) + GAP + GO_ON_W;
        const char *words = needed <= rest->w ? whole : brief;
        rect_cut_left(rest, text_in(ui, *rest, TEXT_BODY | TEXT_BRIGHT, "%s", words) + GAP);
        Rect button = rect_inset(rect_cut_left(rest, fminf(GO_ON_W, rest->w)), 0, BUTTON_INSET);
        work->is_stopped = !button_text(ui, ui_id("go on", 0), button, "Go on");
        ui->again |= !work->is_stopped;
    } else if (app->time_s >= work->since_s + PROGRESS_S) {
        bool ends = work->now == NULL || !job_goes_on(&work->now->job);
        Rect place = rect_inset(rect_cut_left(rest, fminf(PROGRESS_W, rest->w)), 0, BUTTON_INSET);
        bool disabled = ui_disable(ui, ends);
        if (progress(ui, ui_id("computing", 0), place, ends ? "Stopping" : "Computing", NAN))
            work_stop(app);
        ui_disable(ui, disabled);
    } else {
        rect_cut_left(rest, text_in(ui, *rest, TEXT_BODY | TEXT_FAINT, "Computing…"));
        ui_wake(ui, work->since_s + PROGRESS_S);
    }
}

void work_draw(App *app) {
    AppWork *work = &app->work;
    veil_draw(app);
    if (!work->is_stale)
        return;
    if (!work_is_said(app))
        ui_wake(&app->ui, work->since_s + WORK_SAID_S);
    else if (!work->is_stopped)
        light_draw(app);
}
