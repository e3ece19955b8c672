#include <math.h>
#include <stdio.h>

#include "app/app_state.h"
#include "ui/button.h"
#include "ui/label.h"
#include "ui/progress.h"
#include "ui/tween.h"

#define PROGRESS_S   1.0
#define LIGHT_S      1.4  /* in which the line of light crosses the window */
#define LIGHT_STEP_S 0.03 /* between its frames: what the job leaves of the machine is not all */
#define LIGHT_W      320
#define PANEL_W      420
#define PANEL_H      52

/* A light that runs along the lower edge of the rows of controls. */
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
    bool is_old = app->work.is_behind && work_is_said(app);
    float veil = ui_tween(ui, ui_id("veil", 0), is_old ? VIEW_VEIL : 0, MOTION_VIEW);
    if (veil <= 0)
        return;
    bool is_drawer = app->layout.width > LAYOUT_MEDIUM;
    draw_fill(ui->list, app->layout.view, 0, colour_fade(ui->theme->canvas, veil));
    ui->list->layer = is_drawer ? UI_LAYER_DRAWER : UI_LAYER_BASE;
    draw_fill(ui->list, app->layout.inspector, 0, colour_fade(ui->theme->chrome, veil));
    ui->list->layer = UI_LAYER_BASE;
}

/* How far it has come and a button to stop it; or that it was stopped, and one to go on. */
static void panel_draw(App *app) {
    Ui *ui = &app->ui;
    AppWork *work = &app->work;
    Rect view = app->layout.view;
    float width = fminf(PANEL_W, view.w - 32);
    Rect box = {view.x + (view.w - width) / 2, view.y + 16, width, PANEL_H};
    bool ends = atomic_load(&work->watch.stop);
    float share = (float)((double)atomic_load(&work->watch.done) / work->steps);
    ui->list->layer = UI_LAYER_TOAST;
    draw_fill(ui->list, box, 8, ui->theme->raised);
    draw_ring(ui->list, box, 8, 1, ui->theme->control);
    ui_cover(ui, box);
    Rect inside = rect_inset(box, 16, 8);
    if (work->job != WORK_NONE) {
        bool disabled = ui_disable(ui, ends);
        bool stops = progress(ui, ui_id("computing", 0), inside, ends ? "Stopping" : "Computing",
                              ends || share <= 0 ? NAN : fminf(share, 0.99f));
        ui_disable(ui, disabled);
        work->is_stopped |= stops;
        if (stops)
            atomic_store(&work->watch.stop, true);
    } else {
        LabelStyle style = {FONT_SANS, 18, ui->theme->text_1, LABEL_LEFT};
        Rect button = rect_cut_right(&inside, 88);
        label_draw(ui, inside, &style, "Stopped; shown is the picture before");
        work->is_stopped = !button_text(ui, ui_id("go on", 0), button, "Go on");
        ui->again |= !work->is_stopped;
    }
    ui->list->layer = UI_LAYER_BASE;
}

void work_draw(App *app) {
    AppWork *work = &app->work;
    veil_draw(app);
    if (!work->is_stale)
        return;
    if (!work_is_said(app)) {
        ui_wake(&app->ui, work->since_s + WORK_SAID_S);
        return;
    }
    if (!work->is_stopped)
        light_draw(app);
    if (work->is_stopped || app->time_s >= work->since_s + PROGRESS_S)
        panel_draw(app);
    else
        ui_wake(&app->ui, work->since_s + PROGRESS_S);
}
