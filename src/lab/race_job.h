/* race_job.h: a race computed by a job (base/job.h). Each thread takes the column with the fewest
 * steps, advances it by one, and gives it back, so columns stay about equally far. Results do not
 * depend on the number of threads. The owner may read what race_done allows while the job works.
 * Every function here belongs to the owner's thread. */
#ifndef HEADLIGHT_LAB_RACE_JOB_H
#define HEADLIGHT_LAB_RACE_JOB_H

#include "lab/race.h"

typedef struct RaceJob {
    Job job;
    int owners; /* the job, and each look */
    Race race;
    atomic_bool taken[RACE_COLUMNS_MAX]; /* by a thread */
    int goal; /* set before the job is started, which ends when every column has done this step */
    atomic_bool failed; /* err says why, once the job is done */
    Err err;
} RaceJob;

/* Return a race before its first step, or NULL. Owned: job_drop frees it. */
RaceJob *race_job_create(const RacePlan *plan, Err *err);

/* True if every column that can has done that step, or one failed. */
bool race_job_has(const RaceJob *race, int step);

/* Compute a step again by race_look. The race stays until the look is freed. */
typedef struct RaceLook {
    Job job;
    RaceJob *race;
    int column, step;
    RaceBench bench; /* where the result is, if has_looked */
    bool has_looked; /* once the job is done; else err says why not */
    Err err;
} RaceLook;

/* Return a job that looks at the step, or NULL for want of memory. Owned: job_drop frees it. */
RaceLook *race_look_create(RaceJob *race, int column, int step, Err *err);

#endif
