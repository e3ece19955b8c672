/* free.h: how the free form's W_QK is drawn. Pure, with scratch. */
#ifndef HEADLIGHT_MODEL_FREE_H
#define HEADLIGHT_MODEL_FREE_H

#include "base/job.h"
#include "model/scheme.h"

/* The root mean square of an entry of the plan's W_Q·W_Kᵀ: √d_k times those of W_Q and W_K where
 * they are independent, else measured on one draw of them. Fails as scheme_draw_one does. */
bool free_deviation(double *deviation, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* Fill w (H*E, E) with normal draws of that deviation; the last row and column of each head, which
 * stand for biases, are 0. Fails as free_deviation does. */
bool free_draw(Mat *w, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* The same for one head's (E, E) alone, with the same numbers. */
bool free_draw_head(Mat *w, int head, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* The singular values of that one head, largest first: E of them into sigma. Fails where an entry
 * is not finite too, and where watch, which may be NULL, says to stop. */
bool free_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                   JobWatch *watch, Err *err);

/* About how many steps (base/job.h) that takes. */
double free_spectrum_steps(const AttnShape *shape);

#endif
