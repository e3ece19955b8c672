/* What the map and the widths of a head are made by: one hand, beside the frames, where it takes
 * longer than a frame. */
#include "views/compare/compare.h"

#define FRAME_STEPS (6 * JOB_STEPS_PER_MS) /* done in the frame */
#define BEFORE_S    0.15                   /* that what was before stands in for the new */
#define BETWEEN_S   (1.0 / 60)             /* of frames, while it is made */

bool compare_work_is_busy(CompareWork *work) {
    if (work->runner != NULL && work->runner->is_done(work->runner->context))
        work->runner = NULL;
    return work->runner != NULL;
}

bool compare_work_has_failed(CompareWork *work) {
    return !compare_work_is_busy(work) && work->failed;
}

void compare_work_stop(CompareWork *work) {
    atomic_store(&work->watch.stop, true);
}

bool compare_work_end(CompareWork *work) {
    if (work->runner != NULL && work->runner->wait(work->runner->context, JOB_PATIENCE_MS))
        work->runner = NULL;
    return work->runner == NULL;
}

/* The job. */
static void work_on(void *context) {
    CompareWork *work = context;
    bool goes_on = true;
    while (goes_on && !work->failed && !work->kind->is_done(work->data)) {
        if (work->hands.give_way != NULL)
            work->hands.give_way(work->hands.context);
        goes_on = job_goes_on(&work->watch);
        bool made = goes_on && work->kind->step(work->data, &work->watch, &work->err);
        goes_on = job_goes_on(&work->watch);
        work->failed = goes_on && !made;
    }
}

bool compare_work_is_free(const ViewContext *c, CompareWork *work) {
    work->waits = compare_work_is_busy(work);
    if (!work->waits)
        return true;
    compare_work_stop(work);
    ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
    return false;
}

void compare_work_begin(const ViewContext *c, CompareWork *work, void *data) {
    work->data = data;
    work->failed = false;
    work->begun_s = c->ui->time_s;
}

/* The hands are those of the studies: what another part has begun gives way, and goes on when that
 * is shown again. */
static void start(const ViewContext *c, CompareWork *work) {
    work->waits = !compare_memory_gives_hands(c->memory->compare);
    if (work->waits)
        return;
    job_watch_begin(&work->watch);
    work->hands = c->hands;
    if (c->hands.at->start(c->hands.at->context, work_on, work))
        work->runner = c->hands.at;
    else
        work->failed = !err_fail(&work->err, "threads",
                                 "none could be started; close other "
                                 "programs");
}

void compare_work_go_on(const ViewContext *c, CompareWork *work, double steps) {
    bool busy = compare_work_is_busy(work);
    if (!busy && (work->failed || work->kind->is_done(work->data)))
        return;
    if (!busy && (c->hands.count == 0 || steps < FRAME_STEPS)) {
        job_watch_begin(&work->watch);
        work->hands = (JobHands){.count = 0};
        work_on(work);
        return;
    }
    if (!busy)
        start(c, work);
    ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
}

bool compare_work_is_early(const ViewContext *c, const CompareWork *work) {
    return !work->kind->is_done(work->data) && c->ui->time_s < work->begun_s + BEFORE_S;
}
