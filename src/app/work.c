#include "app/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "ui/button.h"
#include "ui/label.h"
#include "ui/progress.h"
#include "ui/tween.h"

#define FRAME_STEPS  (12 * JOB_STEPS_PER_MS)  /* done in the frame */
#define KEPT_STEPS   (250 * JOB_STEPS_PER_MS) /* a job as short as this is left to end */
#define SAID_S       0.1
#define PROGRESS_S   1.0
#define LIGHT_S      1.4  /* in which the line of light crosses the window */
#define LIGHT_STEP_S 0.03 /* between its frames: what the job leaves of the machine is not all */
#define LIGHT_W      320
#define VEIL         0.45f
#define PANEL_W      420
#define PANEL_H      52

static RunLimits limits_of(const App *app) {
    int most = app->resources.tokens_max;
    return (RunLimits){most > 0 ? most : APP_TOKENS_MAX};
}

/* The job. */
static void make(void *data) {
    AppWork *work = data;
    run_make(&work->making, &work->watch);
}

static void forget_session(AppWork *work) {
    if (work->session.text != NULL)
        session_release(&work->session);
}

/* The Run that the job made takes the place of the one that is shown, from which the next job goes
 * on. Of one that was stopped there is nothing to be seen. */
static void take(App *app) {
    AppWork *work = &app->work;
    run_end(&work->making);
    work->is_busy = false;
    if (atomic_load(&work->watch.stop))
        return;
    Run before = app->run;
    app->run = work->making;
    work->making = before;
    if (app->run.revision <= before.revision) /* never that of another picture */
        app->run.revision = before.revision + 1;
    if (app->resources.now_s != NULL)
        app->pass_s = app->resources.now_s() - work->started_s;
}

/* False where there is nobody to do it, or no memory for a second Run. */
static bool start(App *app, double steps) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    Err err;
    if (work->making.cache == NULL && !run_init(&work->making, &err))
        return false;
    forget_session(work);
    work->session = session_share(&app->session);
    work->steps = steps;
    work->started_s = app->resources.now_s != NULL ? app->resources.now_s() : 0;
    job_watch_begin(&work->watch);
    run_begin(&work->making, &app->session, &app->resources.run, limits_of(app));
    work->is_busy = jobs->start(jobs->context, make, work);
    if (!work->is_busy)
        run_end(&work->making);
    return work->is_busy;
}

static void in_the_frame(App *app) {
    double before = app->resources.now_s != NULL ? app->resources.now_s() : 0;
    uint64_t revision = app->run.revision;
    run_update(&app->run, &app->session, &app->resources.run, limits_of(app));
    if (app->resources.now_s != NULL && app->run.revision != revision)
        app->pass_s = app->resources.now_s() - before;
}

/* Whether a Run for that session is one for today's. NULL or no text is for none. */
static bool serves(const App *app, const Session *session) {
    return session != NULL && session->text != NULL && run_same(session, &app->session);
}

/* A short job is left to end, so that the picture follows a drag at its own pace. */
static void stop_if_vain(App *app, bool is_current) {
    AppWork *work = &app->work;
    if (!serves(app, &work->session) && (is_current || work->steps > KEPT_STEPS))
        atomic_store(&work->watch.stop, true);
}

/* What a light session leaves of a heavy one. */
static void give_back(AppWork *work) {
    forget_session(work);
    if (work->making.cache != NULL)
        run_release(&work->making);
}

/* Whether the picture stays behind the session for now. */
static bool stays_behind(App *app) {
    AppWork *work = &app->work;
    bool is_current = serves(app, run_session(&app->run));
    if (work->is_busy)
        stop_if_vain(app, is_current);
    if (is_current && app->run.valid)
        in_the_frame(app);
    if (is_current || work->is_busy)
        return !is_current;
    work->is_stopped = work->is_stopped && serves(app, &work->session);
    if (work->is_stopped)
        return true;
    double steps = run_steps(&app->run, &app->session, &app->resources.run, limits_of(app));
    if (app->resources.jobs.start != NULL && steps > FRAME_STEPS && start(app, steps))
        return true;
    in_the_frame(app);
    give_back(work);
    return false;
}

void work_update(App *app) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    if (work->is_busy && jobs->is_done(jobs->context))
        take(app);
    bool was_stale = work->is_stale;
    work->is_stale = stays_behind(app);
    if (!was_stale)
        work->since_s = app->time_s;
}

bool work_end(App *app) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    atomic_store(&work->watch.stop, true);
    if (work->is_busy && !jobs->wait(jobs->context))
        return false;
    if (work->is_busy)
        run_end(&work->making);
    work->is_busy = false;
    give_back(work);
    return true;
}

const Session *app_shown_session(App *app) {
    const Session *from = run_session(&app->run);
    if (!app->work.is_stale || from == NULL)
        return &app->session;
    Session *shown = &app->work.shown;
    int head = app->session.options.head, heads = from->options.heads;
    *shown = *from;
    shown->options.head = head < heads ? head : heads;
    shown->options.pin = app->session.options.pin;
    return shown;
}

bool work_is_said(const App *app) {
    return app->work.is_stale && app->time_s >= app->work.since_s + SAID_S;
}

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
    float veil = ui_tween(ui, ui_id("veil", 0), work_is_said(app) ? VEIL : 0, MOTION_VIEW);
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
    if (work->is_busy) {
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
        ui_wake(&app->ui, work->since_s + SAID_S);
        return;
    }
    if (!work->is_stopped)
        light_draw(app);
    if (work->is_stopped || app->time_s >= work->since_s + PROGRESS_S)
        panel_draw(app);
    else
        ui_wake(&app->ui, work->since_s + PROGRESS_S);
}
