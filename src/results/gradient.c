#include "results/gradient.h"

#include <assert.h>

#include "results/layer.h"

static Arena *reserve(Part **part, const AttnShape *shape, bool family, Err *err) {
    uint64_t bytes = attn_grads_bytes(shape) + attn_back_bytes(shape);
    bytes += mat_bytes(shape->T, shape->D); /* G */
    if (family)
        bytes += attn_offset_gradient_bytes(shape);
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
    GradientResults *gradient = of == GRADIENT_USED ? &layer->gradient : &layer->checked_gradient;
    int form = of == GRADIENT_USED ? (int)run->form : layer->checked;
    bool family = of == GRADIENT_USED && layer->W_QK_offset.rows > 0; /* only in the form in use */
    assert(run->valid && run->T > 0 && index < run->layer_count);
    bool is_there = gradient->G.rows > 0 && (!family || gradient->W_QK_offset.rows > 0);
    if (form == FORM_UNCHECKED || is_there)
        return true;
    const AttnShape *shape = &layer->shape[form];
    const AttnTrace *trace = &layer->trace[form];
    GradientResults made = {0};
    *gradient = made;
    Arena *arena = reserve(&run->cache->layers[index].gradient[of], shape, family, err);
    if (arena == NULL)
        return false;
    made.params = attn_grads_push(arena, shape);
    made.back = attn_back_push(arena, shape);
    made.G = mat_push(arena, shape->T, shape->D);
    attn_output_gradient_draw(&made.G, layer->plan.seed);
    attn_backward(&made.params, &made.back, shape, &layer->params, trace, &run->X, &made.G);
    if (family)
        made.W_QK_offset = attn_offset_gradient_push(arena, shape, trace, &made.back);
    *gradient = made;
    return true;
}

bool results_gradient(Results *run, int layer, Err *err) {
    return results_gradient_make(run, layer, GRADIENT_USED, err);
}
