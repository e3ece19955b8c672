/* pool.h: jobs of a page, which has one thread: a job that can resume runs in slices between
 * frames; any other runs when it is started. */
#ifndef HEADLIGHT_WEB_POOL_H
#define HEADLIGHT_WEB_POOL_H

#include "base/job.h"

JobPool pool_jobs(void);

/* Work for a slice of time. Return false if there was nothing to do. */
bool pool_work(void);

#endif
