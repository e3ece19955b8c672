/* settings.h: how the picture is shown. Settings are not part of the layer, but they are keys of
 * the same state string. Each view stores here what the user chose in it; values that need not be
 * saved are in memory.h. To add a setting: add a field here and a row to PICTURE_OPTIONS in
 * settings.c. */
#ifndef HEADLIGHT_VIEWS_SETTINGS_H
#define HEADLIGHT_VIEWS_SETTINGS_H

#include "base/option.h"
#include "document/state.h"
#include "model/attention/attention.h"

typedef struct CompareSettings {
    int part;           /* row of COMPARE_PARTS */
    OptionList schemes; /* rows of SCHEMES: the scheme of each column */
    /* For each matrix, each column's own scheme or -1. */
    OptionList own[ATTN_WEIGHT_COUNT];
    /* Rows of the registries SPREADS, COMPARE_MAPS, …. */
    int spread, maps, measures, matrices, rule;
    /* Row of STUDY_STATS: the measure whose distribution over the seeds is shown; -1 for none. */
    int over;
    int against; /* the reference column, with which the others are compared, from 1 */
    int seeds, layers;
    /* Page "Bank, twice": 0 for W = I, 1 for the layer's weights, or in between. */
    float blend;
    int terms;              /* number of products that the page Why √d_k adds up, at most d_k */
    int colour;             /* row of COMPARE_COLOURS */
    float sigma_q, sigma_k; /* the chosen point of the map; 0 for the scheme in use */
    int bug;                /* number of the question in Spot the bug, from 1 */
} CompareSettings;

typedef struct TrainSettings {
    int step, steps;           /* the step on screen, and the number of steps */
    int task, optimiser, pace; /* rows of TASKS, OPTIMISERS, TRAIN_PACES */
    int data, words;           /* rows of RACE_DATA, RACE_WORDS */
    int batch;                 /* number of sequences per step; RACE_SENTENCE has one */
    int seeds;
    int start;  /* the column whose chosen head is drawn large, from 1 */
    float rate; /* learning rate; 0 for the optimiser's default */
} TrainSettings;

/* Rows of SCALE_RANGES in this order: one scale for all matrices; a scale for each matrix; 0 to 1
 * for weights, one scale for other values. */
typedef enum ScaleRange { RANGE_ALL, RANGE_EACH, RANGE_UNIT } ScaleRange;

/* The settings of Graph from which its edges are computed. */
typedef struct GraphSettings {
    int value, filter, nodes, heads; /* rows of GRAPH_VALUES, EDGE_FILTERS, … */
    /* self, first: rows of GRAPH_HIDING: whether edges from a token to itself, and edges to the
     * first token, are hidden. rest: row of GRAPH_RESTS: whether the remaining weights of a row are
     * scaled to sum to 1. */
    int self, first, rest;
    float above, mass; /* thresholds of the edge filters "above" and "mass" */
} GraphSettings;

/* The settings of Heads from which its matrices are computed. */
typedef struct HeatmapSettings {
    OptionChoice minus;           /* row of MINUSES: what is subtracted */
    int show;                     /* row of SHOWS: the quantity */
    int range;                    /* ScaleRange: which matrices share a scale */
    float clamp;                  /* percentile of the values at which the colour scale ends */
    int order;                    /* row of ORDERS: order of tokens along the sides */
    int summary;                  /* row of SUMMARIES: matrices that summarise all heads */
    int mask_shown;               /* 1 shows the mask as a matrix that can be edited */
    char second[OPTION_TEXT_MAX]; /* the sentence that Heads compares with the text, or "" */
} HeatmapSettings;

typedef struct Settings {
    int view, theme, palette;
    int signed_palette; /* row of SIGNED_PALETTE_REGISTRY */
    int motion;         /* row of MOTION_REGISTRY: 0 for all motion, 1 for less */
    int focus;          /* row of FOCUSES: which cell is explained if none is pinned */
    int edges;          /* number of edges for each token */
    int graph_layout, graph_flow;
    int graph_step; /* step of message passing: row of GRAPH_STEPS */
    GraphSettings graph;
    int wqk_product, wqk_against, wqk_page; /* rows of PRODUCTS, WQK_AGAINST, WQK_PAGES */
    int wqk_delta;                          /* row of WQK_DELTAS: the scale of a difference */
    /* Rank to which the product is cut; 0 for the automatic rank. */
    int wqk_rank;
    int wqk_transform, wqk_transform_seed; /* wqk_transform: row of WQK_TRANSFORMS */
    int wqk_offset;                        /* with RoPE, the distance whose matrix is shown */
    /* Sizes on the cost page; 0 for the layer's own size. */
    int wqk_p, wqk_n, wqk_m;
    /* 0 to 1: how far the matrix R, put between the factors with its inverse, is from the
     * identity. */
    float wqk_turn;
    float wqk_rate;       /* learning rate of the training step in the W_QK view */
    float merge;          /* how far W_Q and W_K are merged in the W_QK view, 0 to 1 */
    OptionPair wqk_entry; /* the pinned entry from 1, or {0, 0} */
    HeatmapSettings maps;
    int warp;        /* row of WARPS: the colour scale's curve */
    int numbers;     /* 0: numbers in large cells only; 1: wherever they fit */
    int statistics;  /* 1 lists a head's statistics in the inspector */
    int wall;        /* WALL_ALL, WALL_ONE or WALL_LAYERS */
    int layer_order; /* row of LAYER_ORDERS: order of the map of all layers */
    CompareSettings compare;
    TrainSettings train;
    /* The step of the Steps view, and the column of Y that it follows, from 1. Column 0 follows the
     * row's largest number. */
    int steps_step, steps_output;
    /* The user's scale of the interface, 1 = 100 %; multiplied by the automatic scale. */
    float ui_scale;
    OptionPair size; /* size of a rendered picture or of a new window, in pixels */
} Settings;

/* The heads that Heads shows: all of the layer, the chosen one, or a map of a checkpoint's
 * layers. */
enum { WALL_ALL, WALL_ONE, WALL_LAYERS };

/* The order of tokens on screen: by position; by the attention that a token receives in the chosen
 * head; or queries by the weight that they give the pinned key, and keys by the weight that the
 * pinned query gives them. */
typedef enum TokenOrder { ORDER_POSITION, ORDER_WEIGHT, ORDER_PINNED, ORDER_COUNT } TokenOrder;

typedef enum Focus { FOCUS_STRONGEST, FOCUS_NOTHING } Focus;

typedef enum Summary { SUMMARY_NONE, SUMMARY_MEAN, SUMMARY_ROLLOUT, SUMMARY_BOTH } Summary;

extern const OptionTable PICTURE_OPTIONS;

/* Return these settings as the second option table of a state string. load reads the weights file
 * that a state string names; it may be NULL. */
StateExtra settings_extra(Settings *settings, WeightsLoad load);

extern const Registry MOTION_REGISTRY, FOCUSES, SCALE_RANGES, ORDERS, SUMMARIES, CELL_NUMBERS,
    MASKS_SHOWN, STATISTICS, WALLS;

#endif
