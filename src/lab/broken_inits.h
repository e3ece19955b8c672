/* broken_inits.h: initialisations that are broken as in real reports, to be recognised from
 * pictures and numbers. Pure. To add one, add a row to BROKEN_INITS. */
#ifndef HEADLIGHT_LAB_BROKEN_INITS_H
#define HEADLIGHT_LAB_BROKEN_INITS_H

#include "model/init/scheme.h"

#define BROKEN_INIT_DEPTH 12 /* number of layers for depth-aware schemes */

typedef struct BrokenInit {
    Entry entry;        /* label: what is wrong; formula: what was sampled; help: why it matters */
    const char *source; /* where it was reported, and what the report says */
    const char *scheme; /* id of the intended scheme */
    const char *drawn;  /* id of the scheme that is sampled; NULL for the intended one */
    /* Break the sampled parameters; NULL for no change. */
    void (*spoil)(AttnParams *params, const AttnShape *shape, const SchemePlan *meant);
} BrokenInit;

extern const BrokenInit BROKEN_INITS[];
extern const Registry BROKEN_INIT_REGISTRY;

/* Fill x (T, D) with the X of theory: rows of random direction and mean square 1. With another X,
 * differences could come from X itself. */
void broken_init_input(Mat *x, uint64_t seed);

/* Return the shape of the layer that shows them all: four heads, or fewer if 4 does not divide D;
 * with biases, which start at 0 unless they are broken. */
AttnShape broken_init_shape(int T, int D);

SchemePlan broken_init_plan(const BrokenInit *bug, uint64_t seed);

/* Sample the broken parameters. Fails as scheme_draw does. */
bool broken_init_sample(AttnParams *params, const AttnShape *shape, const BrokenInit *bug,
                        uint64_t seed, Err *err);

#endif
