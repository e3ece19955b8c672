/* worker.h: one thread that does the jobs of an App beside its frames (base/job.h). When a job is
 * done the event loop wakes: an event that means nothing else is pushed. */
#ifndef HEADLIGHT_SHELL_WORKER_H
#define HEADLIGHT_SHELL_WORKER_H

#include <SDL.h>
#include <stdbool.h>

#include "base/job.h"

/* All zero is a worker that has had nothing to do yet: the thread begins with the first job. */
typedef struct Worker {
    SDL_Thread *thread;
    SDL_sem *begin, *ended;
    void (*work)(void *data); /* NULL: the thread is to end */
    void *data;               /* NULL: no job, or its end is known */
    Uint32 event;             /* SDL's number of it */
} Worker;

/* As the App is given it; borrows worker, which must stay where it is. */
JobRunner worker_jobs(Worker *worker);

/* End the thread. False where a job goes on that was not to be waited for: the process is then to
 * end without giving back what the job uses. */
bool worker_end(Worker *worker);

#endif
