/* broken_inits.h: initialisations with a fault from a real bug report, which the user is to
 * recognise in pictures and numbers. Pure. To add one, add a row to BROKEN_INITS. */
#ifndef HEADLIGHT_LAB_BROKEN_INITS_H
#define HEADLIGHT_LAB_BROKEN_INITS_H

#include "model/init/scheme.h"

#define BROKEN_INIT_DEPTH 12 /* number of layers that depth-aware schemes assume */

typedef struct BrokenInit {
    Entry entry;        /* label: what is wrong; formula: what was sampled; help: why it matters */
    const char *source; /* where the bug was reported, and the report in short */
    const char *scheme; /* id of the intended scheme */
    const char *drawn;  /* id of the scheme that is sampled instead, or NULL */
    /* Change the sampled parameters; may be NULL. */
    void (*spoil)(AttnParams *params, const AttnShape *shape, const SchemePlan *meant);
} BrokenInit;

extern const BrokenInit BROKEN_INITS[];
extern const Registry BROKEN_INIT_REGISTRY;

/* Fill x (T, D) with rows of random direction and mean square 1, for which theory is exact. With
 * another X, differences from theory could come from X. */
void broken_init_input(Mat *x, uint64_t seed);

/* Return the shape of the layer: 4 heads, or fewer if 4 does not divide D. It has biases, which are
 * 0 unless the fault changes them. */
AttnShape broken_init_shape(int T, int D);

SchemePlan broken_init_plan(const BrokenInit *bug, uint64_t seed);

/* Sample the parameters with their fault. Fails if scheme_draw fails. */
bool broken_init_sample(AttnParams *params, const AttnShape *shape, const BrokenInit *bug,
                        uint64_t seed, Err *err);

#endif
