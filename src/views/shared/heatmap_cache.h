/* heatmap_cache.h: what heatmap.h keeps; for the files shown*.c alone. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEATMAP_CACHE_H
#define HEADLIGHT_VIEWS_SHARED_HEATMAP_CACHE_H

#include "results/layer_stack.h"
#include "views/shared/heatmap.h"

/* All that the values follow from. Cleared before it is filled, to be compared by its bytes. */
typedef struct HeatmapKey {
    uint64_t revision, kept;
    OptionChoice minus;
    int show, own_scale, order, summary, mask_shown;
    int depth; /* of the stack that a rollout goes through */
    int head;  /* where order or facts go by the chosen one, else 0 */
    OptionPair pin;
    float clamp;
} HeatmapKey;

typedef struct PoolKey {
    uint64_t serial;
    int pool, warp;
} PoolKey;

struct HeatmapCache {
    Heatmap shown;
    HeatmapKey key;
    Snapshot *kept;                       /* what is taken off; borrowed while it is made */
    LayerStack stack[RESULTS_LAYERS_MAX]; /* of each wall, for its rollout */
    Arena values;
    bool is_copied; /* the heads' values are in the arena, all of them */
    Arena order, counters, facts;
    uint64_t facts_revision; /* that the facts are of */
    Arena parts[RESULTS_LAYERS_MAX], pooled[RESULTS_LAYERS_MAX];
    PoolKey pool_key[RESULTS_LAYERS_MAX];
    Mat pool[RESULTS_LAYERS_MAX][TILES_MAX];
};

/* What each head does, where that is not known yet; false also once the watch says to stop. */
bool heatmap_facts(const ViewContext *context, HeatmapCache *cache, JobWatch *watch, Err *err);

/* Whether the effective rank of every head is found, or that of the chosen one alone, where all
 * walls together have so many. */
bool heatmap_ranks_all(int T, int heads);
bool heatmap_ranks_one(int T, int heads);

/* Take over what another has found out already about that Results. */
void heatmap_facts_copy(HeatmapCache *cache, const HeatmapCache *from, const ViewContext *context);

/* The order of tokens along both sides. */
bool heatmap_order(const ViewContext *context, HeatmapCache *cache, Err *err);

/* One tile's scale, or all tiles'. */
bool heatmap_scales(const ViewContext *context, HeatmapCache *cache, Err *err);

#endif
