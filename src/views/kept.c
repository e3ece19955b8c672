#include "views/kept.h"

#include <stdlib.h>

#include "model/cost.h"

static size_t each_bytes(const KeptState *k) {
    return (mat_bytes(k->H * k->T, k->T) + ARENA_ALIGN) * (size_t)k->layers;
}

static void copy(KeptState *k, Arena *arena, const Run *run, int show) {
    for (int layer = 0; layer < run->layer_count; layer++) {
        Mat *to = &k->of[show][layer];
        *to = mat_push(arena, k->H * run->T, run->T);
        for (int head = 0; head < k->H; head++) {
            Mat rows = mat_rows(to, head * run->T, run->T);
            Mat from = shown_head(run, layer, head, show);
            mat_copy(&rows, &from);
        }
    }
}

bool kept_take(KeptState **kept, const Run *run, const RunResources *resources, Err *err) {
    KeptState *k = calloc(1, sizeof *k);
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
    k->session = session_share(run_session(run));
    k->resources = *resources;
    k->number = *kept != NULL ? (*kept)->number + 1 : 1;
    k->before = *kept;
    *kept = k;
    return true;
}

bool kept_lacks_gradients(const KeptState *k) {
    return k != NULL && !k->is_failed && k->of[SHOW_GRADIENT_A][0].rows == 0;
}

void kept_begin(KeptState *k) {
    if (!run_init(&k->run, &k->err)) {
        k->is_failed = true;
        return;
    }
    run_begin(&k->run, &k->session, &k->resources, (RunLimits){k->T});
}

/* Why there are none; false where that is but that the job was stopped. */
static bool fail(KeptState *k, const Err *err, const JobWatch *watch) {
    if (watch != NULL && atomic_load(&watch->stop))
        return false;
    k->is_failed = true;
    k->err = *err;
    return true;
}

bool kept_make(KeptState *k, JobWatch *watch) {
    Err err;
    RunWish wish = {.gradient = true};
    if (k->is_failed)
        return true;
    if (!run_make(&k->run, watch))
        return fail(k, &k->run.err, watch);
    if (!run_wish_meet(&k->run, &wish, watch, &err) ||
        !arena_reserve(&k->gradients, 2 * each_bytes(k), &err))
        return fail(k, &err, watch);
    copy(k, &k->gradients, &k->run, SHOW_GRADIENT_S);
    copy(k, &k->gradients, &k->run, SHOW_GRADIENT_A);
    return true;
}

void kept_end(KeptState *k) {
    if (k->run.cache == NULL)
        return;
    run_end(&k->run);
    run_release(&k->run);
}

void kept_forget(KeptState *k) {
    if (k == NULL)
        return;
    kept_release(k->before);
    k->before = NULL;
}

void kept_release(KeptState *k) {
    while (k != NULL) {
        KeptState *before = k->before;
        kept_end(k);
        arena_release(&k->arena);
        arena_release(&k->gradients);
        session_release(&k->session);
        free(k);
        k = before;
    }
}
