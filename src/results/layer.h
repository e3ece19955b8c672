/* layer.h: the stages of a Results that belong to one layer, from its weights to its statistics,
 * and what each of all stages remembers. For this folder; for everyone else results.h is the
 * Results. */
#ifndef HEADLIGHT_RESULTS_LAYER_H
#define HEADLIGHT_RESULTS_LAYER_H

#include "base/part.h"
#include "results/gradient.h"

/* Each stage remembers what it was computed from; the next stage asks whether it changed. */
typedef struct LayerCache {
    Part *params, *offset;
    Part *fold[GRADIENT_COUNT], *trace[GRADIENT_COUNT], *gradient[GRADIENT_COUNT];
    TransposedWeights transposed[GRADIENT_COUNT];
    AttnShape drawn, traced; /* the shapes that parameters and traces were made for */
    SchemePlan plan;         /* what the parameters were drawn by */
    bool has_params, has_trace;
    uint64_t checked_version; /* the weights_version that the checked form was folded from, or 0 */
    AttnShape checked;        /* its shape then */
    int rank[OPTION_HEADS_MAX]; /* of W_Q·W_Kᵀ, or RANK_UNKNOWN; see results_rank */
} LayerCache;

/* What a change from one session to another makes stale. */
typedef struct Reach {
    bool weights, input, mask, layers; /* input: tokens and X */
} Reach;

struct ResultsCache {
    Part *tokens, *labels, *x, *mask, *G;
    Mat of_G;        /* (T, D), of all layers; absent at first */
    uint64_t G_seed; /* that it was drawn from */
    uint64_t pass;   /* counts the passes of the layers */
    uint64_t inputs; /* the last pass with another X */
    Session session; /* what the Results was computed from; text NULL at first */
    Session next;    /* what it is being computed from, between results_begin and results_end */
    Reach reach;     /* of the change from the one to the other */
    ResultsLimits limits;
    ResultsResources resources;
    const Job *job; /* that makes the Results, or NULL */
    LayerCache layers[RESULTS_LAYERS_MAX];
};

/* What the Results is made of, or from results_begin to results_end is being made of. */
static inline const Session *results_source(const Results *run) {
    const ResultsCache *cache = run->cache;
    return cache->next.text != NULL ? &cache->next : &cache->session;
}

/* Bring tokens, X and mask up to date, as far as cache->reach says. On failure run->err says why.
 */
bool results_input_update(Results *run, const Session *session, const ResultsResources *resources,
                          ResultsLimits limits);

/* Bring a layer up to date with run->X and run->mask. On failure run->err says why. */
bool results_layer_update(Results *run, int index, const Session *session);

/* What the rows of X are made from, positions aside; borrowed from run. Not where they are given.
 */
EmbedInput results_embed_input(const Results *run, const Options *options,
                               const WordVectors *words);

/* False, with the reason that a job was told to stop. */
bool results_stopped(Results *run);

/* The form to compare with the one of that shape, or FORM_UNCHECKED. */
int results_form_to_check(const AttnShape *shape);

#endif
