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
    bool gives_way;           /* to whatever else wants the processor, as to the frames */
} Worker;

/* As the App is given it; borrows worker, which must stay where it is. */
JobRunner worker_jobs(Worker *worker);

/* As many workers as there are processors, for work of many parts: they give way to the frames,
 * and none begins before it has a job. All zero is a crew that has had nothing to do yet. */
typedef struct WorkerCrew {
    Worker workers[JOB_HANDS_MAX];
    JobRunner runners[JOB_HANDS_MAX];
    int count;
} WorkerCrew;

/* Borrows crew, which must stay where it is. */
JobHands worker_hands(WorkerCrew *crew);

/* End all of its threads, as worker_end does. */
bool worker_crew_end(WorkerCrew *crew);

/* End the thread. False where a job goes on that was not to be waited for: the process is then to
 * end without giving back what the job uses. */
bool worker_end(Worker *worker);

#endif
