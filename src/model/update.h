/* update.h: a pass brought up to date where its input changed in part. What comes out is the pass
 * made anew, to the bit: a row of a product does not depend on the other rows (see mat.h), nor a
 * row of weights on keys that are closed to it. Pure; no allocation. */
#ifndef HEADLIGHT_MODEL_UPDATE_H
#define HEADLIGHT_MODEL_UPDATE_H

#include "base/job.h"
#include "model/attention.h"

/* Fill trace, which was right for another x and mask, where it no longer is: inputs[t] (T) is 1
 * where row t of x is another, weights[i] (T) where row i of A may be, or of what follows from it.
 * All other rows of V must be finite, before and now: a weight of 0 hides nothing else. */
void attn_update(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                 const Mask *mask, const uint8_t *inputs, const uint8_t *weights);

/* attn_forward, to the same bits, in parts of a few milliseconds: between them the watch counts
 * steps, cost_steps in all. False where it said to stop. */
bool attn_forward_watched(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                          const Mat *x, const Mask *mask, JobWatch *watch);

/* S for another score_factor, from the dot products, which trace must keep. */
void attn_rescale(AttnTrace *trace, const AttnShape *shape);

#endif
