/* direct_w_qk.h: sampling of the free form's W_QK. Pure, with scratch memory. */
#ifndef HEADLIGHT_MODEL_INIT_DIRECT_W_QK_H
#define HEADLIGHT_MODEL_INIT_DIRECT_W_QK_H

#include "model/init/scheme.h"

/* Fill w (H*E, E) with normals whose standard deviation is that of an entry of the plan's W_Q·W_Kᵀ.
 * The last row and column of each head, for biases, are 0. Fails if scheme_draw_one does. */
bool direct_w_qk_sample(Mat *w, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* Fill sigma with the E singular values of one head's matrix, largest first. Also fails if an entry
 * is not finite. */
bool direct_w_qk_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                          Err *err);

#endif
