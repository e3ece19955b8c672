/* run_layer.h: the stages of a Run that belong to one layer, from its weights to its statistics,
 * and what each of all stages remembers. For this folder; for everyone else run.h is the Run. */
#ifndef HEADLIGHT_SESSION_RUN_LAYER_H
#define HEADLIGHT_SESSION_RUN_LAYER_H

#include "session/change.h"
#include "session/run.h"
#include "session/trace_room.h"

/* Each stage remembers what it was computed from; the next stage asks whether it changed. */
typedef struct LayerCache {
    Arena params_arena, offset_arena;
    TraceRoom room;
    bool finite;             /* all values V, without which no part can be computed alone */
    uint64_t pass;           /* the pass of the Run that the traces are of */
    AttnShape drawn, traced; /* the shapes that parameters and traces were made for */
    SchemePlan plan;         /* what the parameters were drawn by */
    bool has_params, has_trace, has_figures;
    RunFigures figures;
    int rank[OPTION_HEADS_MAX]; /* of W_Q·W_Kᵀ, or RUN_RANK_UNKNOWN; see run_rank */
} LayerCache;

/* What of the Run a change from one session to another reaches; all of its tokens, X or mask where
 * that is not for another text alone. */
typedef struct Reach {
    bool weights, all_tokens, tokens, all_x, x, all_mask, mask, layers;
} Reach;

struct RunCache {
    Arena tokens_arena, labels_arena, position_arena, change_arena;
    Arena x_arena[2], mask_arena[2]; /* in turn, so that the one before can be compared */
    int x_turn, mask_turn;
    int x_room;    /* rows that X has room for where it is; one more is for what is compared */
    Mat positions; /* (T or more, D): what is added to X */
    int positions_kind;
    uint64_t positions_seed, pass;
    uint64_t inputs; /* the last pass in which a row of X became another */
    Session session; /* what the Run was computed from; text NULL at first */
    Session next;    /* what it is being computed from, between run_begin and run_end */
    Reach reach;     /* of the change from the one to the other */
    RunLimits limits;
    RunResources resources;
    JobWatch *watch; /* during run_make, or NULL */
    LayerCache layers[RUN_LAYERS_MAX];
};

/* What the Run is made of, or from run_begin to run_end is being made of. */
static inline const Session *run_source(const Run *run) {
    const RunCache *cache = run->cache;
    return cache->next.text != NULL ? &cache->next : &cache->session;
}

/* Bring tokens, X and mask up to date, as far as cache->reach says; *known gets what is known of
 * their difference from before without comparing them, and cache->change_arena has room for
 * change_find. On failure run->err says why. */
bool run_input_update(Run *run, const Session *session, const RunResources *resources,
                      RunLimits limits, RunKnown *known);

/* Bring a layer up to date with run->X and run->mask, of which change says what is another since
 * the pass before. On failure run->err says why. */
bool run_layer_update(Run *run, int index, const Session *session, const RunChange *change);

/* What the rows of X are made from, positions aside; borrowed from run. Not where they are given.
 */
EmbedInput run_embed_input(const Run *run, const Options *options, const WordVectors *words);

/* False, with the reason that a job was told to stop. */
bool run_stopped(Run *run);

/* Whether the layer's parameters stay where the Run is brought up to date with that session. */
bool run_layer_keeps(const Run *run, int index, const Session *session);

/* About how many steps that is for T tokens. */
double run_layer_steps(const Run *run, int index, const Session *session, int T);

/* The form to compare with the one of that shape, or RUN_UNCHECKED. */
int run_form_to_check(const AttnShape *shape);

#endif
