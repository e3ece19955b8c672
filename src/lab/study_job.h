/* study_job.h: a study computed by a job (base/job.h). Each thread takes the next free unit and
 * computes it in its own bench, so results do not depend on the number of threads. What the plan
 * borrows is copied. All functions belong to the owner's thread. */
#ifndef HEADLIGHT_LAB_STUDY_JOB_H
#define HEADLIGHT_LAB_STUDY_JOB_H

#include "base/job.h"
#include "lab/study.h"

typedef enum StudyUnit { UNIT_FREE, UNIT_TAKEN, UNIT_DONE } StudyUnit;

typedef struct StudyJob {
    Job job;
    Study study;         /* finished values may be read while the job runs */
    Arena kept;          /* holds what the plan borrows */
    atomic_uchar *units; /* a StudyUnit for each unit */
    atomic_llong next;   /* all units before it are taken */
    atomic_bool failed;  /* if set, err says why after the job */
    Err err;
} StudyJob;

/* Return a study whose job computes it, or NULL. Owned: free with job_drop. A stopped job continues
 * if it is started again. */
StudyJob *study_job_create(const StudyPlan *plan, Err *err);

/* Add the units that were completed to the study's moments. */
void study_job_update(StudyJob *study);

/* True if all units are done, or one failed. */
bool study_job_is_over(const StudyJob *study);

#endif
