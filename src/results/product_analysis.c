#include "results/product_analysis.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/rng.h"
#include "results/by_hand.h"
#include "results/layer.h"

void product_analysis_point(ProductAnalysis *analysis) {
    bool by_factors = analysis->product.has_factors && !analysis->product.is_edited;
    analysis->full = by_factors ? &analysis->separate : &analysis->merged;
}

/* Return the request with its offset limited to the distances in a text of shape->T tokens; 0
 * without RoPE. */
static ProductRequest limited(const ProductRequest *request, const AttnShape *shape) {
    ProductRequest out = *request;
    int most = shape->T - 1;
    out.choice.offset = !shape->rope                     ? 0
                        : request->choice.offset > most  ? most
                        : request->choice.offset < -most ? -most
                                                         : request->choice.offset;
    return out;
}

/* The values of a part's inputs; 0 if an input does not affect the part. The struct is hashed as
 * bytes, so it must have no padding. */
typedef struct PartInputs {
    uint64_t weights, shape, pass, inputs, seed;
    int layer, head, kind, offset, rank, is_rotation, has_family, block;
    float turn, rate;
} PartInputs;
static_assert(sizeof(PartInputs) == 5 * sizeof(uint64_t) + 8 * sizeof(int) + 2 * sizeof(float),
              "no padding");

/* Return a hash of the values of a part's inputs; not 0. */
static uint64_t key_of(const ProductJob *making, ProductPart part) {
    const ProductRequest *request = making->request;
    const AttnShape *shape = making->shape;
    const ResultsCache *cache = making->run->cache;
    /* The spectrum of W_OV is computed from A·X. */
    bool reads = part == PART_SPECTRUM && request->choice.kind == PRODUCT_OV;
    unsigned inputs = PRODUCT_PART_ROWS[part].inputs | (reads ? OF_PASS : 0u);
    /* true if the form uses this W_QK itself instead of W_Q and W_K */
    bool is_used = shape->form == FORM_FREE || making->is_edited;
    const AttnShape weights = {.D = shape->D,
                               .H = shape->H,
                               .K = shape->K,
                               .V = shape->V,
                               .form = is_used ? shape->form : FORM_SEPARATE,
                               .rank = making->is_edited ? shape->rank : 0,
                               .bias = shape->bias,
                               .rope = shape->rope};
    const PartInputs values = {
        .weights = making->layer->weights_version,
        .shape = attn_shape_hash(&weights),
        .layer = request->layer,
        .kind = (int)request->choice.kind,
        .head = inputs & OF_HEAD ? request->choice.head : 0,
        .offset = inputs & OF_OFFSET ? request->choice.offset : 0,
        .inputs = inputs & OF_X ? cache->inputs : 0,
        .block = inputs & OF_X ? (int)shape->block : 0,
        .pass = inputs & OF_PASS ? cache->pass : 0,
        .has_family = inputs & OF_PASS && making->has_family,
        .rank = inputs & OF_RANK ? request->rank : 0,
        .rate = inputs & OF_RATE ? request->rate : 0,
        .turn = inputs & OF_TURN ? request->transform.turn : 0,
        .is_rotation = inputs & OF_TURN && request->transform.is_rotation,
        .seed = inputs & OF_SEED ? request->transform.seed : 0,
    };
    return rng_hash(&values, sizeof values) | 1;
}

/* If a part is stale, compute it again or, if it is not wanted, free it. */
static bool make_part(const ProductJob *making, ProductPart part, bool is_wanted) {
    ProductAnalysis *analysis = making->analysis;
    ProductCache *cache = &making->run->cache->product;
    const PartRow *row = &PRODUCT_PART_ROWS[part];
    uint64_t key = key_of(making, part);
    if (cache->keys[part] == key)
        return true;
    cache->keys[part] = 0;
    memcpy((char *)analysis + row->from, (const char *)&PRODUCT_ABSENT + row->from,
           row->to - row->from);
    if (!is_wanted) {
        part_release(&cache->parts[part]);
        return true;
    }
    if (!row->make(making) || !product_analysis_goes_on(making))
        return false;
    cache->keys[part] = key;
    product_analysis_point(analysis);
    return true;
}

static bool make_parts(ProductJob *making) {
    bool wanted[PRODUCT_PARTS];
    product_analysis_wanted(wanted, making);
    making->has_family = wanted[PART_FAMILY] || making->run->cache->product.keys[PART_FAMILY] ==
                                                    key_of(making, PART_FAMILY);
    for (ProductPart part = 0; part < PRODUCT_PARTS; part++)
        if (!make_part(making, part, wanted[part]))
            return false;
    making->analysis->has_family = making->has_family || !product_analysis_has_family(making);
    return true;
}

bool results_product(Results *run, const ProductRequest *request, const Job *job, Err *err) {
    assert(run->valid && run->T > 0 && request->layer < run->layer_count && request->rank > 0);
    Arena scratch = {0};
    const LayerResults *layer = &run->layers[request->layer];
    const AttnShape *shape = &layer->shape[run->form];
    int E = attn_input_width(shape), m = head_product_width(shape, request->choice.kind);
    uint64_t bytes = head_scratch_bytes(run->T, E, m);
    if (bytes > RESULTS_BYTES_MAX)
        return err_fail(err, "W_QK", "would take %.1f GB; use a smaller d_model or fewer tokens",
                        (double)bytes / 1e9);
    ProductCache *product = &run->cache->product, unused = *product;
    for (int i = 0; i < PRODUCT_PARTS; i++)
        part_share(unused.parts[i]);
    product->analysis.request = limited(request, shape);
    ProductJob making = {.run = run,
                         .layer = layer,
                         .shape = shape,
                         .request = &product->analysis.request,
                         .analysis = &product->analysis,
                         .scratch = &scratch,
                         .is_edited =
                             results_product_is_edited(run, request->layer, request->choice.head),
                         .job = job,
                         .err = err};
    bool made = arena_reserve(&scratch, bytes, err) && make_parts(&making);
    arena_release(&scratch);
    if (made) {
        product->pass = run->cache->pass;
        run->analysis = &product->analysis;
    } else { /* restore the previous analysis */
        ProductCache failed = *product;
        *product = unused;
        unused = failed;
    }
    for (int i = 0; i < PRODUCT_PARTS; i++)
        part_release(&unused.parts[i]);
    return made;
}

bool product_analysis_is_current(const Results *run) {
    return run->analysis != NULL && run->valid && run->T > 0 &&
           run->cache->product.pass == run->cache->pass;
}
