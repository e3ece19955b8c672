#include "session/run_merge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "session/run_gradient.h"
#include "session/run_layer.h"
#include "session/run_merge_parts.h"

#define KEPT_BYTES     (4u << 20) /* of an arena whose part was made anew in the other one */
#define VERSION_UNMADE UINT64_MAX /* of weights or a pass that are not there yet */

void run_merge_release(Run *run) {
    RunMerge *merge = run->merge;
    if (merge == NULL)
        return;
    for (int i = 0; i < MERGE_PARTS; i++)
        for (int turn = 0; turn < 2; turn++)
            arena_release(&merge->cache->arenas[i][turn]);
    arena_release(&merge->cache->scratch);
    free(merge->cache);
    free(merge);
    run->merge = NULL;
}

static bool start(Run *run, Err *err) {
    if (run->merge != NULL)
        return true;
    RunMerge *merge = calloc(1, sizeof *merge);
    MergeCache *cache = calloc(1, sizeof *cache);
    if (merge == NULL || cache == NULL) {
        free(merge);
        free(cache);
        return err_fail(err, "memory", "too little for W_QK; close other programs");
    }
    merge->cache = cache;
    run->merge = merge;
    return true;
}

/* What of the Run the parts are made from. */
typedef struct MergeSource {
    AttnShape shape;
    uint64_t weights, pass;
} MergeSource;

static MergeSource source_of(const Run *run, int layer) {
    return (MergeSource){run->layers[layer].shape[run->form], run->layers[layer].weights_version,
                         run->cache->pass};
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
    memset(&key, 0, sizeof key); /* what pads it too */
    key.weights = source->weights;
    key.layer = wish->layer;
    key.head = wish->choice.head;
    key.kind = (int)wish->choice.kind;
    key.offset = wish->choice.offset;
    key.shape.D = shape->D;
    key.shape.H = shape->H;
    key.shape.K = shape->K;
    key.shape.V = shape->V;
    key.shape.bias = shape->bias;
    key.shape.rope = shape->rope;
    key.shape.form = shape->form == FORM_FREE ? FORM_FREE : FORM_SEPARATE;
    return key;
}

/* And what each adds. */
static PartKey key_of(MergePart part, const MergeSource *source, const MergeWish *wish) {
    PartKey key = weights_key(source, wish);
    if (part == PART_PASSES || part == PART_CUT || part == PART_GAUGE || part == PART_STEP)
        key.pass = source->pass;
    if (part == PART_CUT)
        key.rank = wish->rank;
    if (part == PART_STEP)
        key.rate = wish->rate;
    if (part == PART_GAUGE) {
        key.turn = wish->gauge.turn;
        key.is_rotation = wish->gauge.is_rotation;
        key.seed = wish->gauge.seed;
    }
    return key;
}

static bool is_wanted(MergePart part, const MergeWish *wish) {
    switch (part) {
    case PART_FREE:
        return wish->free;
    case PART_STEP:
        return wish->step;
    case PART_PARTS:
        return wish->parts;
    case PART_PRODUCT:
    case PART_PASSES:
    case PART_CUT:
    case PART_GAUGE:
    case MERGE_PARTS:
        break;
    }
    return true;
}

/* Whether a part is there and made from what it is to be made from now. */
static bool is_made(const MergeState *state, MergePart part, const MergeSource *source,
                    const MergeWish *wish) {
    PartKey key = key_of(part, source, wish);
    return state->made[part] && memcmp(&state->keys[part], &key, sizeof key) == 0;
}

/* So that what was made points into itself. */
static void point(RunMerge *merge) {
    merge->full = merge->product.has_factors ? &merge->separate : &merge->merged;
}

bool run_merge_begin(Run *run, const MergeWish *wish, Err *err) {
    assert(run->valid && run->T > 0 && wish->layer < run->layer_count && wish->rank > 0);
    if (!start(run, err) || !run_gradient_begin(run, err))
        return false;
    MergeCache *cache = run->merge->cache;
    cache->next = cache->shown;
    cache->next.merge = *run->merge;
    cache->next.merge.wish = answerable(wish, &run->layers[wish->layer].shape[run->form]);
    return true;
}

bool run_merge_make(Run *run, JobWatch *watch, Err *err) {
    MergeCache *cache = run->merge->cache;
    MergeState *next = &cache->next;
    const MergeWish *wish = &next->merge.wish;
    const MergeSource source = source_of(run, wish->layer);
    MergeMaking making = {.run = run,
                          .layer = &run->layers[wish->layer],
                          .shape = &source.shape,
                          .wish = wish,
                          .cache = cache,
                          .merge = &next->merge,
                          .watch = watch,
                          .err = err};
    for (MergePart part = 0; part < MERGE_PARTS; part++) {
        if (is_made(next, part, &source, wish))
            continue;
        next->turn[part] = 1 - cache->shown.turn[part];
        next->made[part] = false;
        run_merge_drop(&next->merge, part);
        if (!is_wanted(part, wish))
            continue;
        if (!run_merge_part(&making, part))
            return false;
        next->keys[part] = key_of(part, &source, wish);
        next->made[part] = true;
        point(&next->merge);
    }
    return true;
}

void run_merge_end(Run *run) {
    MergeCache *cache = run->merge->cache;
    for (int i = 0; i < MERGE_PARTS; i++) {
        Arena *left = &cache->arenas[i][1 - cache->next.turn[i]];
        if (cache->next.turn[i] != cache->shown.turn[i] && left->capacity > KEPT_BYTES)
            arena_release(left);
    }
    cache->shown = cache->next;
    *run->merge = cache->next.merge;
    point(run->merge);
    run_gradient_end(run);
}

bool run_merge(Run *run, const MergeWish *wish, Err *err) {
    if (!run_merge_begin(run, wish, err) || !run_merge_make(run, NULL, err))
        return false;
    run_merge_end(run);
    return true;
}

bool run_merge_is_current(const Run *run) {
    if (run->merge == NULL || !run->valid || run->T == 0)
        return false;
    const RunMerge *merge = run->merge;
    const MergeState *shown = &merge->cache->shown;
    return shown->made[PART_PASSES] && shown->keys[PART_PASSES].pass == run->cache->pass;
}

/* What the Run will be made of. */
static MergeSource source_ahead(const Run *run, const Session *session, int T, int layer) {
    const Options *o = &session->options;
    const Session *before = run_session(run);
    MergeSource source = {options_shape(o, T, (AttnForm)o->form.row), VERSION_UNMADE,
                          VERSION_UNMADE};
    if (run->valid && run_layer_keeps(run, layer, session))
        source.weights = run->layers[layer].weights_version;
    if (run->valid && before != NULL && run_same(before, session))
        source.pass = run->cache->pass;
    return source;
}

double run_merge_steps(const Run *run, const Session *session, int T, const MergeWish *wish) {
    static const MergeState nothing;
    const MergeSource source = source_ahead(run, session, T, wish->layer);
    const MergeState *state = run->merge != NULL ? &run->merge->cache->shown : &nothing;
    const MergeWish answer = answerable(wish, &source.shape);
    double steps = 0;
    for (MergePart part = 0; part < MERGE_PARTS; part++) {
        if (is_wanted(part, &answer) && !is_made(state, part, &source, &answer))
            steps += run_merge_part_steps(part, &source.shape, &answer);
    }
    return steps;
}
