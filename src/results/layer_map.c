#include "results/layer_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "math/pool.h"
#include "model/analysis/rollout.h"
#include "model/analysis/similarity.h"
#include "results/layer.h"

/* Limit of rows of a pooled matrix: with more tokens, a cell is the largest weight of a block. */
#define CELLS 32
#define EXTRA 2 /* mean and rollout */

static const Entry ORDER_ROWS[LAYER_ORDER_COUNT] = {
    [LAYER_ORDER_PLACE] = {"place", "Place", "", "A row for each layer, a column for each head."},
    [LAYER_ORDER_PATTERN] =
        {"pattern", "Pattern", "",
         "By pattern: heads with the same pattern together, the clearest first."},
    [LAYER_ORDER_ENTROPY] =
        {"entropy", "Entropy", "",
         "By entropy: first the heads that read one token, last those that read all."},
    [LAYER_ORDER_DISTANCE] =
        {"distance", "Distance", "",
         "By distance: first the heads that read near tokens, last those that read far ones."},
};
const Registry LAYER_ORDERS = REGISTRY("layer orders", "layer order", ORDER_ROWS);

/* Scratch memory for one map. If mean and rollout are not requested, mean, below, rolled and
 * product have no rows. */
typedef struct Making {
    LayerMap *map;
    Mat alike, mean, below, rolled, product; /* (T, T) */
    Arena arena;
    int *ids, *word; /* (T): token ids; for each token, the first token with the same bytes */
    int shown;       /* the layer shown, from 0 */
} Making;

/* A head and the number by which heads are sorted. */
typedef struct Ranked {
    double key;
    int at;
} Ranked;

bool results_has_layer_map(const Session *session) {
    return session_streams(session) && session->weights->layers > 1;
}

Mat layer_map_head(const LayerMap *map, int layer, int head) {
    return mat_rows(&map->at, (layer * (map->heads + EXTRA) + head) * map->side, map->side);
}

static void put_small(LayerMap *map, int layer, int head, const Mat *weights) {
    Mat small = layer_map_head(map, layer, head);
    int side = (weights->rows + CELLS - 1) / CELLS;
    pool_blocks(&small, weights, side, side);
}

static void put_rollout(Making *m, const ModelBlock *b) {
    LayerMap *map = m->map;
    heads_mean(&m->mean, &b->trace->A, b->shape);
    rollout_step(&m->rolled, &m->product, &m->mean, b->block == 0 ? NULL : &m->below);
    mat_copy(&m->below, &m->rolled);
    put_small(map, b->block, map->heads, &m->mean);
    put_small(map, b->block, map->heads + 1, &m->rolled);
    if (b->block == m->shown)
        mat_copy(&map->rollout, &m->rolled);
}

static void put_layer(void *context, const ModelBlock *b) {
    Making *m = context;
    LayerMap *map = m->map;
    Arena rest = m->arena;
    similarity_cosine(&m->alike, b->x, &rest);
    for (int h = 0; h < b->shape->H && h < map->heads; h++) {
        LayerMapHead *figures = &map->figures[b->block * map->heads + h];
        Mat S = attn_head_scores(&b->trace->S, b->shape, h);
        Mat A = attn_head_scores(&b->trace->A, b->shape, h);
        HeadStats stats;
        stats_head(&stats, &S, &A, b->mask);
        head_pattern_of(&figures->pattern, &A, b->mask, &m->alike, m->word);
        figures->entropy = stats.entropy;
        figures->distance = stats.distance;
        put_small(map, b->block, h, &A);
    }
    if (m->mean.rows > 0)
        put_rollout(m, b);
}

static bool run_layers(Making *m, const Results *run, const Session *session, Mat room[2],
                       const Job *job, Err *err) {
    const WeightsModel *model = session->weights->model;
    const AttnTrace *trace = results_trace(run, 0);
    const AttnShape *shape = &run->layers[0].shape[run->form];
    ModelPass below = {
        .x = &room[0], .ids = m->ids, .last = m->shown, .job = job, .see = put_layer, .context = m};
    ModelPass above = below;
    above.ids = NULL;
    above.first = m->shown;
    above.last = session->weights->layers;
    above.attention = &room[1];
    results_ids(m->ids, run);
    results_words(m->word, run);
    if (!model->run(model, &below, err))
        return false;
    put_layer(m, &(ModelBlock){m->shown, &run->X, trace, shape, &run->mask});
    attn_output(&room[1], trace, shape, &run->layers[0].params);
    mat_copy(&room[0], &run->X);
    return model->run(model, &above, err);
}

static int by_key(const void *a, const void *b) {
    const Ranked *left = a, *right = b;
    return left->key != right->key ? (left->key > right->key) - (left->key < right->key)
                                   : left->at - right->at;
}

static double key_of(const LayerMapHead *head, LayerOrder order) {
    int kind = head->pattern.kind;
    double pattern =
        kind == PATTERN_MIXED ? 2 * PATTERN_COUNT : 2 * kind - head->pattern.of[kind].value;
    return order == LAYER_ORDER_PATTERN    ? pattern
           : order == LAYER_ORDER_ENTROPY  ? head->entropy
           : order == LAYER_ORDER_DISTANCE ? head->distance
                                           : 0;
}

static void sort_heads(LayerMap *map, Ranked *ranked) {
    int count = map->layers * map->heads;
    for (LayerOrder order = 0; order < LAYER_ORDER_COUNT; order++) {
        for (int i = 0; i < count; i++)
            ranked[i] = (Ranked){key_of(&map->figures[i], order), i};
        qsort(ranked, (size_t)count, sizeof *ranked, by_key);
        for (int i = 0; i < count; i++)
            map->order[order][i] = ranked[i].at;
    }
}

/* Allocate the map, filled with zeros, because a layer may have fewer heads than the others. */
static bool push_map(LayerMap *map, Part **part, int T, bool rolls, Err *err) {
    size_t heads = (size_t)map->layers * (size_t)map->heads;
    int rows = map->layers * (map->heads + EXTRA) * map->side;
    uint64_t figures = arena_padded(heads * sizeof *map->figures);
    uint64_t order = arena_padded(heads * sizeof **map->order) * LAYER_ORDER_COUNT;
    uint64_t bytes = mat_bytes(rows, map->side) + (rolls ? mat_bytes(T, T) : 0);
    Arena *arena = part_reserve(part, bytes + figures + order, err);
    if (arena == NULL)
        return false;
    map->at = mat_push(arena, rows, map->side);
    mat_diagonal(&map->at, 0);
    map->figures = arena_push_zero(arena, heads * sizeof *map->figures);
    for (LayerOrder o = 0; o < LAYER_ORDER_COUNT; o++)
        map->order[o] = arena_push(arena, heads * sizeof **map->order);
    if (rolls)
        map->rollout = mat_push(arena, T, T);
    return true;
}

static bool make(LayerMap *map, const Results *run, bool rolls, const Job *job, Err *err) {
    const Session *session = results_source(run);
    Making m = {.map = map, .shown = session->weights->layer - 1};
    int T = run->T, D = run->X.cols;
    size_t heads = (size_t)map->layers * (size_t)map->heads;
    uint64_t bytes = 2 * mat_bytes(T, D) + (rolls ? 5 : 1) * mat_bytes(T, T) +
                     similarity_scratch_bytes(T, D) + 2 * arena_padded((size_t)T * sizeof(int)) +
                     arena_padded(heads * sizeof(Ranked));
    if (!arena_reserve(&m.arena, bytes, err))
        return false;
    Mat room[] = {mat_push(&m.arena, T, D), mat_push(&m.arena, T, D)};
    m.ids = arena_push(&m.arena, (size_t)T * sizeof *m.ids);
    m.word = arena_push(&m.arena, (size_t)T * sizeof *m.word);
    Ranked *ranked = arena_push(&m.arena, heads * sizeof *ranked);
    m.alike = mat_push(&m.arena, T, T);
    Mat *const rolling[] = {&m.mean, &m.below, &m.rolled, &m.product};
    for (int i = 0; rolls && i < 4; i++)
        *rolling[i] = mat_push(&m.arena, T, T);
    bool made = run_layers(&m, run, session, room, job, err);
    if (made)
        sort_heads(map, ranked);
    arena_release(&m.arena);
    return made;
}

bool results_layer_map(Results *run, bool rolls, const Job *job, Err *err) {
    const Session *session = results_source(run);
    bool is_known = run->map.layers > 0 && (!rolls || run->map.rollout.rows > 0);
    if (is_known || !results_has_layer_map(session))
        return true;
    int T = run->T, block = (T + CELLS - 1) / CELLS;
    LayerMap map = {.layers = session->weights->layers,
                    .heads = run->layers[0].shape[run->form].H,
                    .side = (T + block - 1) / block};
    run->map = (LayerMap){0};
    bool made = push_map(&map, &run->cache->map, T, rolls, err) && make(&map, run, rolls, job, err);
    if (made)
        run->map = map;
    return made;
}
