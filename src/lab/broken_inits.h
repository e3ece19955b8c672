/* broken_inits.h: initialisations that are broken in ways that were really reported, to be found
 * out from pictures and numbers. Pure. To add one, add a row to BROKEN_INITS. */
#ifndef HEADLIGHT_LAB_BROKEN_INITS_H
#define HEADLIGHT_LAB_BROKEN_INITS_H

#include "model/init/scheme.h"

#define BROKEN_INIT_DEPTH 12 /* layers that depth-aware schemes are told of */

typedef struct BrokenInit {
    Entry entry;        /* label: what is wrong; formula: what was drawn; help: why it matters */
    const char *source; /* where it was reported, and what the report says */
    const char *scheme; /* id of the scheme that was meant */
    /* Turn parameters drawn by that scheme into the broken ones. */
    bool (*spoil)(AttnParams *params, const AttnShape *shape, const SchemePlan *meant, Err *err);
} BrokenInit;

extern const BrokenInit BROKEN_INITS[];
extern const Registry BROKEN_INIT_REGISTRY;

/* Fill x (T, D) with the X of theory: rows of a random direction and mean square 1. A bug is told
 * from chance only if X itself is no reason for a difference. */
void broken_init_input(Mat *x, uint64_t seed);

/* The layer that all are shown on: four heads, or as many as divide D, and biases, which start at
 * 0 unless they are the bug. */
AttnShape broken_init_shape(int T, int D);

/* The plan that was meant. */
SchemePlan broken_init_plan(const BrokenInit *bug, uint64_t seed);

/* Draw the broken parameters. Fails as scheme_draw does. */
bool broken_init_sample(AttnParams *params, const AttnShape *shape, const BrokenInit *bug,
                        uint64_t seed, Err *err);

#endif
