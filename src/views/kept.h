/* kept.h: all that the wall can show of the heads, as it was when a person kept the state, so that
 * whatever is changed afterwards shows as a difference. It lasts as long as the window. */
#ifndef HEADLIGHT_VIEWS_KEPT_H
#define HEADLIGHT_VIEWS_KEPT_H

#include "views/shown.h"

struct KeptState {
    Arena arena;
    Mat of[SHOW_COUNT][RUN_LAYERS_MAX]; /* (H*T, T) without gaps; gradients may be absent */
    int T, H, layers;
    uint64_t number; /* grows with each that is kept */
};

/* Keep run's matrices in place of those kept before; its gradients too, where they are there or are
 * made in about a tenth of a second. Fails for want of memory, and then nothing is kept. run must
 * be valid and have tokens. */
bool kept_take(KeptState **kept, Run *run, Err *err);
void kept_release(KeptState *kept);

#endif
