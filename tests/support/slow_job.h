/* slow_job.h: somebody who does what takes longer than a frame, and is done when a test says so. */
#ifndef HEADLIGHT_TESTS_SUPPORT_SLOW_JOB_H
#define HEADLIGHT_TESTS_SUPPORT_SLOW_JOB_H

#include "base/job.h"

#define SLOW_FOR_GOOD 1000000 /* questions */

/* Does its job at the end of the time, all at once. */
typedef struct Slow {
    int polls;    /* questions whether the job is done that are answered no before it is */
    int started;  /* jobs */
    bool refuses; /* the next job */
    void (*work)(void *data);
    void *data;
} Slow;

/* It must be asked for one job at a time. */
JobRunner slow_runner(Slow *slow);

/* The same, but that it refuses a job while it has one, as the hands of a window do. */
JobRunner slow_hand(Slow *slow);

#endif
