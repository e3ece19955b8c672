/* pool.h: jobs in a web page, which has one thread. A long job has its own stack and runs in slices
 * between frames; any other job runs to its end when it is started. */
#ifndef HEADLIGHT_WEB_POOL_H
#define HEADLIGHT_WEB_POOL_H

#include "base/job.h"

JobPool pool_jobs(void);

/* True if jobs wait for pool_work. */
bool pool_has_work(void);

/* Run a job for one slice of time. Must be called directly by the browser, because the stack is
 * switched. */
void pool_work(void);

#endif
