/* study_plan.h: the initialisation study of what the session shows. Pure. */
#ifndef HEADLIGHT_RESULTS_STUDY_PLAN_H
#define HEADLIGHT_RESULTS_STUDY_PLAN_H

#include "lab/study.h"
#include "results/results.h"

/* The study of the session on the X and mask of its Results, and with its weights in place of drawn
 * ones, all of which are borrowed: for each of count rows of SCHEMES, with the options' overrides
 * for single matrices, over seeds from the options' up, as many layers deep as the options' depth.
 */
StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts);

#endif
