/* study_plan.h: the initialisation study of the session. Pure. */
#ifndef HEADLIGHT_RESULTS_STUDY_PLAN_H
#define HEADLIGHT_RESULTS_STUDY_PLAN_H

#include "lab/study.h"
#include "results/results.h"

/* Return the plan for a study of the session on the X and mask of its Results. If the session has
 * weights, they replace sampled ones. X, mask and weights are borrowed. The study covers `count`
 * rows of SCHEMES, with the options' schemes for single matrices, over seeds from the options' seed
 * up, with the options' depth. */
StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts);

/* If the session's weights contain all matrices, sample every parameter of the plan nevertheless,
 * because otherwise all schemes would be equal. */
void study_plan_sample_all(StudyPlan *plan, const Session *session);

/* Return the plan of one column of a comparison of schemes. own: for each matrix and each column, a
 * scheme for this matrix alone, or -1. */
SchemePlan study_column_plan(const Options *options, const OptionList *schemes,
                             const OptionList own[ATTN_WEIGHT_COUNT], int column);

#endif
