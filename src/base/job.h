/* job.h: work that may take longer than a frame, and the interface of the thread pool that does it
 * (shell/pool.h). The app and the views start jobs and check them in each frame, without handling
 * threads. A job may share its work with other threads (job_split).
 *
 * A job writes only into its own memory. While it works, its owner may read only the results that
 * the job's atomic counters report as complete, and all results after job_is_working returned
 * false. Only the owner's thread starts, waits for and drops jobs. */
#ifndef HEADLIGHT_BASE_JOB_H
#define HEADLIGHT_BASE_JOB_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum JobPriority {
    JOB_PICTURE, /* the picture waits for this job */
    JOB_FOLLOWS, /* the picture does not wait for this job, whose threads yield to all others */
    JOB_PRIORITY_COUNT
} JobPriority;

typedef struct Job Job;

/* The functions of a pool. Without threads all are NULL, and job_start does the whole job. */
typedef struct JobPool {
    void *context;
    /* Queue a job after the others of its priority. Return false if there are no threads. */
    bool (*start)(void *context, Job *job);
    /* Wait at most most_ms. Return true if the job ended. A stopped job starts no more threads. */
    bool (*wait)(void *context, Job *job, int most_ms);
    /* Stop the job and free it when it is done. */
    void (*drop)(void *context, Job *job);
} JobPool;

/* The first member of a struct with the job's data and results. */
struct Job {
    void (*work)(Job *job); /* called in up to `threads` threads at once */
    void (*free)(Job *job); /* called in the owner's thread to free the job; NULL: the owner waits
                               for the job's end instead */
    JobPriority priority;
    int threads; /* largest number of threads; 0: all threads of the pool */
    /* The caller works on the job, too. So the pool leaves a processor to the caller, and one to
     * each thread that runs another job of the same priority. */
    bool is_shared;
    /* May take longer than a frame. In a web page, job_start runs any other job to its end. */
    bool is_long;
    /* Asks `work` to return soon; a long library call does not check it. */
    atomic_bool stop;
    bool is_started; /* true from job_start until the owner has seen that the job ended */
    JobPool pool;    /* set by job_start */
    /* Used only by the pool. */
    Job *next;
    int running, most;
    bool is_queued, is_dropped;
};

/* A caller that must wait for the end repeats job_wait with this limit. */
#define JOB_WAIT_MS 1000

/* Let the picture go first. Long loops call this at least every millisecond. In a web page, which
 * has one thread, the page can draw if the time slice of the job is over (web/pool.c). Elsewhere a
 * thread of the lowest priority calls sched_yield: without a system call, Linux may take the
 * processor from it only at the next tick of the clock, 4 ms later. */
#ifdef __EMSCRIPTEN__
void job_breathe(void);
#else
extern _Thread_local bool job_yields; /* set by the pool */
static inline void job_breathe(void) {
    if (job_yields)
        sched_yield();
}
#endif

/* True unless the job, which may be NULL, was asked to stop. */
static inline bool job_goes_on(const Job *job) {
    job_breathe();
    return job == NULL || !atomic_load(&job->stop);
}

/* Start the job, which must not be working. Without threads it is done on return. */
void job_start(const JobPool *pool, Job *job);

/* Wait at most most_ms for the job. Return true if it no longer works. */
bool job_wait(const JobPool *pool, Job *job, int most_ms);

/* True while the job, which may be NULL, works. */
static inline bool job_is_working(const JobPool *pool, Job *job) {
    return job != NULL && !job_wait(pool, job, 0);
}

/* Wait for the job at most *left_ms, which is reduced by the time that passed. now_s: the clock.
 * Return true if the job no longer works. */
bool job_wait_within(const JobPool *pool, Job *job, double *left_ms, double (*now_s)(void));

/* Ask the job (may be NULL) to stop. It can be started again after `work` has returned. */
void job_stop(Job *job);

/* Free the job (may be NULL) or, if it still works, let the pool free it later. */
void job_drop(const JobPool *pool, Job *job);

/* Call do_part for each part from 0 to parts - 1, in any order, in this thread and idle threads of
 * the pool. All parts are done on return. */
void job_share(const JobPool *pool, void (*do_part)(const void *context, int part),
               const void *context, int parts);

/* Like job_share, but use threads of the job's priority. If job is NULL, use only this thread. */
void job_split(const Job *job, void (*do_part)(const void *context, int part), const void *context,
               int parts);

#endif
