/* pool.h: jobs of a page, which has one thread. A job that can resume runs in slices between
 * frames; any other runs at once when it is started. */
#ifndef HEADLIGHT_WEB_POOL_H
#define HEADLIGHT_WEB_POOL_H

#include "base/job.h"

JobPool pool_jobs(void);

/* Run jobs for a slice of time. Return false if there was nothing to do. */
bool pool_work(void);

#endif
