#include "results/layer_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "math/pool.h"
#include "results/layer.h"

#define CELLS                                                                                      \
    32 /* most rows of a small matrix; blocks of a larger one keep their largest weight            \
        */

bool results_has_layer_map(const Session *session) {
    return session_streams(session) && session->weights->layers > 1;
}

Mat layer_map_head(const LayerMap *map, int layer, int head) {
    return mat_rows(&map->at, (layer * map->heads + head) * map->side, map->side);
}

static void put_layer(void *context, int layer, const AttnTrace *trace, const AttnShape *shape) {
    const LayerMap *map = context;
    int block = (shape->T + CELLS - 1) / CELLS;
    for (int h = 0; h < shape->H && h < map->heads; h++) {
        Mat small = layer_map_head(map, layer, h), A = attn_head_scores(&trace->A, shape, h);
        pool_extremes(&small, &A, block);
    }
}

/* Run the blocks below the layer shown from the tokens, and those above from its output. */
static bool run_layers(LayerMap *map, const Results *run, const Session *session, Mat room[2],
                       int *ids, const Job *job, Err *err) {
    const WeightsModel *model = session->weights->model;
    const AttnShape *shape = &run->layers[0].shape[run->form];
    int at = session->weights->layer - 1;
    ModelPass below = {
        .x = &room[0], .ids = ids, .last = at, .job = job, .see = put_layer, .context = map};
    ModelPass above = below;
    above.ids = NULL;
    above.first = at;
    above.last = session->weights->layers;
    above.attention = &room[1];
    results_ids(ids, run);
    if (!model->run(model, &below, err))
        return false;
    put_layer(map, at, results_trace(run, 0), shape);
    attn_output(&room[1], results_trace(run, 0), shape, &run->layers[0].params);
    mat_copy(&room[0], &run->X);
    return model->run(model, &above, err);
}

bool results_layer_map(Results *run, const Job *job, Err *err) {
    const Session *session = results_source(run);
    int T = run->T, D = run->X.cols, block = (T + CELLS - 1) / CELLS;
    Arena scratch = {0};
    if (run->map.layers > 0 || !results_has_layer_map(session))
        return true;
    LayerMap map = {.heads = run->layers[0].shape[run->form].H, .side = (T + block - 1) / block};
    int rows = session->weights->layers * map.heads * map.side;
    Arena *arena = part_reserve(&run->cache->map, mat_bytes(rows, map.side), err);
    int *ids = heap_get((size_t)T * sizeof *ids);
    bool made = arena != NULL && arena_reserve(&scratch, 2 * mat_bytes(T, D), err) &&
                (ids != NULL || err_fail(err, "memory", "too little for the map of all layers"));
    if (made) {
        map.at = mat_push(arena, rows, map.side);
        memset(map.at.at, 0, mat_bytes(rows, map.side)); /* a layer may have fewer heads */
        Mat room[] = {mat_push(&scratch, T, D), mat_push(&scratch, T, D)};
        made = run_layers(&map, run, session, room, ids, job, err);
    }
    map.layers = session->weights->layers;
    if (made)
        run->map = map;
    arena_release(&scratch);
    free(ids);
    return made;
}
