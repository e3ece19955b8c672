/* snapshot.h: the matrices of all heads at the moment the user pressed K, so that later changes
 * show as a difference. Its gradients are computed when they are first shown, by a Results of the
 * stored session. Lasts as long as the window. */
#ifndef HEADLIGHT_VIEWS_SHARED_SNAPSHOT_H
#define HEADLIGHT_VIEWS_SHARED_SNAPSHOT_H

#include "views/shared/heatmap.h"

struct Snapshot {
    Arena arena, gradients;
    Mat of[SHOW_COUNT][RESULTS_LAYERS_MAX]; /* (H*T, T) contiguous; gradients are absent at first */
    int T, H, layers;
    uint64_t number; /* increases with each snapshot */
    AttnShape shape;
    Session session;
    ResultsResources resources;
    Results run; /* Results of the snapshot's session, while gradients are computed */
    bool is_failed;
    Err err;          /* why there can be no gradients, if is_failed */
    Snapshot *before; /* the previous snapshot, which a job may still read */
};

/* Store run's matrices and keep the current snapshot as `before`. resources are those that run was
 * made with; they must outlive the snapshot. Fails if memory runs out; then nothing changes. run
 * must be valid and have tokens. */
bool snapshot_take(Snapshot **kept, const Results *run, const ResultsResources *resources,
                   Err *err);
void snapshot_release(Snapshot *kept);

/* Free the previous snapshot; no job may be reading it. */
void snapshot_forget(Snapshot *kept);

/* True if it lacks gradients, and they can be computed. */
bool snapshot_lacks_gradients(const Snapshot *kept);

/* Compute the gradients in three steps: the first and the last run in the thread that owns the
 * session, the second in any thread. snapshot_make fails if the job (may be NULL) was cancelled. */
void snapshot_begin(Snapshot *kept);
bool snapshot_make(Snapshot *kept, const Job *job);
void snapshot_end(Snapshot *kept);

#endif
