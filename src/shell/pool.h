/* pool.h: the program's threads, which run its jobs (base/job.h). When a job is finished for which
 * its owner does not wait, an event wakes the event loop. By default each of the two priorities has
 * one thread per processor. A thread is created when a job first needs it. */
#ifndef HEADLIGHT_SHELL_POOL_H
#define HEADLIGHT_SHELL_POOL_H

#include <SDL.h>

#include "base/job.h"

#define POOL_THREADS_MAX 64 /* limit of threads of each priority */

typedef struct Pool Pool;

typedef struct PoolQueue {
    Pool *pool;
    JobPriority priority;
    Job *first; /* first of the jobs that more threads may start */
    SDL_Thread *threads[POOL_THREADS_MAX];
    int ids[POOL_THREADS_MAX]; /* the system's ids of the threads that have begun */
    int thread_count, id_count, idle;
} PoolQueue;

/* A pool. All zero has no threads yet. It must not be moved while in use. */
struct Pool {
    SDL_mutex *lock; /* protects all members below, and the jobs' members */
    SDL_cond *queued, *done;
    PoolQueue queues[JOB_PRIORITY_COUNT];
    Job *dropped; /* jobs that were dropped but still run, to be freed when they are finished */
    int threads;  /* number of threads of each priority */
    SDL_threadID owner; /* the thread that created the pool */
    /* True if a window must stay smooth: threads of JOB_FOLLOWS get the system's lowest priority,
     * so on a busy machine they hardly run. Set before the first job. */
    bool yields;
    bool ends;
    Uint32 event; /* SDL's number of the event that wakes the loop */
};

/* Return the interface to the pool. threads: number for each priority; 0: one per processor. */
JobPool pool_jobs(Pool *pool, int threads);

/* End all threads. Return false if one of them still runs after POOL_PATIENCE_MS. Then the process
 * must end without freeing the memory that this thread uses. */
#define POOL_PATIENCE_MS 400
bool pool_end(Pool *pool);

#endif
