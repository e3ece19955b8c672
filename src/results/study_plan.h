/* study_plan.h: the initialisation study of what the session shows. Pure. */
#ifndef HEADLIGHT_RESULTS_STUDY_PLAN_H
#define HEADLIGHT_RESULTS_STUDY_PLAN_H

#include "lab/study.h"
#include "results/results.h"

/* The study of the session on the X and mask of its Results, and with its weights, if any, in place
 * of drawn ones; all of these are borrowed. It covers count rows of SCHEMES, with the options'
 * overrides for single matrices, over seeds from the options' up, with the options' depth. */
StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts);

#endif
