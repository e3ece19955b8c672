#include "web/pool.h"

#include <emscripten.h>
#include <math.h>

#define SLICE_MS    16.0
#define SLICE_SHARE 0.1 /* least slice, as a share of the job's time so far */

static struct {
    Job *first;      /* the first unfinished job; the others are linked by next */
    double spent_ms; /* time spent on the first job */
    const Job *now;  /* the job that runs now */
    double until_ms;
    bool is_cut; /* the slice of time is over */
} pool;

bool job_goes_on(const Job *job) {
    if (job == NULL)
        return true;
    if (job == pool.now && !pool.is_cut)
        pool.is_cut = emscripten_get_now() > pool.until_ms;
    return !atomic_load(&job->stop) && !(job == pool.now && pool.is_cut);
}

static void unlink_job(const Job *job) {
    Job **at = &pool.first;
    while (*at != NULL && *at != job)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    if (at == &pool.first)
        pool.spent_ms = 0;
    *at = job->next;
}

/* Run a job, and remove it from the list if it is done. */
static void run(Job *job, double slice_ms) {
    double begun_ms = emscripten_get_now();
    pool.now = job;
    pool.until_ms = begun_ms + slice_ms;
    pool.is_cut = false;
    if (!atomic_load(&job->stop))
        job->work(job);
    pool.now = NULL;
    if (job == pool.first)
        pool.spent_ms += emscripten_get_now() - begun_ms;
    job->is_queued = pool.is_cut && !atomic_load(&job->stop);
    if (!job->is_queued)
        unlink_job(job);
}

static bool start(void *context, Job *job) {
    Job **at = &pool.first;
    (void)context;
    if (!job->resumes)
        return false;
    while (*at != NULL)
        at = &(*at)->next;
    *at = job;
    job->next = NULL;
    job->is_queued = true;
    return true;
}

static bool wait(void *context, Job *job, int most_ms) {
    (void)context;
    if (job->is_queued && most_ms > 0)
        run(job, most_ms);
    if (job->is_queued && atomic_load(&job->stop))
        run(job, 0);
    return !job->is_queued;
}

static void drop(void *context, Job *job) {
    (void)context;
    unlink_job(job);
    job->free(job);
}

JobPool pool_jobs(void) {
    return (JobPool){.start = start, .wait = wait, .drop = drop};
}

bool pool_work(void) {
    if (pool.first == NULL)
        return false;
    run(pool.first, fmax(SLICE_MS, SLICE_SHARE * pool.spent_ms));
    return true;
}
