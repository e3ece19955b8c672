/* kept.h: the weights of all heads as they were when a person kept the state, so that whatever is
 * changed afterwards shows as a difference. It lasts as long as the window. */
#ifndef HEADLIGHT_VIEWS_KEPT_H
#define HEADLIGHT_VIEWS_KEPT_H

#include "session/run.h"
#include "views/memory.h"

struct KeptState {
    Arena arena;
    Mat A[RUN_LAYERS_MAX]; /* (H*T, T) without gaps */
    int T, H, layers;
    uint64_t number; /* grows with each that is kept */
};

/* Keep run's weights in place of those kept before. Fails for want of memory, and then nothing is
 * kept. run must be valid. */
bool kept_take(KeptState **kept, const Run *run, Err *err);
void kept_release(KeptState *kept);

#endif
