#include "session/run_gradient.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* With more tokens a product turns the weights in little of its time. */
#define TURNED_TOKENS_MAX 32
#define TURNED_BYTES_MAX  ((size_t)16 << 20)

/* What is kept of a layer's weights while they stay. */
typedef struct Turned {
    Arena arena;
    AttnTurned of; /* of these weights and this form; absent at first */
    uint64_t weights_version;
    AttnForm form;
} Turned;

struct RunGradientCache {
    Arena G_arena, arenas[GRADIENT_COUNT][RUN_LAYERS_MAX];
    Mat G; /* (T, D), of all layers; absent at first */
    uint64_t seed;
    Turned turned[GRADIENT_COUNT][RUN_LAYERS_MAX];
    /* Made, and not the layer's yet; G.rows == 0: none. */
    RunGradient next[GRADIENT_COUNT][RUN_LAYERS_MAX];
};

void run_gradient_release(Run *run) {
    RunGradientCache *cache = run->gradient_cache;
    if (cache == NULL)
        return;
    for (int of = 0; of < GRADIENT_COUNT; of++)
        for (int i = 0; i < RUN_LAYERS_MAX; i++) {
            arena_release(&cache->arenas[of][i]);
            arena_release(&cache->turned[of][i].arena);
        }
    arena_release(&cache->G_arena);
    free(cache);
    run->gradient_cache = NULL;
}

bool run_gradient_begin(Run *run, Err *err) {
    if (run->gradient_cache == NULL)
        run->gradient_cache = calloc(1, sizeof *run->gradient_cache);
    if (run->gradient_cache == NULL)
        return err_fail(err, "memory", "too little for gradients; close other programs");
    memset(run->gradient_cache->next, 0, sizeof run->gradient_cache->next);
    return true;
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

/* The layer's turned weights, where they help and there is room for them; else none. */
static AttnTurned update_turned(Turned *turned, const RunLayer *layer, const AttnShape *shape) {
    size_t bytes = attn_turned_bytes(shape);
    Err err; /* without them it goes on */
    bool have = turned->of.W_O.rows > 0 && turned->weights_version == layer->weights_version &&
                turned->form == shape->form;
    if (shape->T > TURNED_TOKENS_MAX || bytes > TURNED_BYTES_MAX)
        return (AttnTurned){0};
    if (have)
        return turned->of;
    turned->of = (AttnTurned){0};
    if (arena_reserve(&turned->arena, bytes, &err)) {
        turned->of = attn_turned_push(&turned->arena, shape, &layer->params);
        turned->weights_version = layer->weights_version;
        turned->form = shape->form;
    }
    return turned->of;
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

static const RunGradient *own_of(const RunLayer *layer, GradientOf of) {
    return of == GRADIENT_USED ? &layer->gradient : &layer->checked_gradient;
}

/* Only the form in use may have a matrix for each offset. */
static bool has_family(const RunLayer *layer, GradientOf of) {
    return of == GRADIENT_USED && layer->W_QK_offset.rows > 0;
}

/* Whether the layer's gradient has all that the layer has. */
static bool is_whole(const RunLayer *layer, const RunGradient *gradient, GradientOf of) {
    return gradient->G.rows > 0 && (!has_family(layer, of) || gradient->W_QK_offset.rows > 0);
}

static const RunGradient *made_of(const Run *run, int layer, GradientOf of) {
    const RunGradient *own = own_of(&run->layers[layer], of);
    const RunGradientCache *cache = run->gradient_cache;
    if (is_whole(&run->layers[layer], own, of) || cache == NULL)
        return own;
    return &cache->next[of][layer];
}

const RunGradient *run_gradient_made(const Run *run, int layer) {
    return made_of(run, layer, GRADIENT_USED);
}

bool run_gradient_make(const Run *run, int index, GradientOf of, JobWatch *watch, Err *err) {
    const RunLayer *layer = &run->layers[index];
    int form = of == GRADIENT_USED ? (int)run->form : layer->checked;
    RunGradientCache *cache = run->gradient_cache;
    RunGradient made = {0};
    bool family = has_family(layer, of);
    assert(run->valid && run->T > 0 && index < run->layer_count);
    if (form == RUN_UNCHECKED || is_whole(layer, made_of(run, index, of), of))
        return true;
    const AttnShape *shape = &layer->shape[form];
    cache->next[of][index] = made;
    Arena *arena = &cache->arenas[of][index];
    if (!update_G(cache, shape->T, shape->D, layer->plan.seed, err) ||
        !reserve(arena, shape, family, err))
        return false;
    made.params = attn_grads_push(arena, shape);
    made.back = attn_back_push(arena, shape);
    made.back.turned = update_turned(&cache->turned[of][index], layer, shape);
    const AttnTrace *trace = &layer->trace[form];
    if (!attn_backward_watched(&made.params, &made.back, shape, &layer->params, trace, &run->X,
                               &cache->G, watch))
        return err_fail(err, "gradients", "were stopped");
    if (family)
        made.W_QK_offset = attn_offset_gradient_push(arena, shape, trace, &made.back);
    made.G = cache->G;
    cache->next[of][index] = made;
    return true;
}

void run_gradient_end(Run *run) {
    RunGradientCache *cache = run->gradient_cache;
    for (int i = 0; cache != NULL && i < RUN_LAYERS_MAX; i++) {
        if (cache->next[GRADIENT_USED][i].G.rows > 0)
            run->layers[i].gradient = cache->next[GRADIENT_USED][i];
        if (cache->next[GRADIENT_CHECKED][i].G.rows > 0)
            run->layers[i].checked_gradient = cache->next[GRADIENT_CHECKED][i];
    }
    if (cache != NULL)
        memset(cache->next, 0, sizeof cache->next);
}

bool run_gradient(Run *run, int layer, Err *err) {
    if (!run_gradient_begin(run, err) || !run_gradient_make(run, layer, GRADIENT_USED, NULL, err))
        return false;
    run_gradient_end(run);
    return true;
}
