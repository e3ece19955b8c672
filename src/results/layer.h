/* layer.h: the stages of a Results that belong to one layer, from its weights to its statistics,
 * and the inputs of each stage. Only for this folder; other folders use results.h. */
#ifndef HEADLIGHT_RESULTS_LAYER_H
#define HEADLIGHT_RESULTS_LAYER_H

#include "results/product_analysis_parts.h"

/* Largest size of one part of a Results, in bytes. */
#define RESULTS_BYTES_MAX ARENA_BYTES_MAX

/* Selects one of a layer's two traces: the form in use, or the form it is checked against. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* What each stage was computed from, to find what is stale. */
typedef struct LayerCache {
    Part *params, *offset;
    Part *fold[GRADIENT_COUNT], *trace[GRADIENT_COUNT], *gradient[GRADIENT_COUNT];
    AttnShape drawn, traced; /* shapes of the parameters and of the traces */
    SchemePlan plan;         /* the plan by which the parameters were sampled */
    bool has_params, has_trace;
    uint64_t checked_version;   /* weights_version from which the checked form was folded, or 0 */
    AttnShape checked;          /* shape of the checked form at that time */
    int rank[OPTION_HEADS_MAX]; /* see results_rank */
} LayerCache;

/* The stages that become stale if one session is replaced by another. */
typedef struct Reach {
    bool weights, params, input, mask, layers; /* input: tokens and X */
    bool plain; /* results without numbers set by hand and without edited edges */
} Reach;

struct ResultsCache {
    Part *tokens, *labels, *x, *mask, *map, *plain;
    /* Logits of the last token without edits, stored in `plain`; or NULL. */
    const float *plain_logits;
    uint64_t pass;   /* number of passes through the layers so far */
    uint64_t inputs; /* value of `pass` when X last changed */
    /* The session of the last update; its text is NULL at first. */
    Session session;
    Session next; /* the new session, between results_begin and results_end */
    Reach reach;  /* from session to next */
    ResultsLimits limits;
    ResultsResources resources;
    const Job *job; /* the job that updates the Results, or NULL */
    LayerCache layers[RESULTS_LAYERS_MAX];
    ProductCache product;
};

/* Return the session of the Results or, between results_begin and results_end, the new one. */
static inline const Session *results_source(const Results *run) {
    const ResultsCache *cache = run->cache;
    return cache->next.text != NULL ? &cache->next : &cache->session;
}

/* Return the labels of tokens[0..count), count > 0, from the vocabulary `own` or, if own is NULL,
 * from the text. Empty the arena first; the labels last as long as the arena and the text. Return
 * NULL and set err if memory runs out. */
TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count,
                        const Vocabulary *own, Err *err);

/* Update the tokens, X and the mask, if cache->reach marks them as stale. On failure run->err says
 * why. */
bool results_input_update(Results *run, const Session *session, const ResultsResources *resources,
                          ResultsLimits limits);

/* Fill ids[T]: the id of each token in the model's vocabulary; -1 for a token that is not in it. */
void results_ids(int *ids, const Results *run);

/* Update a layer; run->X and run->mask must be up to date. On failure run->err says why. */
bool results_layer_update(Results *run, int index, const Session *session);

/* Return the input of the embedding, borrowed from run. Invalid if the session's weights have X. */
EmbedInput results_embed_input(const Results *run, const Options *options,
                               const WordVectors *words);

/* Fill words (T, D), the rows of X without positions, and notes[T]. Invalid if X is given. */
bool results_embed(Mat *words, EmbedNote *notes, const Results *run, const Session *session,
                   Err *err);

/* Set run->err to say that the job was cancelled, and return false. */
bool results_stopped(Results *run);

/* Compute the gradient of one of a layer's two forms, unless it exists. Do nothing if the layer has
 * no checked form. Fails if memory runs out or the part is too large. */
bool results_gradient_make(Results *run, int layer, GradientOf of, Err *err);

#endif
