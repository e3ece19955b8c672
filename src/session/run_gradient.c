#include "session/run_gradient.h"

#include <assert.h>
#include <stdlib.h>

struct RunGradientCache {
    Arena G_arena, arenas[RUN_LAYERS_MAX];
    Mat G; /* (T, D), of all layers; absent at first */
    uint64_t seed;
};

void run_gradient_release(Run *run) {
    RunGradientCache *cache = run->gradient_cache;
    if (cache == NULL)
        return;
    for (int i = 0; i < RUN_LAYERS_MAX; i++)
        arena_release(&cache->arenas[i]);
    arena_release(&cache->G_arena);
    free(cache);
    run->gradient_cache = NULL;
}

static bool start(Run *run, Err *err) {
    if (run->gradient_cache == NULL)
        run->gradient_cache = calloc(1, sizeof *run->gradient_cache);
    return run->gradient_cache != NULL ||
           err_fail(err, "memory", "too little for gradients; close other programs");
}

/* Drawing a normal number takes longer than a product spends on it, so G is kept while it holds. */
static bool update_G(RunGradientCache *cache, int T, int D, uint64_t seed, Err *err) {
    if (cache->G.rows == T && cache->G.cols == D && cache->seed == seed)
        return true;
    cache->G = (Mat){0};
    if (!arena_reserve(&cache->G_arena, mat_bytes(T, D), err))
        return false;
    cache->G = mat_push(&cache->G_arena, T, D);
    cache->seed = seed;
    attn_output_gradient_draw(&cache->G, seed);
    return true;
}

static bool reserve(Arena *arena, const AttnShape *shape, bool family, Err *err) {
    size_t bytes = mat_bytes_add(attn_grads_bytes(shape), attn_back_bytes(shape));
    if (family)
        bytes = mat_bytes_add(bytes, attn_offset_gradient_bytes(shape));
    if (bytes > RUN_BYTES_MAX)
        return err_fail(err, "gradients",
                        "would take %.1f GB for %d tokens and %d heads; use fewer of either, or a "
                        "smaller d_model",
                        (double)bytes / 1e9, shape->T, shape->H);
    return arena_reserve(arena, bytes, err);
}

bool run_gradient(Run *run, int index, Err *err) {
    RunLayer *layer = &run->layers[index];
    RunGradient *gradient = &layer->gradient;
    const AttnShape *shape = &layer->shape[run->form];
    bool family = layer->W_QK_offset.rows > 0;
    assert(run->valid && run->T > 0 && index < run->layer_count);
    if (gradient->G.rows > 0 && (!family || gradient->W_QK_offset.rows > 0))
        return true;
    *gradient = (RunGradient){0};
    if (!start(run, err) ||
        !update_G(run->gradient_cache, shape->T, shape->D, layer->plan.seed, err))
        return false;
    Arena *arena = &run->gradient_cache->arenas[index];
    if (!reserve(arena, shape, family, err))
        return false;
    gradient->params = attn_grads_push(arena, shape);
    gradient->back = attn_back_push(arena, shape);
    gradient->G = run->gradient_cache->G;
    const AttnTrace *trace = run_trace(run, index);
    attn_backward(&gradient->params, &gradient->back, shape, &layer->params, trace, &run->X,
                  &gradient->G);
    if (family)
        gradient->W_QK_offset = attn_offset_gradient_push(arena, shape, trace, &gradient->back);
    return true;
}
