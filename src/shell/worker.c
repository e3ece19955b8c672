#if defined(__linux__)
#include <sched.h>
#endif

#include "shell/worker.h"

/* The least priority there is; on Linux a thread of SCHED_IDLE makes room at once for any that
 * wakes, where one of the lowest niceness first ends its turn of some milliseconds. */
static void give_way_always(void) {
    SDL_SetThreadPriority(SDL_THREAD_PRIORITY_LOW);
#if defined(SCHED_IDLE)
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
#endif
}

static int run_jobs(void *context) {
    Worker *worker = context;
    if (worker->gives_way)
        give_way_always();
    for (;;) {
        SDL_SemWait(worker->begin);
        if (worker->work == NULL)
            return 0;
        worker->work(worker->data);
        SDL_SemPost(worker->ended);
        SDL_PushEvent(&(SDL_Event){.type = worker->event});
    }
}

static bool begin(Worker *worker) {
    if (worker->thread != NULL)
        return true;
    if (worker->begin == NULL)
        worker->begin = SDL_CreateSemaphore(0);
    if (worker->ended == NULL)
        worker->ended = SDL_CreateSemaphore(0);
    if (worker->begin == NULL || worker->ended == NULL)
        return false;
    worker->event = SDL_RegisterEvents(1);
    worker->thread = SDL_CreateThread(run_jobs, "headlight job", worker);
    return worker->thread != NULL;
}

/* Wait for the end of the job, if there is one that has not been waited for. */
static bool wait_for(Worker *worker, Uint32 patience_ms) {
    if (worker->data == NULL)
        return true;
    if (SDL_SemWaitTimeout(worker->ended, patience_ms) != 0)
        return false;
    worker->data = NULL;
    return true;
}

static bool start(void *context, void (*work)(void *data), void *data) {
    Worker *worker = context;
    if (!begin(worker) || !wait_for(worker, 0))
        return false;
    worker->work = work;
    worker->data = data;
    SDL_SemPost(worker->begin);
    return true;
}

static bool is_done(void *context) {
    return wait_for(context, 0);
}

static bool wait(void *context, int most_ms) {
    return wait_for(context, (Uint32)most_ms);
}

JobRunner worker_jobs(Worker *worker) {
    return (JobRunner){.context = worker, .start = start, .is_done = is_done, .wait = wait};
}

bool worker_end(Worker *worker) {
    if (!wait_for(worker, 0))
        return false;
    worker->work = NULL;
    if (worker->thread != NULL) {
        SDL_SemPost(worker->begin);
        SDL_WaitThread(worker->thread, NULL);
    }
    if (worker->begin != NULL)
        SDL_DestroySemaphore(worker->begin);
    if (worker->ended != NULL)
        SDL_DestroySemaphore(worker->ended);
    *worker = (Worker){0};
    return true;
}

/* Of a hand. No lock is held by one, since it may be long until it has its turn again. */
static void give_way(void *context) {
    WorkerCrew *crew = context;
    while (atomic_load(&crew->is_held)) {
        Uint32 held_ms = SDL_GetTicks() - (Uint32)atomic_load(&crew->held_since_ms);
        if (held_ms >= WORKER_HELD_MS)
            return;
        atomic_fetch_add(&crew->waiting, 1);
        SDL_SemWaitTimeout(crew->frame_over, WORKER_HELD_MS - held_ms);
        atomic_fetch_sub(&crew->waiting, 1);
    }
}

void worker_crew_hold(WorkerCrew *crew) {
    if (crew->frame_over == NULL)
        return;
    atomic_store(&crew->held_since_ms, SDL_GetTicks());
    atomic_store(&crew->is_held, true);
}

void worker_crew_let_go(WorkerCrew *crew) {
    if (crew->frame_over == NULL)
        return;
    atomic_store(&crew->is_held, false);
    for (int i = atomic_load(&crew->waiting); i > 0; i--) /* one too many only looks once more */
        SDL_SemPost(crew->frame_over);
}

JobHands worker_hands(WorkerCrew *crew) {
    int processors = SDL_GetCPUCount();
    crew->count = processors < 1 ? 1 : processors > JOB_HANDS_MAX ? JOB_HANDS_MAX : processors;
    for (int i = 0; i < crew->count; i++) {
        crew->workers[i].gives_way = true;
        crew->runners[i] = worker_jobs(&crew->workers[i]);
    }
    if (crew->frame_over == NULL)
        crew->frame_over = SDL_CreateSemaphore(0);
    return (JobHands){crew->runners, crew->count, give_way, crew};
}

bool worker_crew_end(WorkerCrew *crew) {
    bool ended = true;
    for (int i = 0; i < crew->count; i++)
        ended = worker_end(&crew->workers[i]) && ended;
    if (!ended || crew->frame_over == NULL)
        return ended;
    SDL_DestroySemaphore(crew->frame_over);
    crew->frame_over = NULL;
    return true;
}
