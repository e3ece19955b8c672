/* heatmap.h: the matrices of the Heads view: weights, scores or gradients, or their difference from
 * another head or another form; each with its colour scale and in the chosen order of tokens.
 * Cached until an input changes. T tokens, H heads. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEATMAP_H
#define HEADLIGHT_VIEWS_SHARED_HEATMAP_H

#include <assert.h>

#include "draw/palette.h"
#include "draw/part.h"
#include "model/analysis/head_pattern.h"
#include "views/view.h"

/* Rows of the registry SHOWS in this order. */
typedef enum Show {
    SHOW_WEIGHTS,
    SHOW_SCORES,
    SHOW_MASKED,
    SHOW_GRADIENT_A,
    SHOW_GRADIENT_S,
    SHOW_COUNT
} Show;

/* Rows of the registry MINUSES in this order. */
typedef enum Minus { MINUS_NONE, MINUS_HEAD, MINUS_FORM, MINUS_COUNT } Minus;

extern const Registry SHOWS, MINUSES;

static inline bool show_is_gradient(int show) {
    return show == SHOW_GRADIENT_A || show == SHOW_GRADIENT_S;
}

/* The id of a tile, which is one matrix of a layer: a head from 0, or one of these summaries. */
enum { TILE_MEAN = -1, TILE_ROLLOUT = -2, TILE_MASK = -3 };
#define TILES_MAX (OPTION_HEADS_MAX + 3)

typedef struct HeatmapTile {
    int id;
    /* (T, T) in the chosen order; closed pairs are DRAW_CELL_MASKED. No rows for the mask. */
    Mat values;
    bool is_signed;
    /* Upper end of the colour scale; the lower end is -hi, or 0 if values are not signed. */
    float hi;
} HeatmapTile;

typedef struct HeatmapLayer {
    int count;
    HeatmapTile tile[TILES_MAX];
} HeatmapLayer;

typedef struct Heatmap {
    char why[400];   /* why nothing can be shown; "" if something can */
    char name[64];   /* name of the shown quantity, as prose: "Weights A − head 2" */
    bool is_plain;   /* true for weights from which nothing is subtracted */
    uint64_t serial; /* increases with every change */
    int layers;
    HeatmapLayer layer[RESULTS_LAYERS_MAX];
    /* For each layer of the Results, the number of layers that its rollout covers. */
    int rolled[RESULTS_LAYERS_MAX];
    bool is_zero; /* true if every entry is 0 */
    /* Four permutations (T): the token at each place, for queries and for keys, and the place of
     * each token, for queries and for keys. */
    const int *query_at, *key_at, *query_place, *key_place;
    HeadPattern *roles; /* (layers*H): each head's pattern */
    double *rank;       /* (layers*H): effective rank of A; NaN if it would take too long */
    Err rank_err;       /* why ranks could not be computed; kind ERR_NONE if they could */
} Heatmap;

/* Return a head's matrix (T, T) before ordering, masking and subtraction. Gradients must have been
 * computed. Borrowed from the Results. */
Mat heatmap_head(const Results *run, int layer, int head, int show);

/* Update the cached heatmaps. While the context waits for a job, return the earlier ones. Never
 * NULL; if nothing can be shown, `why` says so. */
const Heatmap *heatmap_update(const ViewContext *context);

/* Set the settings on which the heatmaps depend to the values with which `shown` was computed. */
void heatmap_settings(Settings *settings, const ViewContext *context, const Heatmap *shown);

/* The hooks with which a job computes the heatmaps. */
extern const ViewMaking SHOWN_MAKING;

#define PAIR_TOKENS_MAX 256 /* maximum number of tokens of each of the two sentences */

enum { PAIR_FIRST, PAIR_SECOND, PAIR_DIFFERENCE, PAIR_COUNT };

/* The chosen head's matrix for the text and for a second sentence, both read by the same layer, and
 * their difference. Tokens that both sentences have are at the same place in all three. */
typedef struct SentencePair {
    char why[400]; /* why nothing can be compared; "" if it can be */
    bool is_begun; /* true between sentence_pair_begin and sentence_pair_end */
    Results run;   /* the Results of the second sentence */
    Arena arena;
    /* Number of rows and columns: the tokens of both sentences, with common tokens counted once. */
    int count;
    int *at[PAIR_DIFFERENCE]; /* (count): for each sentence, its token at each place, or -1 */
    /* (count, count): DRAW_CELL_MASKED where a sentence lacks a token, or where a pair is closed.
     * The difference is the second matrix minus the first. */
    Mat values[PAIR_COUNT];
    /* True if the values of the sentences may be negative; their difference always may. */
    bool is_signed;
    float hi[PAIR_COUNT]; /* end of each colour scale; it is the same for both sentences */
} SentencePair;

/* Compare in three steps. The first and the last run in the thread that owns the session, the
 * second in any thread. sentence_pair_make fails if the job (may be NULL) was cancelled. */
void sentence_pair_begin(SentencePair *pair, const ViewContext *context);
bool sentence_pair_make(SentencePair *pair, const ViewContext *context, const Job *job);
void sentence_pair_end(SentencePair *pair);
void sentence_pair_release(SentencePair *pair);

/* Return the comparison with a second sentence that was computed together with the heatmaps on
 * screen. */
const SentencePair *heatmap_pair(const ViewContext *context);

/* Return the heatmaps if they belong to the current Results, otherwise NULL. */
const Heatmap *heatmap_newest(const ViewContext *context);
void heatmap_clear(HeatmapCache *cache);

/* The visible part of a tile: the values in the rows and columns of a HeatmapWindow, to be drawn on
 * a scale from lo to hi. If pool > 1, each value is the one of largest magnitude in a block of
 * pool × pool cells. Borrowed until the next heatmap_begin. */
typedef struct HeatmapPart {
    Mat values;
    float lo, hi;
} HeatmapPart;

typedef struct HeatmapWindow {
    int pool, first_row, first_col, rows, cols;
} HeatmapWindow;

/* Prepare the parts of a layer's tiles for this frame. Call before heatmap_part. Return false if
 * memory runs out. */
bool heatmap_begin(const ViewContext *context, int layer, const HeatmapWindow *window);
HeatmapPart heatmap_part(const ViewContext *context, int layer, int index,
                         const HeatmapWindow *window);

/* Draw the colour scale of a tile; marked and size as in ui/scale_bar.h. */
void heatmap_scale(const ViewContext *context, Rect rect, const HeatmapTile *tile, float marked,
                   float size);

/* Return a tile as the numbers of a part of the picture (draw/part.h), with the tokens in the
 * chosen order. */
static inline NamedMatrix heatmap_numbers(const Heatmap *shown, const HeatmapTile *tile) {
    const Mat *m = &tile->values;
    return (NamedMatrix){shown->name, m->at, m->rows,         m->cols,      m->stride,
                         true,        true,  shown->query_at, shown->key_at};
}

/* Return the value of a pair of tokens in the tile. */
static inline float heatmap_value(const Heatmap *shown, int layer, int tile, int query, int key) {
    const Mat *values = &shown->layer[layer].tile[tile].values;
    assert(query >= 0 && query < values->rows && key >= 0 && key < values->cols);
    return mat_row(values, shown->query_place[query])[shown->key_place[key]];
}

#endif
