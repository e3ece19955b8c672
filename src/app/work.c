#include "app/work.h"

#include <string.h>

#include "app/app_state.h"

#define VAIN_S 0.25 /* after which a job for an earlier session is stopped */

static RunLimits limits_of(const App *app) {
    int most = app->resources.tokens_max;
    return (RunLimits){most > 0 ? most : APP_TOKENS_MAX};
}

static double now(const App *app) {
    return app->resources.now_s != NULL ? app->resources.now_s() : 0;
}

/* What the view asks for beside the Run. */
static RunWish wish_of(const App *app) {
    RunWish wish = {0};
    const View *view = &VIEWS[app_view(app)];
    if (view->wish != NULL)
        view->wish(&wish, &app->session, app_shown_settings(app), &app->memory);
    return wish;
}

static const ViewMaking *making_of(const App *app) {
    return VIEWS[app_view(app)].making;
}

/* The jobs. The Run that is made is the job's own; the one that is shown is lent to it, and must
 * not change until the job is done. */
static void make_run(void *data) {
    AppWork *work = data;
    Run *run = &work->other;
    work->is_made = false;
    if (run_make(run, &work->watch) && run->T > 0)
        work->is_met = run_wish_meet(run, &work->wish, &work->watch, &work->wish_err);
    if (run->valid && run->T > 0 && work->is_met && work->making != NULL)
        work->is_made = work->making->make(&work->context, &work->watch);
}

static void make_picture(void *data) {
    AppWork *work = data;
    work->is_made = work->making->make(&work->context, &work->watch);
}

static void make_wish(void *data) {
    AppWork *work = data;
    work->is_met = run_wish_make(work->lent, &work->wish, &work->watch, &work->wish_err);
}

static void forget_session(AppWork *work) {
    if (work->session.text != NULL)
        session_release(&work->session);
}

/* What the next job is for. */
static void take_session(App *app) {
    forget_session(&app->work);
    app->work.session = session_share(&app->session);
}

/* What the shown Run has been asked for, and whether that failed. */
static void set_answer(App *app, const RunWish *wish, bool is_met, const Err *err) {
    app->work.answer = (WorkAnswer){true, is_met, *wish, app->run.revision, *err};
}

static bool is_answer(const App *app, const RunWish *wish) {
    const WorkAnswer *answer = &app->work.answer;
    return answer->is_there && answer->revision == app->run.revision &&
           run_wish_same(&answer->wish, wish);
}

/* Whether there is nothing more to be made: what could not be, is not tried again. */
static bool is_answered(const App *app, const RunWish *wish) {
    static const RunWish nothing;
    const RunWish first = run_wish_first(wish);
    return run_wish_same(wish, &nothing) || is_answer(app, wish) ||
           (is_answer(app, &first) && !app->work.answer.is_met);
}

/* The Run that the job made takes the place of the one that is shown, from which the next job goes
 * on. */
static void take_run(App *app) {
    AppWork *work = &app->work;
    Run before = app->run;
    app->run = work->other;
    work->other = before;
    if (app->run.revision <= before.revision) /* never that of another picture */
        app->run.revision = before.revision + 1;
    if (app->run.valid)
        set_answer(app, &work->wish, work->is_met, &work->wish_err);
}

/* What the view made of the Run that is shown now. */
static void take_picture(App *app, bool is_made) {
    AppWork *work = &app->work;
    work->context.run = &app->run;
    if (work->making != NULL)
        work->making->take(&work->context, is_made);
    work->making = NULL;
}

/* Of a job that was stopped there is nothing to be seen. */
static void take(App *app) {
    AppWork *work = &app->work;
    WorkJob job = work->job;
    bool is_stopped = atomic_load(&work->watch.stop);
    work->job = WORK_NONE;
    if (job == WORK_RUN)
        run_end(&work->other);
    if (is_stopped) {
        take_picture(app, false);
        return;
    }
    if (job == WORK_RUN)
        take_run(app);
    take_picture(app, work->is_made);
    if (job == WORK_WISH && work->is_met)
        run_wish_end(&app->run, &work->wish);
    if (job == WORK_WISH)
        set_answer(app, &work->wish, work->is_met || work->follows, &work->wish_err);
    if (app->resources.now_s != NULL && job == WORK_RUN)
        app->pass_s = now(app) - work->began_s;
    if (!work_is_said(app))
        work->since_s = app->time_s;
}

/* Prepare for the view to make its picture of that Run; without memory it makes it in the frame. */
static void begin_picture(App *app, Run *run, bool is_shown) {
    AppWork *work = &app->work;
    work->settings = *app_shown_settings(app);
    work->context = (ViewContext){
        .session = &work->session, .run = run, .settings = &work->settings, .memory = &app->memory};
    work->making = making_of(app);
    if (!work->making->begin(&work->context, is_shown))
        work->making = NULL;
}

/* Begin a job for today's session; false where there is nobody to do it. */
static bool start(App *app, WorkJob job, const RunWish *wish) {
    static void (*const doing[])(void *) = {[WORK_NONE] = NULL,
                                            [WORK_RUN] = make_run,
                                            [WORK_WISH] = make_wish,
                                            [WORK_PICTURE] = make_picture};
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    work->wish = *wish;
    work->is_met = true;
    work->started_s = app->time_s;
    work->began_s = now(app);
    job_watch_begin(&work->watch);
    work->job = jobs->start(jobs->context, doing[job], work) ? job : WORK_NONE;
    return work->job != WORK_NONE;
}

/* A Run for today's session, with what the view makes of it. False also if there is no memory for a
 * second Run. */
static bool start_run(App *app, const RunWish *wish) {
    AppWork *work = &app->work;
    Err err;
    if (work->other.cache == NULL && !run_init(&work->other, &err))
        return false;
    run_begin(&work->other, &app->session, &app->resources.run, limits_of(app));
    take_session(app);
    if (making_of(app) != NULL)
        begin_picture(app, &work->other, false);
    if (start(app, WORK_RUN, wish))
        return true;
    run_end(&work->other);
    take_picture(app, false);
    return false;
}

/* What is missing of the shown Run. */
static bool start_wish(App *app, const RunWish *wish) {
    Err err;
    app->work.lent = &app->run;
    take_session(app);
    return run_wish_begin(&app->run, wish, &err) && start(app, WORK_WISH, wish);
}

/* What the view makes of the shown Run. */
static bool start_picture(App *app, const RunWish *wish) {
    take_session(app);
    begin_picture(app, &app->run, true);
    if (app->work.making != NULL && start(app, WORK_PICTURE, wish))
        return true;
    take_picture(app, false);
    return false;
}

static void run_in_the_frame(App *app) {
    double before = now(app);
    uint64_t revision = app->run.revision;
    run_update(&app->run, &app->session, &app->resources.run, limits_of(app));
    if (app->resources.now_s != NULL && app->run.revision != revision)
        app->pass_s = now(app) - before;
}

static void wish_in_the_frame(App *app, const RunWish *wish) {
    Err err = {0};
    bool is_met = run_wish_meet(&app->run, wish, NULL, &err);
    set_answer(app, wish, is_met || app->work.follows, &err);
}

/* Whether a Run for that session is one for today's. NULL or no text is for none. */
static bool serves(const App *app, const Session *session) {
    return session != NULL && session->text != NULL && run_same(session, &app->session);
}

/* What is missing of the picture of today, in the order in which it is made. */
typedef struct WorkNext {
    WorkJob job;
    RunWish wish;
    bool follows; /* the picture is there without it */
} WorkNext;

static bool lacks_picture(App *app, const RunWish *wish) {
    ViewContext context = app_view_context(app);
    const ViewMaking *making = making_of(app);
    return making != NULL && app->resources.jobs.start != NULL &&
           run_wish_is_drawable(&app->run, wish) && !making->is_made(&context);
}

static WorkNext next_of(App *app, const RunWish *wish) {
    const RunWish first = run_wish_first(wish);
    if (!serves(app, run_session(&app->run)))
        return (WorkNext){WORK_RUN, first, false};
    if (!app->run.valid || app->run.T == 0)
        return (WorkNext){.job = WORK_NONE};
    if (!is_answered(app, wish) && !is_answer(app, &first))
        return (WorkNext){WORK_WISH, first, false};
    if (lacks_picture(app, wish))
        return (WorkNext){WORK_PICTURE, first, false};
    if (!is_answered(app, wish))
        return (WorkNext){WORK_WISH, *wish, true};
    return (WorkNext){.job = WORK_NONE};
}

/* True if the job makes what is missing, or made it until a person stopped it. */
static bool is_for(const App *app, const WorkNext *next) {
    const AppWork *work = &app->work;
    return serves(app, &work->session) && run_wish_same(&work->wish, &next->wish) &&
           (work->settings.view == app_view(app) || work->job != WORK_PICTURE);
}

/* A job for an earlier session may end if it is short, so that the picture follows a drag at its
 * own pace. */
static void stop_if_vain(App *app, const WorkNext *next) {
    AppWork *work = &app->work;
    bool is_late = app->time_s >= work->started_s + VAIN_S;
    if (!is_for(app, next) && (is_late || work->follows || next->job == WORK_NONE))
        atomic_store(&work->watch.stop, true);
}

/* Wait for a job that began in this frame, in what is left of the frame's time; for an older one
 * the frame does not wait. */
static bool wait_for_job(App *app) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    double before_s = now(app), left_ms;
    if (work->frame_s != app->time_s)
        work->waited_ms = 0;
    work->frame_s = app->time_s;
    left_ms = work->started_s == app->time_s ? WORK_WAIT_MS - work->waited_ms : 0;
    bool is_done =
        left_ms >= 1 ? jobs->wait(jobs->context, (int)left_ms) : jobs->is_done(jobs->context);
    work->waited_ms += 1e3 * (now(app) - before_s);
    return is_done;
}

static bool start_next(App *app, const WorkNext *next) {
    if (app->resources.jobs.start == NULL)
        return false;
    app->work.follows = next->follows;
    return next->job == WORK_RUN    ? start_run(app, &next->wish)
           : next->job == WORK_WISH ? start_wish(app, &next->wish)
                                    : start_picture(app, &next->wish);
}

/* False if the view is to make it as it draws. */
static bool make_in_the_frame(App *app, const WorkNext *next) {
    app->work.follows = next->follows;
    if (next->job == WORK_RUN)
        run_in_the_frame(app);
    if (next->job == WORK_WISH)
        wish_in_the_frame(app, &next->wish);
    return next->job != WORK_PICTURE;
}

/* Start what is missing until nothing is, or the frame has waited long enough for it. Returns what
 * is then missing. */
static WorkNext make_what_is_missing(App *app, const RunWish *wish) {
    AppWork *work = &app->work;
    WorkJob last = WORK_NONE;
    for (;;) {
        WorkNext next = next_of(app, wish);
        if (work->job != WORK_NONE)
            stop_if_vain(app, &next);
        if (work->job != WORK_NONE && !wait_for_job(app))
            return next;
        if (work->job != WORK_NONE) {
            last = work->job;
            take(app);
            continue;
        }
        if (next.job == WORK_PICTURE && last == WORK_PICTURE) /* it failed: the view says why */
            return (WorkNext){.job = WORK_NONE};
        work->is_stopped = work->is_stopped && is_for(app, &next);
        if (next.job == WORK_NONE || work->is_stopped)
            return next;
        if (!start_next(app, &next) && !make_in_the_frame(app, &next))
            return (WorkNext){.job = WORK_NONE};
    }
}

void work_update(App *app) {
    AppWork *work = &app->work;
    bool was_stale = work->is_stale;
    RunWish wish = wish_of(app);
    WorkNext next = make_what_is_missing(app, &wish);
    work->is_behind = next.job == WORK_RUN;
    work->is_stale = next.job != WORK_NONE && !next.follows;
    work->waits = work->is_stale && app->run.valid && app->run.T > 0 && making_of(app) != NULL;
    if (work->job == WORK_NONE && next.job == WORK_NONE && app->run.valid)
        run_in_the_frame(app); /* only the chosen head or the pin can be another */
    if (!was_stale)
        work->since_s = app->time_s;
}

bool work_is_drawable(App *app, Err *err) {
    const WorkAnswer *answer = &app->work.answer;
    RunWish wish = wish_of(app);
    if (!app->run.valid || app->run.T == 0)
        return false;
    ViewContext context = app_view_context(app);
    if (app->work.waits && making_of(app)->is_there(&context))
        return true;
    if (is_answered(app, &wish) && answer->is_there && !answer->is_met) {
        *err = answer->err;
        return false;
    }
    return run_wish_is_drawable(&app->run, &wish) ||
           err_fail(err, VIEWS[app_view(app)].entry.label, WORK_BUSY);
}

static void give_back(AppWork *work) {
    forget_session(work);
    if (work->other.cache != NULL)
        run_release(&work->other);
}

bool work_end(App *app) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    atomic_store(&work->watch.stop, true);
    if (work->job != WORK_NONE && !jobs->wait(jobs->context, JOB_PATIENCE_MS))
        return false;
    if (work->job == WORK_RUN)
        run_end(&work->other);
    work->job = WORK_NONE;
    take_picture(app, false);
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

bool app_is_behind(const App *app) {
    return app->work.is_behind;
}

bool app_lacks(const App *app) {
    return app->work.is_stale;
}

bool work_is_said(const App *app) {
    return app->work.is_stale && app->time_s >= app->work.since_s + WORK_SAID_S;
}
