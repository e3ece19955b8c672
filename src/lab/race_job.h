/* race_job.h: a race computed by a job (base/job.h). Each thread takes the column with the fewest
 * steps and advances it by one, so all columns stay about equally far. Results do not depend on the
 * number of threads. The owner may read what race_done allows while the job runs. All functions
 * belong to the owner's thread. */
#ifndef HEADLIGHT_LAB_RACE_JOB_H
#define HEADLIGHT_LAB_RACE_JOB_H

#include "lab/race.h"

typedef struct RaceJob {
    Job job;
    int owners; /* the job, and each RaceLook */
    Race race;
    atomic_bool taken[RACE_COLUMNS_MAX]; /* true while a thread has the column */
    int goal; /* set before the job starts; it ends when every column has done this step */
    atomic_bool failed; /* if set, err says why after the job */
    Err err;
} RaceJob;

/* Return a race before its first step, or NULL. Owned: free with job_drop. */
RaceJob *race_job_create(const RacePlan *plan, Err *err);

/* True if every column has done that step or cannot, or one failed. */
bool race_job_has(const RaceJob *race, int step);

/* A job that computes a step again by race_look. The race stays in memory until this job is freed.
 * */
typedef struct RaceLook {
    Job job;
    RaceJob *race;
    int column, step;
    RaceBench bench; /* the result, if has_looked */
    bool has_looked; /* true after a successful job; otherwise err says why not */
    Err err;
} RaceLook;

/* Return a job that computes the step again, or NULL if memory runs out. Owned: free it with
 * job_drop. */
RaceLook *race_look_create(RaceJob *race, int column, int step, Err *err);

#endif
