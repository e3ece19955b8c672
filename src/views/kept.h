/* kept.h: all that the wall can show of the heads, as it was when a person kept the state, so that
 * whatever is changed afterwards shows as a difference. Gradients are made when they are asked for,
 * by a Run of the session that was kept. It lasts as long as the window. */
#ifndef HEADLIGHT_VIEWS_KEPT_H
#define HEADLIGHT_VIEWS_KEPT_H

#include "views/shown.h"

struct KeptState {
    Arena arena, gradients;
    Mat of[SHOW_COUNT][RUN_LAYERS_MAX]; /* (H*T, T) without gaps; gradients absent at first */
    int T, H, layers;
    uint64_t number; /* grows with each that is kept */
    AttnShape shape;
    Session session;
    RunResources resources;
    Run run; /* of the session, while gradients are made */
    bool is_failed;
    Err err;           /* why there can be no gradients, where is_failed */
    KeptState *before; /* kept earlier, and perhaps still read by a job */
};

/* Keep run's matrices in place of those kept before, which go to before. resources are what run was
 * made with, and stay. Fails for want of memory, and then all stays. run must be valid and have
 * tokens. */
bool kept_take(KeptState **kept, const Run *run, const RunResources *resources, Err *err);
void kept_release(KeptState *kept);

/* Give up what was kept before; no job may be reading it. */
void kept_forget(KeptState *kept);

/* True if it lacks gradients that can be made. */
bool kept_lacks_gradients(const KeptState *kept);

/* Make them in three parts: the first and the last belong to who owns the session, the second to
 * any thread. kept_make fails where the watch, which may be NULL, said to stop. */
void kept_begin(KeptState *kept);
bool kept_make(KeptState *kept, JobWatch *watch);
void kept_end(KeptState *kept);

#endif
