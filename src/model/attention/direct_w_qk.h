/* direct_w_qk.h: how the free form's W_QK is drawn. Pure, with scratch. */
#ifndef HEADLIGHT_MODEL_ATTENTION_DIRECT_W_QK_H
#define HEADLIGHT_MODEL_ATTENTION_DIRECT_W_QK_H

#include "base/job.h"
#include "model/init/scheme.h"

/* Fill w (H*E, E) with normals of the standard deviation that an entry of the plan's W_Q·W_Kᵀ has.
 * The last row and column of each head, which stand for biases, are 0. Fails as scheme_draw_one
 * does. */
bool direct_w_qk_sample(Mat *w, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* Fill sigma with the E singular values of one head's matrix, largest first. Also fails if an entry
 * is not finite, and once watch, which may be NULL, says to stop. */
bool direct_w_qk_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                          JobWatch *watch, Err *err);

#endif
