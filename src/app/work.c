#include "app/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/heap.h"
#include "model/attention/form.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tween.h"

#define WORK_PATIENCE_MS 400
/* Results with more weights and parameters are not kept for comparison. */
#define BEFORE_MOST (1 << 22)
/* A layer with this number of parameters or multiply-adds may take longer than a frame. */
#define LONG_PARAMETERS (1 << 15)
#define LONG_SUMS       (1 << 22)
#define VAIN_S          0.25 /* seconds after which a job for an older session is stopped */

static ResultsLimits limits_of(const App *app) {
    int most = app->resources.tokens_max;
    return (ResultsLimits){most > 0 ? most : APP_TOKENS_MAX};
}

static double now(const App *app) {
    return app->resources.now_s != NULL ? app->resources.now_s() : 0;
}

/* Return what the view and the status line need in addition to the forward pass. */
static ResultsRequest request_of(const App *app) {
    ResultsRequest request = {0};
    const View *view = &VIEWS[app_view(app)];
    if (view->request != NULL)
        view->request(&request, &app->session, app_shown_settings(app));
    request.follows = true; /* the status line says whether the forms agree */
    return request;
}

static const ViewMaking *making_of(const App *app) {
    return VIEWS[app_view(app)].making;
}

/* What the current picture still lacks. */
typedef struct WorkNext {
    bool is_missing;
    bool follows; /* true if the picture can be drawn without it */
    ResultsRequest request;
} WorkNext;

/* Run the job. No other thread uses its Results, and parts that these share with other Results are
 * only read. */
static void make(Job *job) {
    WorkJob *work = (WorkJob *)job;
    Results *run = &work->next;
    int stage = WORK_RESULTS;
    double began_s = work->now_s != NULL ? work->now_s() : 0;
    if (results_make(run, job) && run->T > 0)
        work->is_met = results_request_meet(run, &work->request, job, &work->err);
    if (run->valid && run->T > 0 && work->is_met && work->making != NULL &&
        atomic_compare_exchange_strong(&work->stage, &stage, WORK_VIEW))
        work->is_made = work->making->make(work->context, job);
    work->took_s = work->now_s != NULL ? work->now_s() - began_s : 0;
}

static void free_job(Job *job) {
    results_release(&((WorkJob *)job)->next);
    free(job);
}

static void set_outcome(App *app, const ResultsRequest *request, bool is_met, const Err *err) {
    app->work.outcome = (WorkOutcome){true, is_met, *request, app->run.revision, *err};
}

static bool has_outcome(const App *app, const ResultsRequest *request) {
    const WorkOutcome *outcome = &app->work.outcome;
    return outcome->is_there && outcome->revision == app->run.revision &&
           results_request_same(&outcome->request, request);
}

/* True if nothing has to be computed for this request. A request that failed is not tried again. */
static bool is_answered(const App *app, const ResultsRequest *request) {
    static const ResultsRequest nothing;
    const ResultsRequest first = results_request_first(request);
    return results_request_same(request, &nothing) || has_outcome(app, request) ||
           (has_outcome(app, &first) && !app->work.outcome.is_met);
}

static void take_picture(App *app, const WorkJob *job, bool is_made) {
    app->work.context.run = &app->run;
    if (job->making != NULL)
        job->making->take(&app->work.context, is_made);
}

/* Show the Results of the job that ended, unless it was stopped. */
static void show_results(App *app) {
    AppWork *work = &app->work;
    WorkJob *job = work->now;
    uint64_t before = app->run.revision;
    bool is_whole = job_goes_on(&job->job);
    work->now = NULL;
    results_end(&job->next);
    if (is_whole) {
        Results gone = app->run;
        app->run = job->next;
        job->next = gone;
    }
    if (is_whole && app->run.valid)
        set_outcome(app, &job->request, job->is_met || work->follows, &job->err);
    if (is_whole && work->follows && !job->is_met)
        app_say_err(app, &job->err);
    take_picture(app, job, is_whole && job->is_made);
    if (app->resources.now_s != NULL && app->run.revision != before)
        app->pass_s = job->took_s;
    work->is_long[work->follows] = 1e3 * job->took_s > WORK_WAIT_MS;
    if (is_whole && !work_is_said(app))
        work->since_s = app->time_s;
    job_drop(&app->resources.pool, &job->job);
}

/* Free abandoned jobs that have ended. Return a free slot for another one, or NULL. */
static WorkJob **place_for_abandoned(App *app) {
    WorkJob **place = NULL;
    for (int i = 0; i < WORK_ABANDONED_MAX; i++) {
        WorkJob **at = &app->work.abandoned[i];
        if (*at != NULL && job_wait(&app->resources.pool, &(*at)->job, 0)) {
            job_drop(&app->resources.pool, &(*at)->job);
            *at = NULL;
        }
        place = *at == NULL ? at : place;
    }
    return place;
}

/* Stop the job. Abandon it, so that no frame waits for its end. But keep it if it already uses the
 * view's data, or if too many abandoned jobs still run. */
static void stop(App *app) {
    AppWork *work = &app->work;
    WorkJob **place = place_for_abandoned(app);
    int stage = WORK_RESULTS;
    job_stop(&work->now->job);
    work->is_long[work->follows] = true;
    if (place == NULL || !atomic_compare_exchange_strong(&work->now->stage, &stage, WORK_ABANDONED))
        return;
    take_picture(app, work->now, false);
    *place = work->now;
    work->now = NULL;
}

void work_stop(App *app) {
    app->work.is_stopped = true;
    if (app->work.now != NULL)
        stop(app);
}

/* If anything in the Results will change, give them a revision that no other job has used. */
static void renew_revision(App *app, Results *run, uint64_t before) {
    uint64_t *last = &app->work.revisions;
    *last = *last > before ? *last : before;
    if (run->revision != before)
        run->revision = ++*last;
}

/* True if computing the session's layer may take longer than a frame. The text has no more tokens
 * than bytes. */
static bool is_long(const Session *session) {
    const Options *o = &session->options;
    int most = session->text->size < TOKENS_MAX ? (int)session->text->size : TOKENS_MAX;
    AttnShape shape = options_shape(o, most, (AttnForm)o->form.row);
    Cost cost = cost_of(&shape);
    return cost.parameters > LONG_PARAMETERS || cost.multiply_adds > LONG_SUMS;
}

static bool start(App *app, const WorkNext *next) {
    AppWork *work = &app->work;
    Err err;
    WorkJob *job = app->resources.pool.start != NULL ? heap_get_zero(1, sizeof *job) : NULL;
    if (job == NULL || !results_share(&job->next, &app->run, &err)) {
        free(job);
        return false;
    }
    results_begin(&job->next, &app->session, &app->resources.run, limits_of(app));
    renew_revision(app, &job->next, app->run.revision);
    session_release(&work->session);
    work->session = session_share(&app->session);
    work->request = next->request;
    work->follows = next->follows;
    work->settings = *app_shown_settings(app);
    work->context = (ViewContext){.session = &work->session,
                                  .run = &job->next,
                                  .settings = &work->settings,
                                  .memory = &app->memory};
    job->making = next->follows ? NULL : making_of(app);
    job->context = &work->context;
    if (job->making != NULL && job->making->begin != NULL)
        job->making->begin(&work->context, job->next.revision == app->run.revision);
    job->request = next->request;
    job->is_met = true;
    job->now_s = app->resources.now_s;
    job->job = (Job){.work = make,
                     .free = free_job,
                     .priority = next->follows ? JOB_FOLLOWS : JOB_PICTURE,
                     .threads = 1,
                     .is_long = is_long(&work->session)};
    work->now = job;
    work->started_s = app->time_s;
    job_start(&app->resources.pool, &job->job);
    return true;
}

static void run_in_the_frame(App *app) {
    double before_s = now(app);
    uint64_t before = app->run.revision;
    results_update(&app->run, &app->session, &app->resources.run, limits_of(app));
    renew_revision(app, &app->run, before);
    if (app->resources.now_s != NULL && app->run.revision != before)
        app->pass_s = now(app) - before_s;
}

/* True if the Results of `session` are up to date for the current session. False for NULL and for a
 * session without text. */
static bool serves(const App *app, const Session *session) {
    return session != NULL && session->text != NULL && results_same(session, &app->session);
}

static WorkNext next_of(App *app, const ResultsRequest *request) {
    const ResultsRequest first = results_request_first(request);
    if (!serves(app, results_session(&app->run)))
        return (WorkNext){true, false, first};
    if (!app->run.valid || app->run.T == 0)
        return (WorkNext){.is_missing = false};
    bool is_whole = is_answered(app, request);
    const ViewMaking *making = making_of(app);
    bool lacks_picture = making != NULL && app->resources.pool.start != NULL &&
                         results_request_is_drawable(&app->run, request) &&
                         !making->is_made(app_context(app));
    if ((!is_whole && !has_outcome(app, &first)) || lacks_picture)
        return (WorkNext){true, false, is_whole ? *request : first};
    return (WorkNext){!is_whole, true, *request};
}

/* True if the job computes what is missing, or did so until the user stopped it. */
static bool is_for(const App *app, const WorkNext *next) {
    const AppWork *work = &app->work;
    return serves(app, &work->session) && results_request_same(&work->request, &next->request) &&
           (work->follows || work->settings.view == app_view(app));
}

/* Wait for the job for the rest of the frame's waiting time. Do not wait for a job that began in an
 * earlier frame, or if the last job took too long: waiting would only delay the frame. */
static bool wait_for_job(App *app) {
    AppWork *work = &app->work;
    double none_ms = 0;
    bool waits = work->started_s == app->time_s && !work->is_long[work->follows];
    return job_wait_within(&app->resources.pool, &work->now->job, waits ? &work->left_ms : &none_ms,
                           app->resources.now_s);
}

static void make_in_the_frame(App *app, const WorkNext *next) {
    app->work.follows = next->follows;
    if (!serves(app, results_session(&app->run))) {
        run_in_the_frame(app);
        return;
    }
    Err err = {0};
    bool is_met = results_request_meet(&app->run, &next->request, NULL, &err);
    set_outcome(app, &next->request, is_met || next->follows, &err);
}

/* Start jobs until everything is computed, or until the frame has waited long enough. Return what
 * is still missing. */
static WorkNext make_what_is_missing(App *app, const ResultsRequest *request) {
    AppWork *work = &app->work;
    for (bool was_made = false;;) {
        WorkNext next = next_of(app, request);
        /* A job for an earlier session may finish if it is short, so that the picture follows a
         * drag. */
        bool is_late = app->time_s >= work->started_s + VAIN_S;
        if (work->now != NULL && !is_for(app, &next) &&
            (is_late || work->follows || !next.is_missing))
            stop(app);
        if (work->now != NULL) {
            if (!wait_for_job(app))
                return next;
            was_made = is_for(app, &next) && job_goes_on(&work->now->job);
            show_results(app);
            continue;
        }
        work->is_stopped = work->is_stopped && is_for(app, &next);
        if (!next.is_missing || work->is_stopped)
            return next;
        if (was_made && is_for(app, &next)) /* the job failed; the view shows why */
            return (WorkNext){.is_missing = false};
        if (start(app, &next))
            continue;
        if (serves(app, results_session(&app->run)) && has_outcome(app, &next.request))
            return (WorkNext){.is_missing = false}; /* the view computes its data while drawing */
        make_in_the_frame(app, &next);
    }
}

/* Keep the Results on screen as `before`, if a new undo step changed the session. */
static void keep_before(App *app) {
    AppWork *work = &app->work;
    const Results *run = &app->run;
    uint64_t at = history_position(&app->history);
    Err err;
    if (!run->valid || run->T == 0 || serves(app, results_session(run)) || work->before_at == at)
        return;
    results_release(&work->before);
    const AttnShape *shape = &run->layers[0].shape[run->form];
    if ((long long)shape->T * shape->T * shape->H + cost_of(shape).parameters <= BEFORE_MOST)
        results_share(&work->before, run, &err);
    work->before_at = at;
}

void work_forget_before(App *app) {
    results_release(&app->work.before);
    app->work.before_at = history_position(&app->history);
}

void work_update(App *app) {
    AppWork *work = &app->work;
    if (work->frame_s != app->time_s)
        work->left_ms = WORK_WAIT_MS;
    work->frame_s = app->time_s;
    place_for_abandoned(app);
    keep_before(app);
    bool was_stale = work->is_stale;
    ResultsRequest request = request_of(app);
    WorkNext next = make_what_is_missing(app, &request);
    work->is_behind = !serves(app, results_session(&app->run));
    work->is_stale = next.is_missing && !next.follows;
    work->waits = work->is_stale && app->run.valid && app->run.T > 0 && making_of(app) != NULL;
    if (work->now == NULL && !next.is_missing && app->run.valid)
        run_in_the_frame(app); /* quick, because only the chosen head or the pin can differ */
    if (!was_stale)
        work->since_s = app->time_s;
}

const Err *work_failure(const App *app) {
    const WorkOutcome *outcome = &app->work.outcome;
    bool is_now = outcome->is_there && outcome->revision == app->run.revision;
    return is_now && outcome->is_met && outcome->err.kind != ERR_NONE ? &outcome->err : NULL;
}

bool work_is_drawable(App *app, Err *err) {
    const WorkOutcome *outcome = &app->work.outcome;
    ResultsRequest request = request_of(app);
    if (!app->run.valid || app->run.T == 0)
        return false;
    if (app->work.waits && making_of(app)->is_there(app_context(app)))
        return true;
    if (is_answered(app, &request) && outcome->is_there && !outcome->is_met) {
        *err = outcome->err;
        return false;
    }
    return results_request_is_drawable(&app->run, &request) ||
           err_fail(err, VIEWS[app_view(app)].entry.label, WORK_BUSY);
}

bool work_end(App *app) {
    AppWork *work = &app->work;
    const JobPool *pool = &app->resources.pool;
    if (work->now != NULL)
        stop(app);
    if (work->now != NULL && !job_wait(pool, &work->now->job, WORK_PATIENCE_MS))
        return false;
    if (work->now != NULL)
        show_results(app);
    for (int i = 0; i < WORK_ABANDONED_MAX; i++)
        if (work->abandoned[i] != NULL)
            job_drop(pool, &work->abandoned[i]->job);
    memset(work->abandoned, 0, sizeof work->abandoned);
    session_release(&work->session);
    results_release(&work->before);
    return true;
}

const Session *app_shown_session(App *app) {
    const Session *from = results_session(&app->run);
    if (!app->work.is_stale || from == NULL)
        return &app->session;
    Session *shown = &app->work.shown;
    int head = app->session.options.head, heads = from->options.heads;
    *shown = *from;
    shown->options.head = head < heads ? head : heads;
    shown->options.pin = app->session.options.pin;
    return shown;
}

bool app_is_behind(const App *app) {
    return app->work.is_behind;
}

bool app_lacks(const App *app) {
    return app->work.is_stale;
}

bool work_is_said(const App *app) {
    return app->work.is_stale && app->time_s >= app->work.since_s + WORK_SAID_S;
}

#define PROGRESS_S 1.0
#define LIGHT_S    1.4 /* seconds in which the line of light crosses the window */
/* Seconds between frames of the light; the job needs the processor, too. */
#define LIGHT_STEP_S 0.03
#define LIGHT_W      320
#define PROGRESS_W   460
#define CONTINUE_W   104
#define GAP          14
#define BUTTON_INSET 6 /* px between a button and the edges of the status row */

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
        float needed = text_width(ui, TEXT_BODY | TEXT_BRIGHT, "%s", whole) + GAP + CONTINUE_W;
        const char *words = needed <= rest->w ? whole : brief;
        rect_cut_left(rest, text_in(ui, *rest, TEXT_BODY | TEXT_BRIGHT, "%s", words) + GAP);
        Rect button = rect_inset(rect_cut_left(rest, fminf(CONTINUE_W, rest->w)), 0, BUTTON_INSET);
        work->is_stopped = !button_text(ui, ui_id("continue", 0), button, "Continue");
        ui->again |= !work->is_stopped;
    } else if (app->time_s >= work->since_s + PROGRESS_S) {
        bool ends = work->now == NULL || !job_goes_on(&work->now->job);
        Rect place = rect_inset(rect_cut_left(rest, fminf(PROGRESS_W, rest->w)), 0, BUTTON_INSET);
        bool disabled = ui_disable(ui, ends);
        if (button_progress(ui, ui_id("computing", 0), place, ends ? "Stopping" : "Computing", NAN))
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
