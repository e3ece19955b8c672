/* run.h: everything derived from a Session: tokens, X, weights, every intermediate, statistics.
 * Only what a change reaches is computed again. No I/O, no clock. */
#ifndef HEADLIGHT_SESSION_RUN_H
#define HEADLIGHT_SESSION_RUN_H

#include "model/attention.h"
#include "model/embedding.h"
#include "model/stats.h"
#include "session/labels.h"
#include "session/session.h"

#define RUN_LAYERS_MAX   2
#define RUN_RANK_UNKNOWN (-1) /* not asked for, or too large to find within a frame */

/* One layer: the session's scheme, or the one set beside it. Both forms are computed, so that
 * their difference is a measurement; where the form that is not shown would take too much memory
 * it has no trace, and the differences are not numbers. */
typedef struct RunLayer {
    int scheme;      /* row of SCHEMES: the one it goes by */
    SchemePlan plan; /* what it was drawn by */
    AttnParams params;
    AttnShape shape[FORM_COUNT];
    AttnTrace trace[FORM_COUNT];
    bool has_trace[FORM_COUNT];
    HeadStats stats[OPTION_HEADS_MAX];          /* of the form in use */
    int rank[OPTION_HEADS_MAX];                 /* of W_QK, by SVD */
    float form_difference_A, form_difference_S; /* largest |separate − merged| over all heads */
} RunLayer;

typedef struct RunCache RunCache;

typedef struct Run {
    bool valid;               /* false: see err; what is below is then not to be used */
    Err err;                  /* why the session as it stands cannot be computed */
    int T;                    /* tokens in use; 0 for a text without any */
    int token_total;          /* tokens in the text, more than T where it was too long */
    const Text *text;         /* what the tokens are ranges of; shared with the session */
    Token *tokens;            /* T */
    const TokenLabel *labels; /* T: what is shown for each */
    EmbedNote *notes;         /* T */
    int missing;              /* how many tokens have no vector and were drawn */
    Mat X;                    /* (T, D) */
    Mask mask;
    AttnForm form;
    int layer_count;
    RunLayer layers[RUN_LAYERS_MAX];
    float largest_A;   /* over all layers and heads, finite ones */
    uint64_t revision; /* grows whenever anything here changed */
    RunCache *cache;
} Run;

typedef struct RunLimits {
    int tokens_max; /* a longer text is cut there; token_total says how long it was */
} RunLimits;

/* What was loaded for the Run; borrowed. */
typedef struct RunResources {
    const WordVectors *words; /* NULL where there are none */
    TextResources text;
} RunResources;

bool run_init(Run *run, Err *err);
void run_release(Run *run);

/* Bring run up to date. resources may be NULL: then there are none. Returns run->valid. */
bool run_update(Run *run, const Session *session, const RunResources *resources, RunLimits limits);

/* The layer's trace in the form in use. */
static inline const AttnTrace *run_trace(const Run *run, int layer) {
    return &run->layers[layer].trace[run->form];
}

/* The bytes of token i: not ended by NUL, and not UTF-8 where it is a part of a character. */
static inline const char *run_token(const Run *run, int i) {
    return run->text->bytes + run->tokens[i].at;
}

#endif
