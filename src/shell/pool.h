/* pool.h: the program's threads, which run its jobs (base/job.h). When a job that its owner does
 * not wait for is finished, a special event wakes the event loop. By default each of the two
 * priorities has one thread for each processor. A thread is created when a job first needs it. */
#ifndef HEADLIGHT_SHELL_POOL_H
#define HEADLIGHT_SHELL_POOL_H

#include <SDL.h>

#include "base/job.h"

#define POOL_THREADS_MAX 64 /* most threads of each priority */

typedef struct Pool Pool;

typedef struct PoolQueue {
    Pool *pool;
    JobPriority priority;
    Job *first; /* first of the jobs that further threads may start */
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
    /* True if a window must stay smooth: threads of JOB_FOLLOWS get the system's lowest priority.
     * On a busy machine these threads hardly run. Set before the first job. */
    bool yields;
    bool ends;
    Uint32 event; /* SDL's number of the event that wakes the loop */
};

/* Return the interface to the pool. threads: number at each priority, or 0 for one for each
 * processor. */
JobPool pool_jobs(Pool *pool, int threads);

/* End all threads. Return false if one still runs after POOL_PATIENCE_MS. Then the process must end
 * without freeing the memory that this thread uses. */
#define POOL_PATIENCE_MS 400
bool pool_end(Pool *pool);

#endif
