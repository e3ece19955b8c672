#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

#include "shell/pool.h"

/* Return the number of threads that may work on a job. For a job that shares work with its caller,
 * leave out processors that other jobs use: the caller would have to wait for threads there. Also
 * leave out the caller's processor: the caller is a busy thread of this queue or, at JOB_PICTURE,
 * the owner's thread. */
static int limit_of(const PoolQueue *queue, const Job *job) {
    int busy = queue->thread_count - queue->idle;
    if (job->is_shared)
        return queue->pool->threads - busy - (job->priority == JOB_PICTURE);
    return job->threads > 0 ? job->threads : queue->pool->threads;
}

static void unlink_job(Pool *pool, Job *job) {
    Job **at = &pool->queues[job->priority].first;
    while (*at != NULL && *at != job)
        at = &(*at)->next;
    if (*at == job)
        *at = job->next;
    job->is_queued = false;
}

static bool is_done(Pool *pool, Job *job) {
    if (job->is_queued && atomic_load(&job->stop))
        unlink_job(pool, job);
    return !job->is_queued && job->running == 0;
}

/* Free the abandoned jobs that have ended. Called by the owner's thread, without the lock. */
static void free_dropped(Pool *pool) {
    Job *ended = NULL;
    SDL_LockMutex(pool->lock);
    for (Job **at = &pool->dropped; *at != NULL;) {
        Job *job = *at;
        if (job->running > 0) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        job->next = ended;
        ended = job;
    }
    SDL_UnlockMutex(pool->lock);
    while (ended != NULL) {
        Job *next = ended->next;
        ended->free(ended);
        ended = next;
    }
}

/* Run the job. Called with the lock, which is released while the job runs. */
static void work(PoolQueue *queue, Job *job) {
    Pool *pool = queue->pool;
    queue->idle--;
    if (++job->running == job->most)
        unlink_job(pool, job);
    SDL_UnlockMutex(pool->lock);
    job->work(job);
    SDL_LockMutex(pool->lock);
    if (job->is_queued)
        unlink_job(pool, job); /* the work is done: no other thread needs to start it */
    queue->idle++;
    if (--job->running > 0)
        return;
    SDL_CondBroadcast(pool->done);
    if (job->free != NULL) /* otherwise the owner waits for the job and needs no event */
        SDL_PushEvent(&(SDL_Event){.type = pool->event});
}

static int run_jobs(void *context) {
    PoolQueue *queue = context;
    Pool *pool = queue->pool;
    if (queue->priority == JOB_FOLLOWS && pool->yields) {
        /* Set the lowest priority. On Linux a thread with SCHED_IDLE yields at once to any thread
         * that wakes up; with the lowest niceness it would first use its time slice of some
         * milliseconds. */
        SDL_SetThreadPriority(SDL_THREAD_PRIORITY_LOW);
        job_yields = true;
#if defined(SCHED_IDLE)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
#endif
    }
    SDL_LockMutex(pool->lock);
#if defined(SCHED_IDLE)
    queue->ids[queue->id_count++] = gettid();
#endif
    while (!pool->ends) {
        Job *job = queue->first;
        if (job == NULL)
            SDL_CondWait(pool->queued, pool->lock);
        else if (atomic_load(&job->stop))
            unlink_job(pool, job);
        else
            work(queue, job);
    }
    SDL_UnlockMutex(pool->lock);
    return 0;
}

/* If the owner's thread is about to share work with the queue's threads, keep these off its
 * processor; otherwise let them use all processors. While other processors run threads of
 * JOB_FOLLOWS, Linux often wakes the queue's threads on the owner's processor, where they would
 * compete with the owner's thread. */
static void spread_threads(const PoolQueue *queue, bool is_shared) {
#if defined(SCHED_IDLE)
    cpu_set_t others;
    if (sched_getaffinity(0, sizeof others, &others) != 0)
        return;
    if (is_shared)
        CPU_CLR((size_t)sched_getcpu(), &others);
    for (int i = 0; i < queue->id_count && CPU_COUNT(&others) > 0; i++)
        sched_setaffinity(queue->ids[i], sizeof others, &others);
#else
    (void)queue, (void)is_shared;
#endif
}

/* Create threads until idle ones suffice for the job, or until the pool is full. */
static void add_threads(PoolQueue *queue, const Job *job) {
    Pool *pool = queue->pool;
    int wanted = SDL_min(job->most, pool->threads);
    while (queue->idle < wanted && queue->thread_count < pool->threads) {
        SDL_Thread *thread = SDL_CreateThread(run_jobs, "headlight job", queue);
        if (thread == NULL)
            return;
        queue->threads[queue->thread_count++] = thread;
        queue->idle++;
    }
}

static bool start(void *context, Job *job) {
    Pool *pool = context;
    if (pool->lock == NULL)
        return false;
    PoolQueue *queue = &pool->queues[job->priority];
    if (!job->is_shared) /* only the owner's thread may free jobs; a shared job may start on other
                            threads */
        free_dropped(pool);
    SDL_LockMutex(pool->lock);
    job->most = limit_of(queue, job);
    add_threads(queue, job);
    bool has_thread = queue->thread_count > 0 && job->most > 0;
    if (has_thread) {
        if (pool->yields && queue->priority == JOB_PICTURE && SDL_ThreadID() == pool->owner)
            spread_threads(queue, job->is_shared);
        Job **at = &queue->first;
        while (*at != NULL)
            at = &(*at)->next;
        *at = job;
        job->next = NULL;
        job->running = 0;
        job->is_queued = true;
        SDL_CondBroadcast(pool->queued);
    }
    SDL_UnlockMutex(pool->lock);
    return has_thread;
}

static bool wait(void *context, Job *job, int most_ms) {
    Pool *pool = context;
    Uint32 begun_ms = SDL_GetTicks(), waited_ms = 0;
    SDL_LockMutex(pool->lock);
    while (!is_done(pool, job) && waited_ms < (Uint32)most_ms) {
        SDL_CondWaitTimeout(pool->done, pool->lock, (Uint32)most_ms - waited_ms);
        waited_ms = SDL_GetTicks() - begun_ms;
    }
    bool done = is_done(pool, job);
    SDL_UnlockMutex(pool->lock);
    return done;
}

static void drop(void *context, Job *job) {
    Pool *pool = context;
    atomic_store(&job->stop, true);
    SDL_LockMutex(pool->lock);
    if (job->is_queued)
        unlink_job(pool, job);
    job->next = pool->dropped;
    pool->dropped = job;
    SDL_UnlockMutex(pool->lock);
    free_dropped(pool);
}

JobPool pool_jobs(Pool *pool, int threads) {
    if (pool->lock == NULL) {
        int processors = threads > 0 ? threads : SDL_GetCPUCount();
        pool->threads = SDL_max(1, SDL_min(processors, POOL_THREADS_MAX));
        pool->event = SDL_RegisterEvents(1);
        pool->owner = SDL_ThreadID();
        for (JobPriority p = 0; p < JOB_PRIORITY_COUNT; p++)
            pool->queues[p] = (PoolQueue){.pool = pool, .priority = p};
        pool->queued = SDL_CreateCond();
        pool->done = SDL_CreateCond();
        if (pool->queued != NULL && pool->done != NULL)
            pool->lock = SDL_CreateMutex();
    }
    return (JobPool){.context = pool, .start = start, .wait = wait, .drop = drop};
}

static bool is_working(const Pool *pool) {
    int threads = 0, idle = 0;
    for (JobPriority p = 0; p < JOB_PRIORITY_COUNT; p++) {
        threads += pool->queues[p].thread_count;
        idle += pool->queues[p].idle;
    }
    return idle < threads;
}

bool pool_end(Pool *pool) {
    if (pool->lock == NULL)
        return true;
    Uint32 begun_ms = SDL_GetTicks(), waited_ms = 0;
    SDL_LockMutex(pool->lock);
    while (is_working(pool) && waited_ms < POOL_PATIENCE_MS) {
        SDL_CondWaitTimeout(pool->done, pool->lock, POOL_PATIENCE_MS - waited_ms);
        waited_ms = SDL_GetTicks() - begun_ms;
    }
    pool->ends = !is_working(pool);
    SDL_CondBroadcast(pool->queued);
    SDL_UnlockMutex(pool->lock);
    if (!pool->ends)
        return false;
    for (JobPriority p = 0; p < JOB_PRIORITY_COUNT; p++)
        for (int i = 0; i < pool->queues[p].thread_count; i++)
            SDL_WaitThread(pool->queues[p].threads[i], NULL);
    free_dropped(pool);
    SDL_DestroyMutex(pool->lock);
    SDL_DestroyCond(pool->queued);
    SDL_DestroyCond(pool->done);
    *pool = (Pool){0};
    return true;
}
