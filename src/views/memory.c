#include "views/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "views/compare/compare.h"
#include "views/graph/graph_parts.h"
#include "views/shared/heatmap_cache.h"
#include "views/steps/steps.h"
#include "views/train/train.h"

struct ViewMemories {
    GraphMemory graph;
    CompareMemory compare;
    TrainMemory train;
    HeatmapCache heatmaps[2];
};

static void point_to(ViewMemory *memory, struct ViewMemories *owned) {
    *memory = (ViewMemory){.heads = {.shown = &owned->heatmaps[0], .next = &owned->heatmaps[1]},
                           .graph = &owned->graph,
                           .compare = &owned->compare,
                           .train = &owned->train,
                           .owned = owned};
}

bool view_memory_create(ViewMemory *memory) {
    struct ViewMemories *owned = heap_get_zero(1, sizeof *owned);
    if (owned != NULL)
        point_to(memory, owned);
    return owned != NULL;
}

bool view_memory_is_computing(ViewMemory *memory, const JobPool *pool) {
    return compare_memory_is_computing(memory->compare, pool) ||
           train_memory_is_computing(memory->train, pool);
}

void view_memory_stop_others(ViewMemory *memory, const void *own) {
    if (memory->compare != own)
        compare_memory_stop(memory->compare);
    if (memory->train != own)
        train_memory_stop(memory->train);
}

void view_memory_stop_playing(ViewMemory *memory) {
    memory->steps.player.plays = false;
    memory->train->play.is_on = false;
}

static void release_parts(ViewMemory *memory, const JobPool *pool) {
    compare_clear(memory->compare, pool);
    train_clear(memory->train, pool);
    graph_clear(memory->graph);
    heatmap_clear(memory->heads.shown);
    heatmap_clear(memory->heads.next);
    cell_fades_release(&memory->cells);
    text_out_release(&memory->copy);
    if (memory->wqk.before_plain.text != NULL)
        session_release(&memory->wqk.before_plain);
    steps_release(&memory->steps);
}

void view_memory_clear(ViewMemory *memory, const JobPool *pool) {
    release_parts(memory, pool);
    memset(memory->owned, 0, sizeof *memory->owned);
    point_to(memory, memory->owned);
}

/* Don't clear the memory before it is freed: clearing would write to all of it, and most was never
 * used. */
void view_memory_release(ViewMemory *memory, const JobPool *pool) {
    release_parts(memory, pool);
    free(memory->owned);
}
