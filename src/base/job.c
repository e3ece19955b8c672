#include "base/job.h"

#ifndef __EMSCRIPTEN__
_Thread_local bool job_yields;
#endif

void job_start(const JobPool *pool, Job *job) {
    job->pool = *pool;
    atomic_store(&job->stop, false);
    job->is_started = pool->start != NULL && pool->start(pool->context, job);
    if (!job->is_started)
        job->work(job);
}

bool job_wait(const JobPool *pool, Job *job, int most_ms) {
    if (job->is_started)
        job->is_started = !pool->wait(pool->context, job, most_ms);
    return !job->is_started;
}

bool job_wait_within(const JobPool *pool, Job *job, double *left_ms, double (*now_s)(void)) {
    double begun_s = now_s != NULL ? now_s() : 0;
    bool done = job_wait(pool, job, *left_ms > 0 ? (int)*left_ms : 0);
    if (now_s != NULL)
        *left_ms -= 1e3 * (now_s() - begun_s);
    return done;
}

void job_stop(Job *job) {
    if (job != NULL)
        atomic_store(&job->stop, true);
}

void job_drop(const JobPool *pool, Job *job) {
    if (job == NULL)
        return;
    if (job->is_started)
        pool->drop(pool->context, job);
    else
        job->free(job);
}

typedef struct SharedParts {
    Job job;
    void (*do_part)(const void *context, int part);
    const void *context;
    int parts;
    atomic_int next;
} SharedParts;

static void do_parts(Job *job) {
    SharedParts *shared = (SharedParts *)job;
    int part;
    while ((part = atomic_fetch_add(&shared->next, 1)) < shared->parts)
        shared->do_part(shared->context, part);
}

static void share(const JobPool *pool, SharedParts *shared) {
    shared->job.work = do_parts;
    shared->job.is_shared = true;
    job_start(pool, &shared->job);
    do_parts(&shared->job);
    job_stop(&shared->job); /* all parts have started; a thread that wakes only now must not join */
    while (!job_wait(pool, &shared->job, JOB_WAIT_MS))
        ;
}

void job_share(const JobPool *pool, void (*do_part)(const void *context, int part),
               const void *context, int parts) {
    share(pool, &(SharedParts){.do_part = do_part, .context = context, .parts = parts});
}

void job_split(const Job *job, void (*do_part)(const void *context, int part), const void *context,
               int parts) {
    static const JobPool none;
    share(job != NULL ? &job->pool : &none,
          &(SharedParts){.job = {.priority = job != NULL ? job->priority : JOB_PICTURE},
                         .do_part = do_part,
                         .context = context,
                         .parts = parts});
}
