/* results.h: everything derived from a Session: tokens, X, weights, every intermediate, statistics.
 * Only what a change reaches is computed again. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_RESULTS_H
#define HEADLIGHT_RESULTS_RESULTS_H

#include "base/job.h"
#include "document/session.h"
#include "model/analysis/stats.h"
#include "model/attention/backward.h"
#include "model/attention/embedding.h"
#include "results/labels.h"

#define RESULTS_LAYERS_MAX 2
#define RANK_UNKNOWN       (-1) /* too large to find within a frame, or not to be found */

#define FORM_UNCHECKED (-1)

/* The gradients of L = Σ G∘Y for one layer; all absent, rows == 0, until results_gradient has made
 * them. */
typedef struct GradientResults {
    Mat G; /* (T, D): N(0, 1), drawn from the session's seed */
    AttnParams params;
    AttnBack back;
    Mat W_QK_offset; /* as LayerResults.W_QK_offset, where that has been made first */
} GradientResults;

/* What a layer's heads say in numbers. */
typedef struct LayerFigures {
    HeadStats stats[OPTION_HEADS_MAX]; /* of the form in use */
    /* The largest |ΔA| and |ΔS| over all heads from the form that is checked; NaN before
     * results_check.
     */
    float form_difference_A, form_difference_S;
} LayerFigures;

/* One layer: the session's scheme, or the one set beside it. results_check computes another form
 * from the same weights, separate, or merged if separate is in use: their difference is a
 * measurement. Only those two have a trace. */
typedef struct LayerResults {
    int scheme;      /* row of SCHEMES: the one it goes by */
    SchemePlan plan; /* what it was drawn by */
    bool has_given;  /* some of its parameters are the session's weights and not drawn */
    AttnParams params;
    AttnShape shape[FORM_COUNT];
    AttnTrace trace[FORM_COUNT];
    bool has_trace[FORM_COUNT];
    int checked; /* the form that the one in use is compared with; FORM_UNCHECKED where there is
                    none:     in free, whose weights no other form has, in merged and separate with
                    rope, which     are then computed alike, and where it would take too much memory
                  */
    LayerFigures figures;
    bool must_agree; /* whether the two are the same but for rounding: not in rank:R below d_k */
    Mat W_QK_offset; /* ((2T-1)*H*E, E) once results_offset_family has made it; else rows == 0 */
    GradientResults gradient;         /* of the form in use */
    GradientResults checked_gradient; /* of the one that is checked; made by a wish alone */
    uint64_t weights_version;         /* grows whenever params were filled anew */
} LayerResults;

typedef struct ResultsCache ResultsCache;
typedef struct ProductAnalysis ProductAnalysis;
typedef struct ComparisonResults ComparisonResults;

typedef struct Results {
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
    LayerResults layers[RESULTS_LAYERS_MAX];
    uint64_t revision; /* from 1 up, so that 0 is none; grows whenever anything here changed */
    ResultsCache *cache;
    ProductAnalysis *merge; /* NULL before the first results_product; see product_analysis.h */
    ComparisonResults *comparison; /* NULL before the first results_compare; see comparison.h */
} Results;

typedef struct ResultsLimits {
    int tokens_max; /* a longer text is cut there; token_total says how long it was */
} ResultsLimits;

/* What was loaded for the Results; borrowed. */
typedef struct ResultsResources {
    const WordVectors *words; /* NULL where there are none */
    TextResources text;
} ResultsResources;

bool results_init(Results *run, Err *err);
void results_release(Results *run);

/* Another Results with the same parts, to be brought up to date elsewhere: parts are shared and
 * counted, and what is made for one Results leaves those of the other as they are. Sharing and
 * releasing belong to the thread that owns the session. */
bool results_share(Results *out, const Results *run, Err *err);

/* Bring run up to date. resources may be NULL: then there are none. Returns run->valid. */
bool results_update(Results *run, const Session *session, const ResultsResources *resources,
                    ResultsLimits limits);

/* The same in three steps, so that the long one can be a job: results_begin and results_end belong
 * to the thread that owns the session. results_make may run in any thread, if no other uses this
 * Results. If the job is to stop, results_make ends soon and leaves a Results that is not
 * valid. */
void results_begin(Results *run, const Session *session, const ResultsResources *resources,
                   ResultsLimits limits);
bool results_make(Results *run, const Job *job);
void results_end(Results *run);

/* Whether a Results made from one session is one made from the other: they differ in nothing, or in
 * the chosen head and the pin. */
bool results_same(const Session *a, const Session *b);

/* What the Results was made from, or NULL where it was made from nothing yet. */
const Session *results_session(const Results *run);

/* Make layers[layer].W_QK_offset, which is large and so made on request alone, where the form is
 * merged and positions are rope; elsewhere there is nothing to do. It lasts until the next update.
 * Fails where it takes too much memory. */
bool results_offset_family(Results *run, int layer, Err *err);

/* Make layers[layer].gradient by a backward pass, which is run on request alone, and that of
 * W_QK_offset where the layer has it. It lasts until the next update, and is not made twice; memory
 * and G are kept from one update to the next. run must be valid and have a token. Fails where it
 * takes too much memory. */
bool results_gradient(Results *run, int layer, Err *err);

/* Make what follows the picture, if it is missing: the rank of every head's W_QK, the trace of the
 * form that a layer checks, and the figures of their difference. They last until the next update.
 * run must be valid and have a token. Fails for want of memory. */
bool results_check(Results *run, int layer, Err *err);

/* Return the rank of W_QK in the form in use. RANK_UNKNOWN before results_check, or if the rank
 * takes too long or cannot be found. */
int results_rank(const Results *run, int layer, int head);

/* The layer's trace in the form in use, and S and A (T, T) of one of its heads. */
static inline const AttnTrace *results_trace(const Results *run, int layer) {
    return &run->layers[layer].trace[run->form];
}

static inline Mat results_scores(const Results *run, int layer, int head) {
    return attn_head_scores(&results_trace(run, layer)->S, &run->layers[layer].shape[run->form],
                            head);
}

static inline Mat results_weights(const Results *run, int layer, int head) {
    return attn_head_scores(&results_trace(run, layer)->A, &run->layers[layer].shape[run->form],
                            head);
}

/* The largest weight over all layers and heads, of finite ones. */
float run_largest_A(const Results *run);

/* The bytes of token i: not ended by NUL, and not UTF-8 where it is a part of a character. */
static inline const char *results_token(const Results *run, int i) {
    return run->text->bytes + run->tokens[i].at;
}

#endif
