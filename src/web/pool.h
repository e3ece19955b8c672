/* pool.h: jobs of a page, which has one thread. A long job has a stack of its own and runs in
 * slices between frames; any other runs at once when it is started. */
#ifndef HEADLIGHT_WEB_POOL_H
#define HEADLIGHT_WEB_POOL_H

#include "base/job.h"

JobPool pool_jobs(void);

/* True if jobs wait for pool_work. */
bool pool_has_work(void);

/* Run a job for a slice of time. Its caller must be the browser, because the stack is switched. */
void pool_work(void);

#endif
