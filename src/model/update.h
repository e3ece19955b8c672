/* update.h: a pass brought up to date where its input changed in part. What comes out is the pass
 * made anew, to the bit: a row of a product does not depend on the other rows (see mat.h), nor a
 * row of weights on keys that are closed to it, and what a row sums over keys it sums in their
 * order (see weigh.h). Pure; no allocation. */
#ifndef HEADLIGHT_MODEL_UPDATE_H
#define HEADLIGHT_MODEL_UPDATE_H

#include "base/job.h"
#include "model/weigh.h"

/* How x (T, D) and the mask differ from those of the pass before. */
typedef struct AttnChange {
    const uint8_t *inputs; /* T: 1 where a row of x is another */
    const uint8_t *rows;   /* T, of WeighRow: how a row of A may be another, and what follows */
    int from;              /* rows of x before it are what they were */
} AttnChange;

/* Fill trace, which was right for another x and mask, where it no longer is; what it keeps is made
 * no further than it was. All rows of V must be finite, before and now: a weight of 0 hides nothing
 * else. */
void attn_update(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                 const Mask *mask, const AttnChange *change);

/* The trace with all of A, Z and Y in it, made as far as they were not yet, and without what is
 * kept: after that it is but read. params and x are those of the pass. */
AttnTrace attn_trace_whole(const AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                           const Mat *x);

/* attn_forward, to the same bits, in parts of a few milliseconds: between them the watch counts
 * steps, cost_steps in all. False where it said to stop; watch may be NULL. */
bool attn_forward_watched(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                          const Mat *x, const Mask *mask, JobWatch *watch);

/* S for another score_factor, from the dot products, which trace must keep. */
void attn_rescale(AttnTrace *trace, const AttnShape *shape);

#endif
