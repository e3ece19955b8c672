/* results.h: everything that follows from a Session: tokens, X, weights, every intermediate,
 * statistics. An update computes only the parts whose inputs changed. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_RESULTS_H
#define HEADLIGHT_RESULTS_RESULTS_H

#include "base/job.h"
#include "document/session.h"
#include "model/analysis/head_pattern.h"
#include "model/analysis/stats.h"
#include "model/attention/backward.h"
#include "model/attention/embedding.h"

#define RESULTS_LAYERS_MAX 2
#define RANK_UNKNOWN       (-1)

#define FORM_UNCHECKED (-1)

/* A token as text: valid UTF-8, not ended by NUL; see token_display. */
typedef struct TokenLabel {
    /* In the text if the label equals the token, otherwise in an arena. */
    const char *bytes;
    size_t size;
} TokenLabel;

/* The gradients of L = Σ G∘Y for one layer. rows == 0 before results_gradient. */
typedef struct GradientResults {
    Mat G; /* (T, D): N(0, 1), sampled with the session's seed */
    AttnParams params;
    AttnBack back;
    Mat W_QK_offset; /* of LayerResults.W_QK_offset, if that was computed first */
} GradientResults;

typedef struct LayerFigures {
    HeadStats stats[OPTION_HEADS_MAX]; /* of the form in use */
    /* Largest |ΔA| and |ΔS| of all heads between the form in use and the checked form; NaN before
     * results_check. */
    float form_difference_A, form_difference_S;
    /* Largest weight of all heads at temperature 1 without a mask; 0 if A itself has temperature 1
     * and no mask, so that A contains this weight. */
    float sharpest;
} LayerFigures;

/* A layer of a Results: the first has the session's scheme, the second, if any, the scheme to
 * compare with. Only two forms have a trace: the form in use and, after results_check, the form
 * `checked`, computed from the same weights. */
typedef struct LayerResults {
    int scheme;      /* row of SCHEMES */
    SchemePlan plan; /* the plan by which the parameters were sampled */
    /* true if some parameters come from the session's weights */
    bool has_given;
    AttnParams params;
    AttnShape shape[FORM_COUNT];
    AttnTrace trace[FORM_COUNT];
    bool has_trace[FORM_COUNT];
    /* The form to check against: separate, or merged if separate is in use. FORM_UNCHECKED in the
     * form free, because no other form has its weights; in merged and separate with RoPE, because
     * both compute the same products; if numbers of W_QK are set by hand, because the other form
     * does not have them; and if the check would take too much memory. */
    int checked;
    LayerFigures figures;
    /* True if the two forms may differ only by rounding; false in rank:R below d_k. */
    bool must_agree;
    /* Merged with RoPE: W_QK (E, E) of each head for each distance i − j from 1 − T to T − 1:
     * ((2T-1)*H*E, E), by distance, then by head. No rows before results_offset_family. */
    Mat W_QK_offset;
    GradientResults gradient;         /* of the form in use */
    GradientResults checked_gradient; /* of the form `checked`; computed on request */
    uint64_t weights_version;         /* grows when params change */
} LayerResults;

/* The words that a model considers most likely after the last token. Each has two probabilities:
 * with the user's edits (numbers set by hand, edited edges) and without them. The list has the
 * words with the largest probability of either kind, sorted by the probability with edits. */
#define NEXT_TOKENS     5
#define NEXT_NAME_BYTES 48
typedef struct NextTokens {
    int count;     /* 0 before results_next_tokens */
    bool is_stale; /* true if an input has changed since the list was computed */
    bool edited;   /* true if edits exist */
    struct NextToken {
        int id;
        /* The word, or its id if the vocabulary is unknown; valid UTF-8. */
        char name[NEXT_NAME_BYTES];
        double logit[2], share[2]; /* [0] with edits, [1] without; share: the probability */
    } at[NEXT_TOKENS];
} NextTokens;

typedef enum LayerOrder {
    LAYER_ORDER_PLACE,
    LAYER_ORDER_PATTERN,
    LAYER_ORDER_ENTROPY,
    LAYER_ORDER_DISTANCE,
    LAYER_ORDER_COUNT
} LayerOrder;
extern const Registry LAYER_ORDERS;

typedef struct LayerMapHead {
    HeadPattern pattern;
    double entropy, distance; /* as in HeadStats */
} LayerMapHead;

/* Every head of every layer, pooled to side × side cells; layers is 0 before results_layer_map.
 * After the heads of a layer come their mean, and the rollout from layer 1 up to this layer. */
typedef struct LayerMap {
    int layers, heads, side;
    Mat at;                        /* (layers*(heads + 2)*side, side) */
    LayerMapHead *figures;         /* layers*heads */
    int *order[LAYER_ORDER_COUNT]; /* owned: layers*heads indices into figures, for each order */
    /* (T, T): rollout up to the layer shown; no rows if mean and rollout were not requested. */
    Mat rollout;
} LayerMap;

typedef struct ResultsCache ResultsCache;
typedef struct ProductAnalysis ProductAnalysis;
typedef struct ComparisonResults ComparisonResults;

typedef struct Results {
    bool valid; /* if false, err says why, and the fields below must not be read */
    Err err;
    int T;           /* number of tokens in use; 0 if the text has none */
    int token_total; /* number of tokens in the whole text; more than T if the text is too long */
    /* The session's text, or the names of X's rows; tokens are ranges of it. */
    const Text *text;
    Token *tokens;            /* T */
    const TokenLabel *labels; /* (T): see token_display */
    EmbedNote *notes;         /* T */
    /* Number of tokens that have a random vector, because their word has none. */
    int missing;
    Mat X; /* (T, D) */
    /* Includes the edges that the session opened or closed. */
    Mask mask;
    /* Number of mask entries that the session's edges changed. */
    long edges_edited;
    /* see results_hand_compare in by_hand.h */
    bool hand_changed_known;
    /* Number of weights in each head that numbers set by hand changed. */
    int hand_changed[OPTION_HEADS_MAX];
    NextTokens next;
    LayerMap map;
    AttnForm form;
    int layer_count;
    LayerResults layers[RESULTS_LAYERS_MAX];
    uint64_t revision; /* grows with every change; from 1 (0 means none) */
    ResultsCache *cache;
    ProductAnalysis *analysis; /* NULL before the first results_product; see product_analysis.h */
    ComparisonResults *comparison; /* NULL before the first results_compare; see comparison.h */
} Results;

typedef struct ResultsLimits {
    /* Limit of tokens; the rest of a longer text is ignored. */
    int tokens_max;
} ResultsLimits;

/* Loaded data that the Results need; borrowed. */
typedef struct ResultsResources {
    const WordVectors *words; /* may be NULL */
    TextResources text;
} ResultsResources;

bool results_init(Results *run, Err *err);
void results_release(Results *run);

/* Fill out with a second Results that shares the parts of run. An update of either leaves the other
 * unchanged. Call this and results_release in the thread that owns the session. */
bool results_share(Results *out, const Results *run, Err *err);

/* Update run to the session. resources may be NULL. Return run->valid. */
bool results_update(Results *run, const Session *session, const ResultsResources *resources,
                    ResultsLimits limits);

/* The three steps of results_update. results_begin and results_end run in the thread that owns the
 * session; results_make may run in any thread while no other thread uses run. If the job (may be
 * NULL) is cancelled, results_make returns between two stages, and run is not valid. */
void results_begin(Results *run, const Session *session, const ResultsResources *resources,
                   ResultsLimits limits);
/* Begin with the resources and limits of another Results. */
void results_begin_like(Results *run, const Results *other, const Session *session);
bool results_make(Results *run, const Job *job);
void results_end(Results *run);

/* True if both sessions have equal Results: they differ at most in the chosen head and the pin. */
bool results_same(const Session *a, const Session *b);

/* Return the session from which run was computed; NULL before the first update. */
const Session *results_session(const Results *run);

/* Compute layers[layer].W_QK_offset, which is large. Only in the form merged with rope. The matrix
 * lasts until the next update. Fails if it takes too much memory. */
bool results_offset_family(Results *run, int layer, Err *err);

/* Compute layers[layer].gradient by a backward pass, unless it exists; also the gradient of
 * W_QK_offset, if the layer has that. The gradients last until the next update. run must be valid
 * and have a token. Fails if they take too much memory. */
bool results_gradient(Results *run, int layer, Err *err);

/* Compute, if missing: the rank of every head's W_QK, the trace of the checked form, and the
 * differences between the two forms. A layer can be drawn without these. They last until the next
 * update. run must be valid and have a token. Fails if memory runs out. */
bool results_check(Results *run, int layer, Err *err);

/* Return the rank of W_QK in the form in use; RANK_UNKNOWN before results_check, in the form free,
 * if computing the rank would delay a frame, or if a weight is not finite. */
int results_rank(const Results *run, int layer, int head);

/* Return the layer's trace in the form in use. The two functions below return a head's S and A (T,
 * T). */
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

/* Return the largest finite weight over all layers and heads, also counting the weights at
 * temperature 1 without a mask, so that a colour scale that ends there does not change with
 * temperature and mask. */
float run_largest_A(const Results *run);

/* Return the bytes of token i, not ended by NUL; not valid UTF-8 if the token is part of a
 * character. */
static inline const char *results_token(const Results *run, int i) {
    return run->text->bytes + run->tokens[i].at;
}

/* Fill word[T]: for each token, the index of the first token with the same bytes. */
void results_words(int *word, const Results *run);

/* Return the bytes of token i; if it has none, or they are not valid UTF-8, return its label. */
TokenLabel results_token_text(const Results *run, int i);

/* Add the position codes to x, whose first row is at position `first`. If the weights contain
 * learned positions, these are used. */
void results_add_positions(Mat *x, int first, const Session *session);

#endif
