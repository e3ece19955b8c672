/* snapshot.h: all that the wall can show of the heads, as it was when a person kept the state, so
 * that whatever is changed afterwards shows as a difference. Gradients are made when they are asked
 * for, by a Results of the session that was kept. It lasts as long as the window. */
#ifndef HEADLIGHT_VIEWS_SHARED_SNAPSHOT_H
#define HEADLIGHT_VIEWS_SHARED_SNAPSHOT_H

#include "views/shared/heatmap.h"

struct Snapshot {
    Arena arena, gradients;
    Mat of[SHOW_COUNT][RESULTS_LAYERS_MAX]; /* (H*T, T) without gaps; gradients absent at first */
    int T, H, layers;
    uint64_t number; /* grows with each that is kept */
    AttnShape shape;
    Session session;
    ResultsResources resources;
    Results run; /* of the session, while gradients are made */
    bool is_failed;
    Err err;          /* why there can be no gradients, where is_failed */
    Snapshot *before; /* kept earlier, and perhaps still read by a job */
};

/* Keep run's matrices in place of those kept before, which go to before. resources are what run was
 * made with, and stay. Fails for want of memory, and then all stays. run must be valid and have
 * tokens. */
bool snapshot_take(Snapshot **kept, const Results *run, const ResultsResources *resources,
                   Err *err);
void snapshot_release(Snapshot *kept);

/* Give up what was kept before; no job may be reading it. */
void snapshot_forget(Snapshot *kept);

/* True if it lacks gradients that can be made. */
bool snapshot_lacks_gradients(const Snapshot *kept);

/* Make them in three parts: the first and the last belong to who owns the session, the second to
 * any thread. snapshot_make fails where the watch, which may be NULL, said to stop. */
void snapshot_begin(Snapshot *kept);
bool snapshot_make(Snapshot *kept, JobWatch *watch);
void snapshot_end(Snapshot *kept);

#endif
