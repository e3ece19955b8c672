/* theory_on_study.h: what theory expects on the current X, averaged over the first seeds of a
 * study. Pure, except for scratch memory. */
#ifndef HEADLIGHT_LAB_THEORY_ON_STUDY_H
#define HEADLIGHT_LAB_THEORY_ON_STUDY_H

#include "lab/study.h"

/* Fill out (layers × STUDY_STAT_COUNT) for one scheme of the plan. Q, K, V, S and the softmax's
 * figures of the lowest layer follow from X. The other figures are expected given what each draw
 * computed before them (theory_on_input.h), and averaged over the first seeds as roots of mean
 * squares, as in expect.h. NaN if unknown. Fails as study_compute does. */
bool theory_on_study(double *out, StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);

#endif
