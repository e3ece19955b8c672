/* study_plan.h: the initialisation study of the session. Pure. */
#ifndef HEADLIGHT_RESULTS_STUDY_PLAN_H
#define HEADLIGHT_RESULTS_STUDY_PLAN_H

#include "lab/study.h"
#include "results/results.h"

/* Return the plan for the session on the X and mask of its Results, with its weights, if any, in
 * place of sampled ones; all of these are borrowed. It covers `count` rows of SCHEMES, with the
 * options' schemes for single matrices, over seeds from the options' seed up, with the options'
 * depth. */
StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts);

/* Sample every parameter of a plan that compares schemes if the session's weights give all
 * matrices, because they would make all schemes alike. */
void study_plan_sample_all(StudyPlan *plan, const Session *session);

#endif
