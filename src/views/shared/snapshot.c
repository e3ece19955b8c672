#include "views/shared/snapshot.h"

#include <stdlib.h>

#include "base/heap.h"

static size_t each_bytes(const Snapshot *k) {
    return (mat_bytes(k->H * k->T, k->T) + ARENA_ALIGN) * (size_t)k->layers;
}

static void copy(Snapshot *k, Arena *arena, const Results *run, int show) {
    for (int layer = 0; layer < run->layer_count; layer++) {
        Mat *to = &k->of[show][layer];
        *to = mat_push(arena, k->H * run->T, run->T);
        for (int head = 0; head < k->H; head++) {
            Mat rows = mat_rows(to, head * run->T, run->T);
            Mat from = heatmap_head(run, layer, head, show);
            mat_copy(&rows, &from);
        }
    }
}

bool snapshot_take(Snapshot **kept, const Results *run, const ResultsResources *resources,
                   Err *err) {
    Snapshot *k = heap_get_zero(1, sizeof *k);
    if (k == NULL)
        return err_fail(err, "memory", "too little to keep the state; close other programs");
    k->shape = run->layers[0].shape[run->form];
    k->T = run->T;
    k->H = k->shape.H;
    k->layers = run->layer_count;
    if (!arena_reserve(&k->arena, 2 * each_bytes(k), err)) {
        free(k);
        return false;
    }
    copy(k, &k->arena, run, SHOW_WEIGHTS);
    copy(k, &k->arena, run, SHOW_SCORES);
    for (int layer = 0; layer < k->layers; layer++)
        k->of[SHOW_MASKED][layer] = k->of[SHOW_SCORES][layer];
    k->session = session_share(results_session(run));
    k->resources = *resources;
    k->number = *kept != NULL ? (*kept)->number + 1 : 1;
    k->before = *kept;
    *kept = k;
    return true;
}

bool snapshot_lacks_gradients(const Snapshot *k) {
    return k != NULL && !k->is_failed && k->of[SHOW_GRADIENT_A][0].rows == 0;
}

void snapshot_begin(Snapshot *k) {
    if (!results_init(&k->run, &k->err)) {
        k->is_failed = true;
        return;
    }
    results_begin(&k->run, &k->session, &k->resources, (ResultsLimits){k->T});
}

/* Store why there are no gradients. Return false if the job was cancelled. */
static bool fail(Snapshot *k, const Err *err, const Job *job) {
    if (job != NULL && atomic_load(&job->stop))
        return false;
    k->is_failed = true;
    k->err = *err;
    return true;
}

bool snapshot_make(Snapshot *k, const Job *job) {
    Err err;
    ResultsRequest request = {.gradient = true};
    if (k->is_failed)
        return true;
    if (!results_make(&k->run, job))
        return fail(k, &k->run.err, job);
    if (!results_request_meet(&k->run, &request, job, &err) ||
        !arena_reserve(&k->gradients, 2 * each_bytes(k), &err))
        return fail(k, &err, job);
    copy(k, &k->gradients, &k->run, SHOW_GRADIENT_S);
    copy(k, &k->gradients, &k->run, SHOW_GRADIENT_A);
    return true;
}

void snapshot_end(Snapshot *k) {
    if (k->run.cache == NULL)
        return;
    results_end(&k->run);
    results_release(&k->run);
}

void snapshot_forget(Snapshot *k) {
    if (k == NULL)
        return;
    snapshot_release(k->before);
    k->before = NULL;
}

void snapshot_release(Snapshot *k) {
    while (k != NULL) {
        Snapshot *before = k->before;
        snapshot_end(k);
        arena_release(&k->arena);
        arena_release(&k->gradients);
        session_release(&k->session);
        free(k);
        k = before;
    }
}
