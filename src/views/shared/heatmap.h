/* heatmap.h: what the matrices of the wall show: weights, scores or gradients, or how these differ
 * from a head's, another form's or those that were kept, each
 * with the scale that it is coloured by, in the order of tokens that is chosen. Kept until what it
 * comes from changes. T tokens, H heads. */
#ifndef HEADLIGHT_VIEWS_SHARED_HEATMAP_H
#define HEADLIGHT_VIEWS_SHARED_HEATMAP_H

#include <assert.h>

#include "draw/warp.h"
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
typedef enum Minus { MINUS_NONE, MINUS_HEAD, MINUS_FORM, MINUS_SNAPSHOT, MINUS_COUNT } Minus;

extern const Registry SHOWS, MINUSES;

static inline bool show_is_gradient(int show) {
    return show == SHOW_GRADIENT_A || show == SHOW_GRADIENT_S;
}

/* A matrix of the wall: a head from 0, or one of these. */
enum { TILE_MEAN = -1, TILE_ROLLOUT = -2, TILE_MASK = -3 };
#define TILES_MAX (OPTION_HEADS_MAX + 3)

typedef struct HeatmapTile {
    int id;
    Mat values; /* (T, T), rows and columns in order; closed pairs are DRAW_CELL_MASKED. A mask has
                   none */
    bool is_signed;
    float hi; /* the scale's end; its other end is -hi, or 0 where it is not signed */
} HeatmapTile;

typedef struct HeatmapLayer {
    int count;
    HeatmapTile tile[TILES_MAX];
} HeatmapLayer;

typedef struct Heatmap {
    char why[400];   /* why there is nothing to show; "" where there is */
    char name[64];   /* what its scale is called, as prose: "Weights A − head 2" */
    bool is_plain;   /* weights as they are */
    uint64_t serial; /* grows whenever anything here changed */
    int layers;
    HeatmapLayer layer[RESULTS_LAYERS_MAX];
    int rolled[RESULTS_LAYERS_MAX]; /* layers that the rollout goes through */
    bool is_zero;                   /* every entry is 0 */
    /* The token at a place along a side, and the place of a token: (T) each, queries and keys. */
    const int *query_at, *key_at, *query_place, *key_place;
    HeadPattern *roles; /* (layers*H): what each head mostly does */
    double *rank; /* (layers*H): effective rank of A; not a number where it would take too long */
} Heatmap;

/* A head of what is shown, (T, T), before order, mask and what is taken off it; gradients have to
 * be there. Borrowed from the Results. */
Mat heatmap_head(const Results *run, int layer, int head, int show);

/* Bring the memory's up to date; where the context waits it is what was made before. Never NULL:
 * why says what went wrong. */
const Heatmap *heatmap_update(const ViewContext *context);

/* Bring the settings that shown follows from to what it was made by. */
void heatmap_settings(Settings *settings, const ViewContext *context, const Heatmap *shown);

/* The same as a job. */
extern const ViewMaking SHOWN_MAKING;

/* What was made for this Results already, or NULL. */
const Heatmap *heatmap_newest(const ViewContext *context);
void heatmap_release(HeatmapCache *cache);

/* The part of a tile that is to be seen: rows and columns first..first+count-1 as values to draw
 * between lo and hi. pool > 1: every value is the one of largest magnitude of pool × pool, and
 * first and count are of these. Borrowed until the next call of heatmap_begin. Cells on their way
 * to new colours are where they have got to. */
typedef struct HeatmapPart {
    Mat values;
    float lo, hi;
} HeatmapPart;

typedef struct HeatmapWindow {
    int pool, first_row, first_col, rows, cols;
} HeatmapWindow;

/* Room for the parts of a layer's tiles in this pass; false where memory ran out. */
bool heatmap_begin(const ViewContext *context, int layer, const HeatmapWindow *window);
HeatmapPart heatmap_part(const ViewContext *context, int layer, int index,
                         const HeatmapWindow *window);

/* Draw the scale that a tile is coloured by; marked and size as in ui/scale_bar.h. */
void heatmap_scale(const ViewContext *context, Rect rect, const HeatmapTile *tile, float marked,
                   float size);

/* The value of a pair of tokens. */
static inline float heatmap_value(const Heatmap *shown, int layer, int tile, int query, int key) {
    const Mat *values = &shown->layer[layer].tile[tile].values;
    assert(query >= 0 && query < values->rows && key >= 0 && key < values->cols);
    return mat_row(values, shown->query_place[query])[shown->key_place[key]];
}

#endif
