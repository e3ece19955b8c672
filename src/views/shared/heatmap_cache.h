/* heatmap_cache.h: the cached data behind heatmap.h. Only for heatmap*.c. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEATMAP_CACHE_H
#define HEADLIGHT_VIEWS_SHARED_HEATMAP_CACHE_H

#include "model/analysis/percentile.h"
#include "results/study_plan.h"
#include "views/shared/heatmap.h"

/* All inputs on which the heatmaps' values depend. */
typedef struct HeatmapKey {
    uint64_t revision;
    HeatmapSettings chosen;
    int depth; /* number of layers of the rollout */
    /* The chosen head if the data depend on it: because of a second sentence, the order of tokens,
     * or ranks computed for this head only. Otherwise 0. */
    int head;
    OptionPair pin;
} HeatmapKey;

typedef struct PoolKey {
    uint64_t serial;
    int pool, warp;
} PoolKey;

typedef struct RankedToken {
    double weight;
    int token;
} RankedToken;

struct HeatmapCache {
    Heatmap shown;
    HeatmapKey key;
    SentencePair pair;
    /* for each layer of the Results, the stack of its rollout */
    LayerStack stack[RESULTS_LAYERS_MAX];
    Arena values;
    bool is_copied;               /* true if the values of all heads are copies in the arena */
    double weight[2][TOKENS_MAX]; /* the weights by which queries, and keys, are ordered */
    RankedToken ranked[TOKENS_MAX];
    int at[2][TOKENS_MAX], place[2][TOKENS_MAX]; /* see Heatmap */
    uint32_t counters[PERCENTILE_SCRATCH];
    HeadPattern roles[RESULTS_LAYERS_MAX * OPTION_HEADS_MAX];
    double rank[RESULTS_LAYERS_MAX * OPTION_HEADS_MAX];
    uint64_t facts_revision; /* revision of the Results that the patterns and ranks belong to */
    Arena facts;             /* scratch memory for the patterns */
    Arena pooled[RESULTS_LAYERS_MAX];
    PoolKey pool_key[RESULTS_LAYERS_MAX];
    Mat pool[RESULTS_LAYERS_MAX][TILES_MAX];
};

/* Find each head's pattern and rank if they are not known yet. Return false if the job was
 * cancelled or memory ran out. */
bool heatmap_facts(const ViewContext *context, HeatmapCache *cache, const Job *job, Err *err);

bool heatmap_ranks_one(int T, int heads);

/* Copy the patterns and ranks from another cache, if it has found them for the same Results. */
void heatmap_facts_copy(HeatmapCache *cache, const HeatmapCache *from, const ViewContext *context);

/* Compute the chosen order of the tokens for queries and for keys. */
void heatmap_order(const ViewContext *context, HeatmapCache *cache);

/* Set the colour scale of each tile, or the one that all tiles share. */
void heatmap_scales(const ViewContext *context, HeatmapCache *cache);

#endif
