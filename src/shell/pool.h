/* pool.h: the program's threads, which do its jobs (base/job.h). When a job is done the event loop
 * wakes: an event that means nothing else is pushed.
 * There is one thread for each processor at each of the two priorities. A thread is created when a
 * job first needs it. */
#ifndef HEADLIGHT_SHELL_POOL_H
#define HEADLIGHT_SHELL_POOL_H

#include <SDL.h>

#include "base/job.h"

#define POOL_THREADS_MAX 64 /* of each priority */

typedef struct Pool Pool;

typedef struct PoolQueue {
    Pool *pool;
    JobPriority priority;
    Job *first; /* of those that more threads may work on */
    SDL_Thread *threads[POOL_THREADS_MAX];
    int thread_count, idle;
} PoolQueue;

/* All zero is a pool without threads so far. It must not be moved while in use. */
struct Pool {
    SDL_mutex *lock; /* of all below and of the jobs' own fields */
    SDL_cond *queued, *done;
    PoolQueue queues[JOB_PRIORITY_COUNT];
    Job *dropped; /* working, and to be freed when they are done */
    int threads;  /* of each priority */
    bool ends;
    Uint32 event; /* SDL's number of the event */
};

/* Return the interface to the pool. threads: of each priority, or 0 for one for each processor. */
JobPool pool_jobs(Pool *pool, int threads);

/* End all threads. False if one is still working after POOL_PATIENCE_MS: the process must then end
 * without freeing what that job uses. */
#define POOL_PATIENCE_MS 400
bool pool_end(Pool *pool);

#endif
