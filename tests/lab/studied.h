/* studied.h: a study of a small layer, for the tests of lab/. */
#ifndef HEADLIGHT_TESTS_LAB_STUDIED_H
#define HEADLIGHT_TESTS_LAB_STUDIED_H

#include "lab/study.h"
#include "model/layer.h"

int scheme_named(const char *id);

/* A plan of these schemes on the layer's shape, x and mask, which it borrows: one layer, one seed,
 * all parts but the ranks and theory. */
StudyPlan studied_plan(const Layer *layer, const char *const *ids, int count);

/* Put `layers` layers into the plan, also for depth-aware schemes. */
void studied_stack(StudyPlan *plan, int layers);

/* The study, computed in this thread. */
Study *studied(const StudyPlan *plan);
void studied_drop(Study **study);

#endif
