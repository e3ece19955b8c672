/* slow_job.h: a pool without threads (base/job.h), whose jobs end when a test says so. */
#ifndef HEADLIGHT_TESTS_SUPPORT_SLOW_JOB_H
#define HEADLIGHT_TESTS_SUPPORT_SLOW_JOB_H

#include "base/job.h"

#define SLOW_FOR_GOOD 1000000 /* questions */

/* Runs a whole job when a caller waits for it. */
typedef struct Slow {
    int polls;          /* waits that are answered no before a job is done */
    int started;        /* jobs */
    int working;        /* jobs that are started and not done */
    int waited_ms;      /* the longest that callers were ready to wait, added up */
    bool refuses;       /* to start jobs, as without threads */
    bool holds_stopped; /* a stopped job does not end, as in a long library call */
    bool only_follows;  /* polls delay jobs of JOB_FOLLOWS alone */
} Slow;

JobPool slow_pool(Slow *slow);

#endif
