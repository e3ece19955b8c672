#include "app/work.h"

#include <string.h>

#include "app/app_state.h"

#define FRAME_STEPS (12 * JOB_STEPS_PER_MS)  /* done in the frame */
#define KEPT_STEPS  (250 * JOB_STEPS_PER_MS) /* a job as short as this is left to end */

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

/* Of what the view makes; of the Run that is shown, or anew of one of T tokens. */
static double picture_steps(App *app, int T, bool anew) {
    ViewContext context = app_view_context(app);
    const ViewMaking *making = making_of(app);
    if (anew)
        context.session = &app->session;
    return making != NULL ? making->steps(&context, T, anew) : 0;
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
    return app->run.T == 0 || run_wish_same(wish, &nothing) || is_answer(app, wish) ||
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
        set_answer(app, &work->wish, work->is_met || work->is_extra, &work->wish_err);
    if (app->resources.now_s != NULL && job == WORK_RUN)
        app->pass_s = now(app) - work->started_s;
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
static bool start(App *app, WorkJob job, const RunWish *wish, double steps) {
    static void (*const doing[])(void *) = {[WORK_NONE] = NULL,
                                            [WORK_RUN] = make_run,
                                            [WORK_WISH] = make_wish,
                                            [WORK_PICTURE] = make_picture};
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    work->wish = *wish;
    work->is_met = true;
    work->steps = steps;
    work->started_s = now(app);
    job_watch_begin(&work->watch);
    work->job = jobs->start(jobs->context, doing[job], work) ? job : WORK_NONE;
    return work->job != WORK_NONE;
}

/* A Run for today's session. False also where there is no memory for a second one. */
static bool start_run(App *app, const RunWish *wish, double steps, bool with_picture) {
    AppWork *work = &app->work;
    Err err;
    if (work->other.cache == NULL && !run_init(&work->other, &err))
        return false;
    run_begin(&work->other, &app->session, &app->resources.run, limits_of(app));
    take_session(app);
    if (with_picture)
        begin_picture(app, &work->other, false);
    if (start(app, WORK_RUN, wish, steps))
        return true;
    run_end(&work->other);
    take_picture(app, false);
    return false;
}

/* What is missing of the shown Run. */
static bool start_wish(App *app, const RunWish *wish, double steps) {
    Err err;
    app->work.lent = &app->run;
    take_session(app);
    return run_wish_begin(&app->run, wish, &err) && start(app, WORK_WISH, wish, steps);
}

/* What the view makes of the shown Run. */
static bool start_picture(App *app, const RunWish *wish, double steps) {
    take_session(app);
    begin_picture(app, &app->run, true);
    if (app->work.making != NULL && start(app, WORK_PICTURE, wish, steps))
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
    set_answer(app, wish, is_met || app->work.is_extra, &err);
}

/* Whether a Run for that session is one for today's. NULL or no text is for none. */
static bool serves(const App *app, const Session *session) {
    return session != NULL && session->text != NULL && run_same(session, &app->session);
}

/* Whether it is the wish, or comes first of it. */
static bool is_part_of(const RunWish *part, const RunWish *wish) {
    const RunWish same = run_wish_up_to(wish, part->merge.stage);
    return run_wish_same(part, &same);
}

/* Whether what a job does is asked for today, or comes first of it. */
static bool is_for_today(const App *app, const RunWish *wish) {
    const AppWork *work = &app->work;
    if (work->job == WORK_PICTURE)
        return serves(app, &work->session) && work->settings.view == app_view(app);
    return serves(app, &work->session) && (work->job == WORK_RUN || is_part_of(&work->wish, wish));
}

/* A short job is left to end, so that the picture follows a drag at its own pace; one that the
 * picture does not wait for is not. */
static void stop_if_vain(App *app, const RunWish *wish, bool is_shown) {
    AppWork *work = &app->work;
    bool is_lent = work->job == WORK_PICTURE && !serves(app, &work->session);
    if (!is_for_today(app, wish) &&
        (is_shown || work->is_extra || is_lent || work->steps > KEPT_STEPS))
        atomic_store(&work->watch.stop, true);
}

/* What a light session leaves of a heavy one. */
static void give_back(AppWork *work) {
    forget_session(work);
    if (work->other.cache != NULL)
        run_release(&work->other);
}

/* Whether so many steps are for a job, of which there can be one. */
static bool is_long(const App *app, double steps) {
    return app->resources.jobs.start != NULL && steps > FRAME_STEPS;
}

/* What is to be made next of a wish that is not answered. */
static RunWish next_of(const App *app, const RunWish *wish) {
    for (MergeStage stage = MERGE_PICTURE; stage + 1 < MERGE_STAGES; stage++) {
        const RunWish part = run_wish_up_to(wish, stage);
        if (is_answer(app, &part))
            return run_wish_up_to(wish, stage + 1);
    }
    return run_wish_first(wish);
}

/* With a Run of today's session: see to what the view asks for beside it, first things first. True
 * while that is missing. */
static bool lacks_wish(App *app, const RunWish *wish) {
    AppWork *work = &app->work;
    const RunWish first = run_wish_first(wish);
    while (!is_answered(app, wish)) {
        const RunWish next = next_of(app, wish);
        double steps = run_wish_steps(&app->run, &app->session, app->run.T, &next);
        if (is_long(app, steps) && work->job != WORK_NONE)
            return true;
        work->is_stopped = work->is_stopped && is_for_today(app, wish);
        work->is_extra = !run_wish_same(&next, &first);
        if (work->is_stopped || (is_long(app, steps) && start_wish(app, &next, steps)))
            return true;
        wish_in_the_frame(app, &next);
    }
    return false;
}

/* With a Run of today's session and all that was asked of it: see to what the view makes of it.
 * True while that is missing. */
static bool lacks_picture(App *app, const RunWish *wish) {
    AppWork *work = &app->work;
    double steps = picture_steps(app, app->run.T, false);
    if (app->run.T == 0 || !is_long(app, steps) || !run_wish_is_drawable(&app->run, wish))
        return false;
    if (work->job != WORK_NONE)
        return true;
    work->is_stopped = work->is_stopped && serves(app, &work->session);
    return work->is_stopped || start_picture(app, wish, steps);
}

/* Without one. True while the picture lacks something. */
static bool lacks_run(App *app, const RunWish *wish) {
    AppWork *work = &app->work;
    if (work->job != WORK_NONE)
        return true;
    work->is_stopped = work->is_stopped && serves(app, &work->session);
    if (work->is_stopped)
        return true;
    RunLimits limits = limits_of(app);
    const RunResources *resources = &app->resources.run;
    const RunWish first = run_wish_first(wish);
    int T = run_tokens_ahead(&app->run, &app->session, resources, limits);
    double steps = run_steps(&app->run, &app->session, resources, limits) +
                   run_wish_steps(&app->run, &app->session, T, &first);
    double picture = picture_steps(app, T, true);
    bool with_picture = picture > 0 && is_long(app, steps + picture);
    steps += with_picture ? picture : 0;
    work->is_extra = false;
    if (is_long(app, steps) && start_run(app, &first, steps, with_picture))
        return true;
    run_in_the_frame(app);
    give_back(work);
    work->is_behind = false;
    return app->run.valid && (lacks_wish(app, wish) || lacks_picture(app, wish));
}

/* Whether the picture stays behind the session for now. */
static bool stays_behind(App *app, const RunWish *wish) {
    AppWork *work = &app->work;
    bool is_current = serves(app, run_session(&app->run));
    work->is_behind = !is_current;
    bool is_shown = is_current && (!app->run.valid || is_answered(app, wish));
    if (work->job != WORK_NONE)
        stop_if_vain(app, wish, is_shown);
    if (work->job == WORK_WISH || work->job == WORK_PICTURE)
        return !is_shown || (app->run.valid && lacks_picture(app, wish));
    if (!is_current)
        return lacks_run(app, wish);
    if (!app->run.valid)
        return false;
    run_in_the_frame(app);
    return lacks_wish(app, wish) || lacks_picture(app, wish);
}

/* Whether all that is shown of the wish is there, and the job is for what may be asked for next. */
static bool is_ahead(const App *app, const RunWish *wish) {
    const AppWork *work = &app->work;
    const RunWish shown = run_wish_shown(wish);
    bool is_there = is_answered(app, &shown);
    for (MergeStage stage = shown.merge.stage; stage < wish->merge.stage && !is_there; stage++) {
        const RunWish more = run_wish_up_to(wish, stage);
        is_there = is_answer(app, &more);
    }
    return work->job == WORK_WISH && work->is_extra && !work->is_behind && is_there;
}

/* Whether the view is to draw what it made before: what it lacks is on its way. */
static bool view_waits(App *app, const RunWish *wish) {
    if (!app->work.is_stale || !app->run.valid || app->run.T == 0 || making_of(app) == NULL)
        return false;
    return !run_wish_is_drawable(&app->run, wish) ||
           is_long(app, picture_steps(app, app->run.T, false));
}

void work_update(App *app) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    if (work->job != WORK_NONE && jobs->is_done(jobs->context))
        take(app);
    bool was_stale = work->is_stale;
    RunWish wish = wish_of(app);
    work->is_stale = stays_behind(app, &wish) && !is_ahead(app, &wish);
    work->waits = view_waits(app, &wish);
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

bool work_end(App *app) {
    AppWork *work = &app->work;
    const JobRunner *jobs = &app->resources.jobs;
    atomic_store(&work->watch.stop, true);
    if (work->job != WORK_NONE && !jobs->wait(jobs->context))
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
