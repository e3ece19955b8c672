#include "app/work.h"

#include <string.h>

#include "app/app_state.h"

#define WORK_PATIENCE_MS 400
#define VAIN_S           0.25 /* after which a job for an earlier session is stopped */

static ResultsLimits limits_of(const App *app) {
    int most = app->resources.tokens_max;
    return (ResultsLimits){most > 0 ? most : APP_TOKENS_MAX};
}

static double now(const App *app) {
    return app->resources.now_s != NULL ? app->resources.now_s() : 0;
}

/* What the view asks for beside the Results. */
static ResultsRequest request_of(const App *app) {
    ResultsRequest request = {0};
    const View *view = &VIEWS[app_view(app)];
    if (view->request != NULL)
        view->request(&request, &app->session, app_shown_settings(app), &app->memory);
    request.follows = true; /* the status line says whether the forms agree */
    return request;
}

static const ViewMaking *making_of(const App *app) {
    return VIEWS[app_view(app)].making;
}

/* What is missing of the picture of today. */
typedef struct WorkNext {
    bool is_missing;
    bool follows; /* the picture is there without it */
    ResultsRequest request;
} WorkNext;

/* The job. Nobody else uses work->next meanwhile, and parts that it shares are only read. */
static void make(Job *job) {
    AppWork *work = (AppWork *)job;
    Results *run = &work->next;
    if (results_make(run, job) && run->T > 0)
        work->is_met = results_request_meet(run, &work->request, job, &work->request_err);
    if (run->valid && run->T > 0 && work->is_met && work->making != NULL)
        work->is_made = work->making->make(&work->context, job);
}

static void forget_session(AppWork *work) {
    if (work->session.text != NULL)
        session_release(&work->session);
}

/* What the shown Results has been asked for, and whether that failed. */
static void set_answer(App *app, const ResultsRequest *request, bool is_met, const Err *err) {
    app->work.answer = (WorkAnswer){true, is_met, *request, app->run.revision, *err};
}

static bool is_answer(const App *app, const ResultsRequest *request) {
    const WorkAnswer *answer = &app->work.answer;
    return answer->is_there && answer->revision == app->run.revision &&
           results_request_same(&answer->request, request);
}

/* Whether there is nothing more to be made: what could not be, is not tried again. */
static bool is_answered(const App *app, const ResultsRequest *request) {
    static const ResultsRequest nothing;
    const ResultsRequest first = results_request_first(request);
    return results_request_same(request, &nothing) || is_answer(app, request) ||
           (is_answer(app, &first) && !app->work.answer.is_met);
}

/* What the view made of the Results that is shown now. */
static void take_picture(App *app, bool is_made) {
    AppWork *work = &app->work;
    work->context.run = &app->run;
    if (work->making != NULL)
        work->making->take(&work->context, is_made);
    work->making = NULL;
}

/* Show the job's Results, unless the job was stopped. */
static void take(App *app) {
    AppWork *work = &app->work;
    Results *gone = &work->next, before = app->run;
    work->is_working = false;
    results_end(&work->next);
    if (atomic_load(&work->job.stop)) {
        take_picture(app, false);
        results_release(gone);
        return;
    }
    app->run = work->next;
    work->next = (Results){0};
    if (app->run.valid)
        set_answer(app, &work->request, work->is_met || work->follows, &work->request_err);
    take_picture(app, work->is_made);
    if (app->resources.now_s != NULL && app->run.revision != before.revision)
        app->pass_s = now(app) - work->began_s;
    results_release(&before);
    if (!work_is_said(app))
        work->since_s = app->time_s;
}

/* A revision that no Results has had, not even one that was stopped, if anything is to be another.
 */
static void renew_revision(App *app, Results *run, uint64_t before) {
    uint64_t *last = &app->work.revisions;
    *last = *last > before ? *last : before;
    if (run->revision != before)
        run->revision = ++*last;
}

/* Begin a job for today's session. False if no thread or memory is there for it. */
static bool start(App *app, const WorkNext *next) {
    AppWork *work = &app->work;
    const JobPool *pool = &app->resources.pool;
    Err err;
    if (pool->start == NULL || !results_share(&work->next, &app->run, &err))
        return false;
    results_begin(&work->next, &app->session, &app->resources.run, limits_of(app));
    renew_revision(app, &work->next, app->run.revision);
    forget_session(work);
    work->session = session_share(&app->session);
    work->request = next->request;
    work->follows = next->follows;
    work->settings = *app_shown_settings(app);
    work->context = (ViewContext){.session = &work->session,
                                  .run = &work->next,
                                  .settings = &work->settings,
                                  .memory = &app->memory};
    work->making = next->follows ? NULL : making_of(app);
    if (work->making != NULL &&
        !work->making->begin(&work->context, work->next.revision == app->run.revision))
        work->making = NULL; /* the view makes it as it draws */
    work->is_met = true;
    work->is_made = false;
    work->started_s = app->time_s;
    work->began_s = now(app);
    work->job =
        (Job){.work = make, .priority = next->follows ? JOB_FOLLOWS : JOB_PICTURE, .threads = 1};
    job_start(pool, &work->job);
    work->is_working = true;
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

static void wish_in_the_frame(App *app, const ResultsRequest *request) {
    Err err = {0};
    bool is_met = results_request_meet(&app->run, request, NULL, &err);
    set_answer(app, request, is_met || app->work.follows, &err);
}

/* Whether a Results for that session is one for today's. NULL or no text is for none. */
static bool serves(const App *app, const Session *session) {
    return session != NULL && session->text != NULL && results_same(session, &app->session);
}

static bool lacks_picture(App *app, const ResultsRequest *request) {
    ViewContext context = app_view_context(app);
    const ViewMaking *making = making_of(app);
    return making != NULL && app->resources.pool.start != NULL &&
           results_request_is_drawable(&app->run, request) && !making->is_made(&context);
}

static WorkNext next_of(App *app, const ResultsRequest *request) {
    const ResultsRequest first = results_request_first(request);
    if (!serves(app, results_session(&app->run)))
        return (WorkNext){true, false, first};
    if (!app->run.valid || app->run.T == 0)
        return (WorkNext){.is_missing = false};
    bool is_whole = is_answered(app, request);
    if ((!is_whole && !is_answer(app, &first)) || lacks_picture(app, request))
        return (WorkNext){true, false, is_whole ? *request : first};
    return (WorkNext){!is_whole, true, *request};
}

/* True if the job makes what is missing, or made it until a person stopped it. */
static bool is_for(const App *app, const WorkNext *next) {
    const AppWork *work = &app->work;
    return serves(app, &work->session) && results_request_same(&work->request, &next->request) &&
           (work->follows || work->settings.view == app_view(app));
}

/* A job for an earlier session may end if it is short, so that the picture follows a drag at its
 * own pace. */
static void stop_if_vain(App *app, const WorkNext *next) {
    AppWork *work = &app->work;
    bool is_late = app->time_s >= work->started_s + VAIN_S;
    if (!is_for(app, next) && (is_late || work->follows || !next->is_missing))
        job_stop(&work->job);
}

/* Wait for a job that began in this frame, in what is left of the frame's time; for an older one
 * the frame does not wait. */
static bool wait_for_job(App *app) {
    AppWork *work = &app->work;
    double none_ms = 0;
    return job_wait_within(&app->resources.pool, &work->job,
                           work->started_s == app->time_s ? &work->left_ms : &none_ms,
                           app->resources.now_s);
}

static void make_in_the_frame(App *app, const WorkNext *next) {
    app->work.follows = next->follows;
    if (!serves(app, results_session(&app->run)))
        run_in_the_frame(app);
    else
        wish_in_the_frame(app, &next->request);
}

/* Start what is missing until nothing is, or the frame has waited long enough for it. Returns what
 * is then missing. */
static WorkNext make_what_is_missing(App *app, const ResultsRequest *request) {
    AppWork *work = &app->work;
    for (bool was_made = false;;) {
        WorkNext next = next_of(app, request);
        if (work->is_working) {
            stop_if_vain(app, &next);
            if (!wait_for_job(app))
                return next;
            was_made = is_for(app, &next) && !atomic_load(&work->job.stop);
            take(app);
            continue;
        }
        work->is_stopped = work->is_stopped && is_for(app, &next);
        if (!next.is_missing || work->is_stopped)
            return next;
        if (was_made && is_for(app, &next)) /* it failed, and the view says why */
            return (WorkNext){.is_missing = false};
        if (start(app, &next))
            continue;
        if (serves(app, results_session(&app->run)) && is_answer(app, &next.request))
            return (WorkNext){.is_missing = false}; /* the view makes the rest as it draws */
        make_in_the_frame(app, &next);
    }
}

void work_update(App *app) {
    AppWork *work = &app->work;
    if (work->frame_s != app->time_s)
        work->left_ms = WORK_WAIT_MS;
    work->frame_s = app->time_s;
    bool was_stale = work->is_stale;
    ResultsRequest request = request_of(app);
    WorkNext next = make_what_is_missing(app, &request);
    work->is_behind = !serves(app, results_session(&app->run));
    work->is_stale = next.is_missing && !next.follows;
    work->waits = work->is_stale && app->run.valid && app->run.T > 0 && making_of(app) != NULL;
    if (!work->is_working && !next.is_missing && app->run.valid)
        run_in_the_frame(app); /* only the chosen head or the pin can be another */
    if (!was_stale)
        work->since_s = app->time_s;
}

bool work_is_drawable(App *app, Err *err) {
    const WorkAnswer *answer = &app->work.answer;
    ResultsRequest request = request_of(app);
    if (!app->run.valid || app->run.T == 0)
        return false;
    ViewContext context = app_view_context(app);
    if (app->work.waits && making_of(app)->is_there(&context))
        return true;
    if (is_answered(app, &request) && answer->is_there && !answer->is_met) {
        *err = answer->err;
        return false;
    }
    return results_request_is_drawable(&app->run, &request) ||
           err_fail(err, VIEWS[app_view(app)].entry.label, WORK_BUSY);
}

bool work_end(App *app) {
    AppWork *work = &app->work;
    job_stop(&work->job);
    if (work->is_working && !job_wait(&app->resources.pool, &work->job, WORK_PATIENCE_MS))
        return false;
    if (work->is_working)
        take(app);
    forget_session(work);
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
