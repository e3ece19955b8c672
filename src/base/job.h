/* job.h: work that may take longer than a frame, and the interface to the pool of threads that does
 * it (shell/pool.h). Code above the waist starts jobs and looks at them in each frame; it knows no
 * threads. A job computes into memory of its own. Its owner may read what the job's atomic counters
 * allow while it works, and everything once job_is_working is false.
 * Jobs are started, waited for and dropped by one thread, the owner's. */
#ifndef HEADLIGHT_BASE_JOB_H
#define HEADLIGHT_BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum JobPriority {
    JOB_PICTURE, /* the picture waits for it */
    JOB_FOLLOWS, /* the picture can be drawn without it; its threads yield to all others */
    JOB_PRIORITY_COUNT
} JobPriority;

/* The first member of whatever the job computes. */
typedef struct Job {
    void (*work)(struct Job *job); /* called by up to `threads` threads at once */
    void (*free)(struct Job *job); /* releases the job and its results, in the owner's thread; NULL
                                      if the owner waits for it */
    JobPriority priority;
    int threads;      /* 0 for all that the pool has */
    bool resumes;     /* work, called again after it was stopped, continues where it was */
    atomic_bool stop; /* work should return soon; a long library call does not look at it */
    bool is_started;  /* the owner has not seen it end */
    /* Used by the pool alone. */
    struct Job *next;
    int running;
    bool is_queued, is_dropped;
} Job;

#define JOB_WAIT_MS 1000 /* for a caller that waits until the end */

/* All NULL for no threads: a job is then done when it is started. */
typedef struct JobPool {
    void *context;
    /* Queue a job, after those of its priority that were queued before. False without threads. */
    bool (*start)(void *context, Job *job);
    /* True if the job is done within that many milliseconds. A stopped job begins no more. */
    bool (*wait)(void *context, Job *job, int most_ms);
    /* Stop the job and free it when it is done. */
    void (*drop)(void *context, Job *job);
} JobPool;

/* True unless the job, which may be NULL, was told to stop. A page, which has one thread, also
 * stops a job at the end of its slice of time: web/pool.c. */
#ifdef __EMSCRIPTEN__
bool job_goes_on(const Job *job);
#else
static inline bool job_goes_on(const Job *job) {
    return job == NULL || !atomic_load(&job->stop);
}
#endif

/* Start the job, which must not be working. Without threads it is done on return. */
void job_start(const JobPool *pool, Job *job);

/* Wait at most that long. True if the job is not working. */
bool job_wait(const JobPool *pool, Job *job, int most_ms);

/* True while the job, which may be NULL, works. */
static inline bool job_is_working(const JobPool *pool, Job *job) {
    return job != NULL && !job_wait(pool, job, 0);
}

/* Wait for the job as long as a frame can: at most *left_ms, from which the time that passed by the
 * clock now_s is taken. True if the job is not working. */
bool job_wait_within(const JobPool *pool, Job *job, double *left_ms, double (*now_s)(void));

/* Tell the job, which may be NULL, to stop. It can be started again when it is done. */
void job_stop(Job *job);

/* Give the job up; it may be NULL. A job that works is abandoned: its thread ends in its own time.
 */
void job_drop(const JobPool *pool, Job *job);

/* Call draw for each part from 0 to parts - 1, in any order, in this thread and in idle ones of the
 * pool. All parts are done on return. */
void job_share(const JobPool *pool, void (*draw)(const void *context, int part),
               const void *context, int parts);

#endif
