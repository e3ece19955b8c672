#include "results/gradient.h"

#include <assert.h>

#include "results/layer.h"

/* With more tokens a product turns the weights in little of its time. */
#define TURNED_TOKENS_MAX 32
#define TURNED_BYTES_MAX  ((size_t)16 << 20)

/* Drawing a normal number takes longer than a product spends on it, so G is kept while it holds. */
static bool update_G(ResultsCache *cache, int T, int D, uint64_t seed, Err *err) {
    Mat *G = &cache->of_G;
    if (G->rows == T && G->cols == D && cache->G_seed == seed)
        return true;
    *G = (Mat){0};
    Arena *arena = part_reserve(&cache->G, mat_bytes(T, D), err);
    if (arena == NULL)
        return false;
    *G = mat_push(arena, T, D);
    cache->G_seed = seed;
    attn_output_gradient_draw(G, seed);
    return true;
}

/* The layer's transposed weights, if they help and there is room for them; else none. */
static AttnTurned update_transposed(TransposedWeights *kept, const LayerResults *layer,
                                    const AttnShape *shape) {
    size_t bytes = attn_turned_bytes(shape);
    Err err; /* the pass does without them */
    bool have = kept->of.W_O.rows > 0 && kept->weights_version == layer->weights_version &&
                kept->form == shape->form;
    if (shape->T > TURNED_TOKENS_MAX || bytes > TURNED_BYTES_MAX)
        return (AttnTurned){0};
    if (have)
        return kept->of;
    kept->of = (AttnTurned){0};
    Arena *arena = part_reserve(&kept->part, bytes, &err);
    if (arena != NULL) {
        kept->of = attn_turned_push(arena, shape, &layer->params);
        kept->weights_version = layer->weights_version;
        kept->form = shape->form;
    }
    return kept->of;
}

static Arena *reserve(Part **part, const AttnShape *shape, bool family, Err *err) {
    size_t bytes = mat_bytes_add(attn_grads_bytes(shape), attn_back_bytes(shape));
    if (family)
        bytes = mat_bytes_add(bytes, attn_offset_gradient_bytes(shape));
    if (bytes <= RESULTS_BYTES_MAX)
        return part_reserve(part, bytes, err);
    err_fail(err, "gradients",
             "would take %.1f GB for %d tokens and %d heads; use fewer of either, or a smaller "
             "d_model",
             (double)bytes / 1e9, shape->T, shape->H);
    return NULL;
}

bool results_gradient_make(Results *run, int index, GradientOf of, Err *err) {
    LayerResults *layer = &run->layers[index];
    ResultsCache *cache = run->cache;
    LayerCache *kept = &cache->layers[index];
    GradientResults *gradient = of == GRADIENT_USED ? &layer->gradient : &layer->checked_gradient;
    int form = of == GRADIENT_USED ? (int)run->form : layer->checked;
    bool family = of == GRADIENT_USED && layer->W_QK_offset.rows > 0; /* of the form in use alone */
    assert(run->valid && run->T > 0 && index < run->layer_count);
    bool is_there = gradient->G.rows > 0 && (!family || gradient->W_QK_offset.rows > 0);
    if (form == FORM_UNCHECKED || is_there)
        return true;
    const AttnShape *shape = &layer->shape[form];
    const AttnTrace *trace = &layer->trace[form];
    GradientResults made = {0};
    *gradient = made;
    Arena *arena = reserve(&kept->gradient[of], shape, family, err);
    if (arena == NULL || !update_G(cache, shape->T, shape->D, layer->plan.seed, err))
        return false;
    made.params = attn_grads_push(arena, shape);
    made.back = attn_back_push(arena, shape);
    made.back.turned = update_transposed(&kept->transposed[of], layer, shape);
    attn_backward(&made.params, &made.back, shape, &layer->params, trace, &run->X, &cache->of_G);
    if (family)
        made.W_QK_offset = attn_offset_gradient_push(arena, shape, trace, &made.back);
    made.G = cache->of_G;
    *gradient = made;
    return true;
}

bool results_gradient(Results *run, int layer, Err *err) {
    return results_gradient_make(run, layer, GRADIENT_USED, err);
}
