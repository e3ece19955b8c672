/* shown_cache.h: what shown.h keeps; for the files shown*.c alone. */
#ifndef HEADLIGHT_VIEWS_SHOWN_CACHE_H
#define HEADLIGHT_VIEWS_SHOWN_CACHE_H

#include "session/run_stack.h"
#include "views/shown.h"

/* All that the values follow from. Cleared before it is filled, to be compared by its bytes. */
typedef struct ShownKey {
    uint64_t revision, kept;
    OptionChoice minus;
    int show, own_scale, order, summary, mask_shown;
    int depth; /* of the stack that a rollout goes through */
    int head;  /* where order or facts go by the chosen one, else 0 */
    OptionPair pin;
    float clamp;
} ShownKey;

typedef struct PoolKey {
    uint64_t serial;
    int pool, warp;
} PoolKey;

struct ShownCache {
    Shown shown;
    ShownKey key;
    KeptState *kept;                /* what is taken off; borrowed while it is made */
    RunStack stack[RUN_LAYERS_MAX]; /* of each wall, for its rollout */
    Arena values;
    bool is_copied; /* the heads' values are in the arena, all of them */
    Arena order, counters, facts;
    uint64_t facts_revision; /* that the facts are of */
    Arena parts[RUN_LAYERS_MAX], pooled[RUN_LAYERS_MAX];
    PoolKey pool_key[RUN_LAYERS_MAX];
    Mat pool[RUN_LAYERS_MAX][TILES_MAX];
};

/* What each head does, where that is not known yet; false also once the watch says to stop. */
bool shown_facts(const ViewContext *context, ShownCache *cache, JobWatch *watch, Err *err);

/* Whether the effective rank of every head is found, or that of the chosen one alone, where all
 * walls together have so many. */
bool shown_ranks_all(int T, int heads);
bool shown_ranks_one(int T, int heads);

/* Take over what another has found out already about that Run. */
void shown_facts_copy(ShownCache *cache, const ShownCache *from, const ViewContext *context);

/* The order of tokens along both sides. */
bool shown_order(const ViewContext *context, ShownCache *cache, Err *err);

/* One tile's scale, or all tiles'. */
bool shown_scales(const ViewContext *context, ShownCache *cache, Err *err);

#endif
