/* theory_on_study.h: what theory expects on the X at hand, over the first draws of a study. Pure
 * but for scratch memory. */
#ifndef HEADLIGHT_LAB_THEORY_ON_STUDY_H
#define HEADLIGHT_LAB_THEORY_ON_STUDY_H

#include "lab/study.h"

/* Fill out (layers × STUDY_STAT_COUNT) for one scheme of the plan. Q, K, V, S
 * and the softmax's figures of the lowest layer follow from X. The other numbers are expected on
 * what each draw has made before them (theory_on_input.h), and averaged over the first draws: roots
 * of mean squares, as in expect.h. NaN if
 * nothing is known. Fails as study_compute does. */
bool theory_on_study(double *out, StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);

#endif
