/* study_plan.h: the initialisation study of what the session shows. Pure. */
#ifndef HEADLIGHT_SESSION_STUDY_PLAN_H
#define HEADLIGHT_SESSION_STUDY_PLAN_H

#include "lab/study.h"
#include "session/run.h"

/* The study of the session's options on the Run's X and mask, which are borrowed: for each of count
 * rows of SCHEMES, with the options' overrides for single matrices, over seeds from the options'
 * up, as many layers deep as the options' depth. */
StudyPlan study_plan(const Run *run, const Options *options, const int *schemes, int count,
                     int seeds, unsigned parts);

#endif
