#include "views/kept.h"

#include <stdlib.h>

#include "model/cost.h"

#define GRADIENT_STEPS  (100 * JOB_STEPS_PER_MS)
#define BACKWARD_PASSES 3 /* forward ones that a backward one takes as long as, and rather less */

static bool has_gradients(const Run *run) {
    for (int layer = 0; layer < run->layer_count; layer++)
        if (run->layers[layer].gradient.back.A.rows == 0)
            return false;
    return true;
}

/* Where they take too long, or too much memory, there are none. */
static void find_gradients(Run *run) {
    Err err;
    double steps = 0;
    for (int layer = 0; layer < run->layer_count; layer++)
        steps += BACKWARD_PASSES * cost_steps(&run->layers[layer].shape[run->form]);
    for (int layer = 0; layer < run->layer_count && steps <= GRADIENT_STEPS; layer++)
        if (!run_gradient(run, layer, &err))
            return;
}

static void copy(KeptState *k, const Run *run, int show) {
    for (int layer = 0; layer < run->layer_count; layer++) {
        Mat *to = &k->of[show][layer];
        *to = mat_push(&k->arena, k->H * run->T, run->T);
        for (int head = 0; head < k->H; head++) {
            Mat rows = mat_rows(to, head * run->T, run->T);
            Mat from = shown_head(run, layer, head, show);
            mat_copy(&rows, &from);
        }
    }
}

bool kept_take(KeptState **kept, Run *run, Err *err) {
    if (*kept == NULL)
        *kept = calloc(1, sizeof **kept);
    KeptState *k = *kept;
    if (k == NULL)
        return err_fail(err, "memory", "too little to keep the state; close other programs");
    find_gradients(run);
    bool gradients = has_gradients(run);
    k->T = 0;
    k->number++;
    k->H = run->layers[0].shape[run->form].H;
    k->layers = run->layer_count;
    size_t each = (mat_bytes(k->H * run->T, run->T) + ARENA_ALIGN) * (size_t)k->layers;
    if (!arena_reserve(&k->arena, each * (gradients ? 4 : 2), err))
        return false;
    for (int show = 0; show < SHOW_COUNT; show++)
        for (int layer = 0; layer < RUN_LAYERS_MAX; layer++)
            k->of[show][layer] = (Mat){0};
    copy(k, run, SHOW_WEIGHTS);
    copy(k, run, SHOW_SCORES);
    for (int layer = 0; layer < k->layers; layer++)
        k->of[SHOW_MASKED][layer] = k->of[SHOW_SCORES][layer];
    for (int show = SHOW_GRADIENT_A; show <= SHOW_GRADIENT_S && gradients; show++)
        copy(k, run, show);
    k->T = run->T;
    return true;
}

void kept_release(KeptState *kept) {
    if (kept == NULL)
        return;
    arena_release(&kept->arena);
    free(kept);
}
