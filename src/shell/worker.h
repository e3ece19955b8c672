/* worker.h: one thread that does the jobs of an App beside its frames (base/job.h). When a job is
 * done the event loop wakes: an event that means nothing else is pushed. */
#ifndef HEADLIGHT_SHELL_WORKER_H
#define HEADLIGHT_SHELL_WORKER_H

#include <SDL.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/job.h"

/* All zero is a worker that has had nothing to do yet: the thread begins with the first job. */
typedef struct Worker {
    SDL_Thread *thread;
    SDL_sem *begin, *ended;
    void (*work)(void *data); /* NULL: the thread is to end */
    void *data;               /* NULL: no job, or its end is known */
    Uint32 event;             /* SDL's number of it */
    bool gives_way;           /* to whatever else wants the processor, as to the frames */
} Worker;

/* As the App is given it; borrows worker, which must stay where it is. */
JobRunner worker_jobs(Worker *worker);

/* As many workers as there are processors, for work of many parts: they give way to the frames.
 * None begins before it has a job. All zero is a crew that has had nothing to do yet. */
typedef struct WorkerCrew {
    Worker workers[JOB_HANDS_MAX];
    JobRunner runners[JOB_HANDS_MAX];
    int count;
    SDL_sem *frame_over; /* NULL where it could not be had: then nobody waits */
    atomic_bool is_held;
    atomic_uint held_since_ms;
    atomic_int waiting; /* for frame_over */
} WorkerCrew;

/* Borrows crew, which must stay where it is. */
JobHands worker_hands(WorkerCrew *crew);

/* While a frame is made, from hold to let_go, they wait at the end of the part that they are at: a
 * thread of the least priority, too, is given its turn of several milliseconds now and then, and
 * that in the middle of a frame. They wait for so long at most, lest frames that take all of the
 * time leave them none. */
#define WORKER_HELD_MS 10
void worker_crew_hold(WorkerCrew *crew);
void worker_crew_let_go(WorkerCrew *crew);

/* End all of its threads, as worker_end does. */
bool worker_crew_end(WorkerCrew *crew);

/* End the thread. False where a job goes on that was not to be waited for: the process is then to
 * end without giving back what the job uses. */
bool worker_end(Worker *worker);

#endif
