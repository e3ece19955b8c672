#include "results/product_analysis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "results/by_hand.h"
#include "results/layer.h"
#include "results/product_analysis_parts.h"

static void drop(ProductAnalysis *analysis) {
    if (analysis == NULL || atomic_fetch_sub(&analysis->cache->owners, 1) > 1)
        return;
    for (int i = 0; i < PRODUCT_PARTS; i++)
        part_release(&analysis->cache->parts[i]);
    free(analysis->cache);
    free(analysis);
}

void product_analysis_release(Results *run) {
    drop(run->analysis);
    run->analysis = NULL;
}

void product_analysis_share(Results *run) {
    if (run->analysis != NULL)
        atomic_fetch_add(&run->analysis->cache->owners, 1);
}

void product_analysis_point(ProductAnalysis *analysis) {
    bool by_factors = analysis->product.has_factors && !analysis->product.is_edited;
    analysis->full = by_factors ? &analysis->separate : &analysis->merged;
}

/* Return a new ProductAnalysis that shares all parts with `before`, which may be NULL. */
static ProductAnalysis *copy_of(const ProductAnalysis *before, Err *err) {
    ProductAnalysis *analysis = heap_get_zero(1, sizeof *analysis);
    ProductCache *cache = heap_get_zero(1, sizeof *cache);
    if (analysis == NULL || cache == NULL) {
        free(analysis);
        free(cache);
        err_fail(err, "memory", "too little for W_QK; close other programs");
        return NULL;
    }
    if (before != NULL) {
        *analysis = *before;
        *cache = *before->cache;
        product_analysis_point(analysis);
    }
    for (int i = 0; i < PRODUCT_PARTS; i++)
        part_share(cache->parts[i]);
    atomic_init(&cache->owners, 1);
    analysis->cache = cache;
    return analysis;
}

/* Versions of the Results that the parts of an analysis depend on. */
typedef struct ProductSource {
    AttnShape shape;
    uint64_t weights, pass, inputs;
    bool is_edited; /* see results_product_is_edited */
} ProductSource;

/* Return the request with its offset limited to the distances in a text of this many tokens. */
static ProductRequest limited(const ProductRequest *request, const AttnShape *shape) {
    ProductRequest out = *request;
    int most = shape->T - 1;
    out.choice.offset = !shape->rope                     ? 0
                        : request->choice.offset > most  ? most
                        : request->choice.offset < -most ? -most
                                                         : request->choice.offset;
    return out;
}

/* Return the inputs that every part depends on. */
static PartKey weights_key(const ProductSource *source, const ProductRequest *request) {
    const AttnShape *shape = &source->shape;
    PartKey key;
    memset(&key, 0, sizeof key);
    key.weights = source->weights;
    key.layer = request->layer;
    key.head = request->choice.head;
    key.kind = (int)request->choice.kind;
    key.shape.D = shape->D;
    key.shape.H = shape->H;
    key.shape.K = shape->K;
    key.shape.V = shape->V;
    key.shape.bias = shape->bias;
    key.shape.rope = shape->rope;
    bool is_used = shape->form == FORM_FREE || source->is_edited; /* in the form's own W_QK */
    key.shape.form = is_used ? shape->form : FORM_SEPARATE;
    key.shape.rank = source->is_edited ? shape->rank : 0;
    return key;
}

/* Return all inputs of a part. */
static PartKey key_of(ProductPart part, const ProductSource *source, const ProductRequest *request,
                      const ProductParts *has) {
    PartKey key = weights_key(source, request);
    bool of_distance = part != PART_FAMILY && part != PART_PASSES && part != PART_FRAME &&
                       part != PART_FACTORS && part != PART_TRANSFORM && part != PART_NESTED &&
                       part != PART_ALL && part != PART_FREE;
    bool of_pass = part == PART_PASSES || part == PART_CURVE || part == PART_CUT ||
                   part == PART_TRANSFORM || part == PART_STEP || part == PART_NESTED ||
                   part == PART_ALL;
    key.offset = of_distance ? request->choice.offset : 0;
    key.pass = of_pass ? source->pass : 0;
    key.has_family = of_pass && has->family;
    if (part == PART_SPECTRUM && request->choice.kind == PRODUCT_OV) {
        key.pass = source->pass;
    } else if (part == PART_FAMILY || (part == PART_SPECTRUM && !source->shape.rope)) {
        key.pass = source->inputs;
        key.shape.block = source->shape.block;
    }
    if (part == PART_ALL)
        key.head = 0;
    if (part == PART_CUT || part == PART_CUT_PRODUCT)
        key.rank = request->rank;
    if (part == PART_STEP)
        key.rate = request->rate;
    if (part == PART_FACTORS || part == PART_TRANSFORM) {
        key.turn = request->transform.turn;
        key.is_rotation = request->transform.is_rotation;
    }
    if (part == PART_FACTORS || part == PART_TRANSFORM || part == PART_FRAME)
        key.seed = request->transform.seed;
    return key;
}

/* True if a part is requested and the matrices that it needs exist. */
static bool is_wanted(ProductPart part, const ProductSource *source,
                      const ProductRequest *request) {
    const AttnShape *shape = &source->shape;
    switch (part) {
    case PART_FAMILY:
        return request->follows && product_analysis_has_family(shape, request);
    case PART_FRAME:
        return product_analysis_has_factors(shape, request) && request->transform.turn != 0;
    case PART_FACTORS:
    case PART_TRANSFORM:
        return product_analysis_has_factors(shape, request);
    case PART_STEP:
        return request->step;
    case PART_NESTED:
        return request->nested;
    case PART_PARTS:
        return request->parts;
    case PART_ALL:
        return request->follows && request->all && product_analysis_has_all(shape, request);
    case PART_CUT_PRODUCT:
        return request->cut;
    case PART_FREE:
        return request->follows && request->free;
    case PART_PRODUCT:
    case PART_PASSES:
    case PART_VECTORS:
    case PART_SPECTRUM:
    case PART_CURVE:
    case PART_CUT:
    case PRODUCT_PARTS:
        break;
    }
    return true;
}

/* Arguments of make_part: the inputs of the parts, and the optional parts that exist or will
 * exist. */
typedef struct ProductLook {
    const ProductCache *cache;
    const ProductSource *source;
    const ProductRequest *request;
    ProductParts has;
} ProductLook;

static bool part_key_equal(const PartKey *a, const PartKey *b) {
    return a->weights == b->weights && a->pass == b->pass && a->seed == b->seed &&
           attn_shape_equal(&a->shape, &b->shape) && a->layer == b->layer && a->head == b->head &&
           a->kind == b->kind && a->offset == b->offset && a->rank == b->rank &&
           a->is_rotation == b->is_rotation && a->has_family == b->has_family &&
           a->turn == b->turn && a->rate == b->rate;
}

/* True if a part exists and was computed from its current inputs. */
static bool is_made(const ProductLook *look, ProductPart part) {
    PartKey key = key_of(part, look->source, look->request, &look->has);
    return look->cache->made[part] && part_key_equal(&look->cache->keys[part], &key);
}

static ProductLook look_at(const ProductCache *cache, const ProductSource *source,
                           const ProductRequest *request) {
    ProductLook look = {.cache = cache, .source = source, .request = request};
    look.has.family = is_made(&look, PART_FAMILY) || is_wanted(PART_FAMILY, source, request);
    return look;
}

/* Compute one part if it is stale, or free it if it is not requested. */
static bool make_part(const ProductJob *making, const ProductLook *look, ProductPart part) {
    ProductCache *cache = making->analysis->cache;
    if (is_made(look, part))
        return true;
    cache->made[part] = false;
    product_analysis_drop(making->analysis, part);
    if (!is_wanted(part, look->source, look->request)) {
        part_release(&cache->parts[part]);
        return true;
    }
    if (!product_analysis_part(making, part))
        return false;
    cache->keys[part] = key_of(part, look->source, look->request, &look->has);
    cache->made[part] = true;
    product_analysis_point(making->analysis);
    return true;
}

static bool make_parts(Results *run, ProductAnalysis *next, Arena *scratch, const Job *job,
                       Err *err) {
    const ProductRequest *request = &next->request;
    const LayerResults *layer = &run->layers[request->layer];
    const ProductSource source = {
        layer->shape[run->form], layer->weights_version, run->cache->pass, run->cache->inputs,
        results_product_is_edited(run, request->layer, request->choice.head)};
    const ProductLook look = look_at(next->cache, &source, request);
    const ProductJob making = {.run = run,
                               .layer = &run->layers[request->layer],
                               .shape = &source.shape,
                               .request = request,
                               .analysis = next,
                               .scratch = scratch,
                               .has = &look.has,
                               .job = job,
                               .err = err};
    for (ProductPart part = 0; part < PRODUCT_PARTS; part++)
        if (!make_part(&making, &look, part))
            return false;
    next->has_family = look.has.family || !product_analysis_has_family(&source.shape, request);
    return true;
}

bool results_product(Results *run, const ProductRequest *request, const Job *job, Err *err) {
    assert(run->valid && run->T > 0 && request->layer < run->layer_count && request->rank > 0);
    Arena scratch = {0};
    ProductAnalysis *next = copy_of(run->analysis, err);
    if (next == NULL)
        return false;
    next->request = limited(request, &run->layers[request->layer].shape[run->form]);
    bool made = make_parts(run, next, &scratch, job, err);
    arena_release(&scratch);
    if (!made) {
        drop(next);
        return false;
    }
    drop(run->analysis);
    run->analysis = next;
    return true;
}

bool product_analysis_is_current(const Results *run) {
    if (run->analysis == NULL || !run->valid || run->T == 0)
        return false;
    const ProductCache *cache = run->analysis->cache;
    return cache->made[PART_PASSES] && cache->keys[PART_PASSES].pass == run->cache->pass;
}
