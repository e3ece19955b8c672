/* study_plan.h: the initialisation study of what the session shows. Pure. */
#ifndef HEADLIGHT_RESULTS_STUDY_PLAN_H
#define HEADLIGHT_RESULTS_STUDY_PLAN_H

#include "lab/study.h"
#include "results/results.h"

/* the form that this one is checked against; FORM_UNCHECKED for direct W_QK, which no other form
 * has, for merged and separate with rope, which are computed alike, and where it would take too
 * much memory */
StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts);

#endif
