#include "session/run_merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "session/run_layer.h"
#include "session/run_merge_parts.h"

static void drop(RunMerge *merge) {
    if (merge == NULL || atomic_fetch_sub(&merge->cache->owners, 1) > 1)
        return;
    for (int i = 0; i < MERGE_PARTS; i++)
        part_release(&merge->cache->parts[i]);
    free(merge->cache);
    free(merge);
}

void run_merge_release(Run *run) {
    drop(run->merge);
    run->merge = NULL;
}

void run_merge_share(Run *run) {
    if (run->merge != NULL)
        atomic_fetch_add(&run->merge->cache->owners, 1);
}

/* So that what was made points into itself. */
static void point(RunMerge *merge) {
    merge->full = merge->product.has_factors ? &merge->separate : &merge->merged;
}

/* A RunMerge with the parts of the one before, which may be NULL. */
static RunMerge *copy_of(const RunMerge *before, Err *err) {
    RunMerge *merge = calloc(1, sizeof *merge);
    MergeCache *cache = calloc(1, sizeof *cache);
    if (merge == NULL || cache == NULL) {
        free(merge);
        free(cache);
        err_fail(err, "memory", "too little for W_QK; close other programs");
        return NULL;
    }
    if (before != NULL) {
        *merge = *before;
        *cache = *before->cache;
        point(merge);
    }
    for (int i = 0; i < MERGE_PARTS; i++)
        part_share(cache->parts[i]);
    atomic_init(&cache->owners, 1);
    merge->cache = cache;
    return merge;
}

/* What of the Run the parts are made from. */
typedef struct MergeSource {
    AttnShape shape;
    uint64_t weights, pass, inputs;
} MergeSource;

static MergeSource source_of(const Run *run, int layer) {
    return (MergeSource){run->layers[layer].shape[run->form], run->layers[layer].weights_version,
                         run->cache->pass, run->cache->inputs};
}

/* An offset that there is among so many tokens. */
static MergeWish answerable(const MergeWish *wish, const AttnShape *shape) {
    MergeWish out = *wish;
    int most = shape->T - 1;
    out.choice.offset = !shape->rope                  ? 0
                        : wish->choice.offset > most  ? most
                        : wish->choice.offset < -most ? -most
                                                      : wish->choice.offset;
    return out;
}

/* What every part depends on. */
static PartKey weights_key(const MergeSource *source, const MergeWish *wish) {
    const AttnShape *shape = &source->shape;
    PartKey key;
    memset(&key, 0, sizeof key);
    key.weights = source->weights;
    key.layer = wish->layer;
    key.head = wish->choice.head;
    key.kind = (int)wish->choice.kind;
    key.shape.D = shape->D;
    key.shape.H = shape->H;
    key.shape.K = shape->K;
    key.shape.V = shape->V;
    key.shape.bias = shape->bias;
    key.shape.rope = shape->rope;
    key.shape.form = shape->form == FORM_FREE ? FORM_FREE : FORM_SEPARATE;
    return key;
}

static void add_gauge(PartKey *key, const Gauge *gauge) {
    key->turn = gauge->turn;
    key->is_rotation = gauge->is_rotation;
    key->seed = gauge->seed;
}

static void add_inputs(PartKey *key, const MergeSource *source) {
    key->pass = source->inputs;
    key->shape.block = source->shape.block;
}

/* And what each adds. */
static PartKey key_of(MergePart part, const MergeSource *source, const MergeWish *wish,
                      const MergeHas *has) {
    PartKey key = weights_key(source, wish);
    bool of_distance = part != PART_FAMILY && part != PART_PASSES && part != PART_FRAME &&
                       part != PART_TURNED && part != PART_GAUGE && part != PART_NESTED &&
                       part != PART_ALL && part != PART_FREE;
    bool of_pass = part == PART_PASSES || part == PART_CURVE || part == PART_CUT ||
                   part == PART_GAUGE || part == PART_STEP || part == PART_NESTED ||
                   part == PART_ALL;
    key.offset = of_distance ? wish->choice.offset : 0;
    key.pass = of_pass ? source->pass : 0;
    key.has_family = of_pass && has->family;
    if (part == PART_SPECTRUM && wish->choice.kind == PRODUCT_OV)
        key.pass = source->pass;
    else if (part == PART_FAMILY || (part == PART_SPECTRUM && !source->shape.rope))
        add_inputs(&key, source);
    if (part == PART_ALL)
        key.head = 0;
    if (part == PART_CUT || part == PART_CUT_PRODUCT)
        key.rank = wish->rank;
    if (part == PART_STEP)
        key.rate = wish->rate;
    if (part == PART_TURNED || part == PART_GAUGE)
        add_gauge(&key, &wish->gauge);
    if (part == PART_FRAME)
        key.seed = wish->gauge.seed;
    return key;
}

/* Whether a part is to be made, if what it is made from is there. */
static bool is_wanted(MergePart part, const MergeSource *source, const MergeWish *wish) {
    const AttnShape *shape = &source->shape;
    switch (part) {
    case PART_FAMILY:
        return wish->follows && run_merge_has_family(shape, wish);
    case PART_FRAME:
        return run_merge_has_factors(shape, wish) && wish->gauge.turn != 0;
    case PART_TURNED:
    case PART_GAUGE:
        return run_merge_has_factors(shape, wish);
    case PART_STEP:
        return wish->step;
    case PART_NESTED:
        return wish->nested;
    case PART_PARTS:
        return wish->parts;
    case PART_ALL:
        return wish->follows && wish->all && run_merge_has_all(shape, wish);
    case PART_CUT_PRODUCT:
        return wish->cut;
    case PART_FREE:
        return wish->follows && wish->free;
    case PART_PRODUCT:
    case PART_PASSES:
    case PART_VECTORS:
    case PART_SPECTRUM:
    case PART_CURVE:
    case PART_CUT:
    case MERGE_PARTS:
        break;
    }
    return true;
}

/* One look at the parts: what they are to be made from, and what of it there is or will be. */
typedef struct MergeLook {
    const MergeCache *cache;
    const MergeSource *source;
    const MergeWish *wish;
    MergeHas has;
} MergeLook;

static bool part_key_equal(const PartKey *a, const PartKey *b) {
    return a->weights == b->weights && a->pass == b->pass && a->seed == b->seed &&
           attn_shape_equal(&a->shape, &b->shape) && a->layer == b->layer && a->head == b->head &&
           a->kind == b->kind && a->offset == b->offset && a->rank == b->rank &&
           a->is_rotation == b->is_rotation && a->has_family == b->has_family &&
           a->turn == b->turn && a->rate == b->rate;
}

/* Whether a part is there and made from what it is to be made from now. */
static bool is_made(const MergeLook *look, MergePart part) {
    PartKey key = key_of(part, look->source, look->wish, &look->has);
    return look->cache->made[part] && part_key_equal(&look->cache->keys[part], &key);
}

static MergeLook look_at(const MergeCache *cache, const MergeSource *source,
                         const MergeWish *wish) {
    MergeLook look = {.cache = cache, .source = source, .wish = wish};
    look.has.family = is_made(&look, PART_FAMILY) || is_wanted(PART_FAMILY, source, wish);
    return look;
}

/* See to one part. */
static bool make_part(const MergeMaking *making, const MergeLook *look, MergePart part) {
    MergeCache *cache = making->merge->cache;
    if (is_made(look, part))
        return true;
    cache->made[part] = false;
    run_merge_drop(making->merge, part);
    if (!is_wanted(part, look->source, look->wish)) {
        part_release(&cache->parts[part]);
        return true;
    }
    if (!run_merge_part(making, part))
        return false;
    cache->keys[part] = key_of(part, look->source, look->wish, &look->has);
    cache->made[part] = true;
    point(making->merge);
    return true;
}

static bool make_parts(Run *run, RunMerge *next, Arena *scratch, JobWatch *watch, Err *err) {
    const MergeWish *wish = &next->wish;
    const MergeSource source = source_of(run, wish->layer);
    const MergeLook look = look_at(next->cache, &source, wish);
    const MergeMaking making = {.run = run,
                                .layer = &run->layers[wish->layer],
                                .shape = &source.shape,
                                .wish = wish,
                                .merge = next,
                                .scratch = scratch,
                                .has = &look.has,
                                .watch = watch,
                                .err = err};
    for (MergePart part = 0; part < MERGE_PARTS; part++)
        if (!make_part(&making, &look, part))
            return false;
    next->has_family = look.has.family || !run_merge_has_family(&source.shape, wish);
    return true;
}

bool run_merge(Run *run, const MergeWish *wish, JobWatch *watch, Err *err) {
    assert(run->valid && run->T > 0 && wish->layer < run->layer_count && wish->rank > 0);
    Arena scratch = {0};
    RunMerge *next = copy_of(run->merge, err);
    if (next == NULL)
        return false;
    next->wish = answerable(wish, &run->layers[wish->layer].shape[run->form]);
    bool made = make_parts(run, next, &scratch, watch, err);
    arena_release(&scratch);
    if (!made) {
        drop(next);
        return false;
    }
    drop(run->merge);
    run->merge = next;
    return true;
}

bool run_merge_is_current(const Run *run) {
    if (run->merge == NULL || !run->valid || run->T == 0)
        return false;
    const MergeCache *cache = run->merge->cache;
    return cache->made[PART_PASSES] && cache->keys[PART_PASSES].pass == run->cache->pass;
}
