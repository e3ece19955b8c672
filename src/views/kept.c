#include "views/kept.h"

#include <stdlib.h>

static void copy_layer(Mat *to, const Run *run, int layer) {
    const AttnShape *shape = &run->layers[layer].shape[run->form];
    for (int head = 0; head < shape->H; head++) {
        Mat from = attn_head_scores(&run_trace(run, layer)->A, shape, head);
        Mat rows = mat_rows(to, head * shape->T, shape->T);
        mat_copy(&rows, &from);
    }
}

bool kept_take(KeptState **kept, const Run *run, Err *err) {
    if (*kept == NULL)
        *kept = calloc(1, sizeof **kept);
    KeptState *k = *kept;
    if (k == NULL)
        return err_fail(err, "memory", "too little to keep the state; close other programs");
    const AttnShape *shape = &run->layers[0].shape[run->form];
    k->T = 0;
    k->number++;
    size_t bytes = mat_bytes(shape->H * run->T, run->T) + ARENA_ALIGN;
    if (!arena_reserve(&k->arena, bytes * (size_t)run->layer_count, err))
        return false;
    for (int layer = 0; layer < run->layer_count; layer++) {
        k->A[layer] = mat_push(&k->arena, shape->H * run->T, run->T);
        copy_layer(&k->A[layer], run, layer);
    }
    k->T = run->T;
    k->H = shape->H;
    k->layers = run->layer_count;
    return true;
}

void kept_release(KeptState *kept) {
    if (kept == NULL)
        return;
    arena_release(&kept->arena);
    free(kept);
}
