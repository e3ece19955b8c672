/* run.h: everything derived from a Session: tokens, X, weights, every intermediate, statistics.
 * Only what a change reaches is computed again. No I/O, no clock. */
#ifndef HEADLIGHT_SESSION_RUN_H
#define HEADLIGHT_SESSION_RUN_H

#include "base/job.h"
#include "model/backward.h"
#include "model/embedding.h"
#include "model/stats.h"
#include "session/labels.h"
#include "session/session.h"

#define RUN_LAYERS_MAX   2
#define RUN_RANK_UNKNOWN (-1) /* too large to find within a frame, or not to be found */

#define RUN_UNCHECKED (-1)

/* The gradients of L = Σ G∘Y for one layer; all absent, rows == 0, until run_gradient has made
 * them. */
typedef struct RunGradient {
    Mat G; /* (T, D): N(0, 1), drawn from the session's seed */
    AttnParams params;
    AttnBack back;
    Mat W_QK_offset; /* as RunLayer.W_QK_offset, where that has been made first */
} RunGradient;

/* What a layer's heads say in numbers. */
typedef struct RunFigures {
    HeadStats stats[OPTION_HEADS_MAX]; /* of the form in use */
    /* The largest |ΔA| and |ΔS| over all heads from the form that is checked; NaN before run_check.
     */
    float form_difference_A, form_difference_S;
} RunFigures;

/* One layer: the session's scheme, or the one set beside it. run_check computes another form from
 * the same weights, separate, or merged if separate is in use: their difference is a measurement.
 * Only those two have a trace. */
typedef struct RunLayer {
    int scheme;      /* row of SCHEMES: the one it goes by */
    SchemePlan plan; /* what it was drawn by */
    bool has_given;  /* some of its parameters are the session's weights and not drawn */
    AttnParams params;
    AttnShape shape[FORM_COUNT];
    AttnTrace trace[FORM_COUNT];
    bool has_trace[FORM_COUNT];
    int checked; /* the form that the one in use is compared with; RUN_UNCHECKED where there is
                    none:     in free, whose weights no other form has, in merged and separate with
                    rope, which     are then computed alike, and where it would take too much memory
                  */
    RunFigures figures;
    bool must_agree; /* whether the two are the same but for rounding: not in rank:R below d_k */
    Mat W_QK_offset; /* ((2T-1)*H*E, E) once run_offset_family has made it; else rows == 0 */
    RunGradient gradient;         /* of the form in use */
    RunGradient checked_gradient; /* of the one that is checked; made by a wish alone */
    uint64_t weights_version;     /* grows whenever params were filled anew */
} RunLayer;

typedef struct RunCache RunCache;
typedef struct RunMerge RunMerge;
typedef struct RunLineup RunLineup;

typedef struct Run {
    bool valid;               /* false: see err; what is below is then not to be used */
    Err err;                  /* why the session as it stands cannot be computed */
    int T;                    /* tokens in use; 0 for a text without any */
    int token_total;          /* tokens in the text, more than T where it was too long */
    const Text *text;         /* what the tokens are ranges of: the session's text, or where its
                                 weights have X the names of X's rows */
    Token *tokens;            /* T */
    const TokenLabel *labels; /* T: what is shown for each */
    EmbedNote *notes;         /* T */
    int missing;              /* how many tokens have no vector and were drawn */
    Mat X;                    /* (T, D) */
    Mask mask;                /* with the session's edges in it */
    long edges_edited;        /* entries of the mask that the edges changed */
    AttnForm form;
    int layer_count;
    RunLayer layers[RUN_LAYERS_MAX];
    uint64_t revision; /* from 1 up, so that 0 is none; grows whenever anything here changed */
    RunCache *cache;
    RunMerge *merge;   /* NULL before the first run_merge; see run_merge.h */
    RunLineup *lineup; /* NULL before the first run_lineup; see run_lineup.h */
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

/* Another Run with the same parts, to be brought up to date elsewhere: parts are shared and
 * counted, and what is made for one Run leaves those of the other as they are. Sharing and
 * releasing belong to the thread that owns the session. */
bool run_share(Run *out, const Run *run, Err *err);

/* Bring run up to date. resources may be NULL: then there are none. Returns run->valid. */
bool run_update(Run *run, const Session *session, const RunResources *resources, RunLimits limits);

/* The same in three steps, so that the long one can be a job: run_begin and run_end belong to the
 * thread that owns the session. run_make may run in any thread, if no other uses this Run. If the
 * watch says to stop, run_make ends soon and leaves a Run that is not valid. */
void run_begin(Run *run, const Session *session, const RunResources *resources, RunLimits limits);
bool run_make(Run *run, JobWatch *watch);
void run_end(Run *run);

/* Whether a Run made from one session is one made from the other: they differ in nothing, or in the
 * chosen head and the pin. */
bool run_same(const Session *a, const Session *b);

/* What the Run was made from, or NULL where it was made from nothing yet. */
const Session *run_session(const Run *run);

/* Make layers[layer].W_QK_offset, which is large and so made on request alone, where the form is
 * merged and positions are rope; elsewhere there is nothing to do. It lasts until the next update.
 * Fails where it takes too much memory. */
bool run_offset_family(Run *run, int layer, Err *err);

/* Make layers[layer].gradient by a backward pass, which is run on request alone, and that of
 * W_QK_offset where the layer has it. It lasts until the next update, and is not made twice; memory
 * and G are kept from one update to the next. run must be valid and have a token. Fails where it
 * takes too much memory. */
bool run_gradient(Run *run, int layer, Err *err);

/* Make the trace of the form that a layer checks, and the figures of their difference, if they are
 * missing. They last until the next update. run must be valid and have a token. Fails for want of
 * memory, or if the watch, which may be NULL, says to stop. */
bool run_check(Run *run, int layer, JobWatch *watch, Err *err);

/* The rank of W_QK in the form in use, found when it is asked for, or RUN_RANK_UNKNOWN. */
int run_rank(const Run *run, int layer, int head);

/* The layer's trace in the form in use, and S and A (T, T) of one of its heads. */
static inline const AttnTrace *run_trace(const Run *run, int layer) {
    return &run->layers[layer].trace[run->form];
}

static inline Mat run_scores(const Run *run, int layer, int head) {
    return attn_head_scores(&run_trace(run, layer)->S, &run->layers[layer].shape[run->form], head);
}

static inline Mat run_weights(const Run *run, int layer, int head) {
    return attn_head_scores(&run_trace(run, layer)->A, &run->layers[layer].shape[run->form], head);
}

/* The largest weight over all layers and heads, of finite ones. */
float run_largest_A(const Run *run);

/* The bytes of token i: not ended by NUL, and not UTF-8 where it is a part of a character. */
static inline const char *run_token(const Run *run, int i) {
    return run->text->bytes + run->tokens[i].at;
}

#endif
