/* settings.h: how the picture is shown: not part of the layer, but of the same state string. Each
 * view keeps here what a person chose in it; what lasts only as long as the window is in memory.h.
 * To add one: a field, and a row of PICTURE_OPTIONS in settings.c. */
#ifndef HEADLIGHT_VIEWS_SETTINGS_H
#define HEADLIGHT_VIEWS_SETTINGS_H

#include "base/option.h"
#include "model/attention/attention.h"

/* Of the Compare view. */
typedef struct CompareSettings {
    int part;                                   /* row of COMPARE_PARTS */
    OptionList schemes;                         /* rows of SCHEMES, a column each */
    OptionList own[ATTN_WEIGHT_COUNT];          /* a column's own scheme for one matrix, or -1 */
    int spread, maps, measures, matrices, rule; /* rows of SPREADS, COMPARE_MAPS, … */
    int over;    /* row of STUDY_STATS whose distribution over the seeds is shown, or -1 */
    int against; /* a column, from 1 */
    int seeds, layers;
    int colour;             /* row of COMPARE_COLOURS */
    float sigma_q, sigma_k; /* where the map's point stands; 0 for the scheme in use */
    int bug;                /* the question of AttnCell the bug, from 1 */
} CompareSettings;

/* Of the Train view; its columns are those of Compare. */
typedef struct TrainSettings {
    int step, steps;           /* where it stands, and how many there are */
    int task, optimiser, pace; /* rows of TASKS, OPTIMISERS, TRAIN_PACES */
    int data, words;           /* rows of RACE_DATA, RACE_WORDS */
    int batch;                 /* sequences a step; RACE_SENTENCE has one */
    int seeds;                 /* row of TRAIN_SEEDS */
    int start;                 /* the column whose chosen head is large, from 1 */
    float rate;                /* 0 for the optimiser's own */
} TrainSettings;

typedef struct Settings {
    int view, theme, palette;
    int signed_palette; /* row of SIGNED_PALETTE_REGISTRY */
    int motion;         /* row of MOTION_REGISTRY: 0 all, 1 less */
    int focus;          /* row of FOCUSES: what is looked at where nothing is pinned */
    int edges;          /* that the graph draws for each token */
    int graph_layout, graph_value, graph_filter, graph_nodes, graph_flow, graph_heads;
    int graph_self, graph_first, graph_rest; /* what is hidden, and what becomes of the rest */
    float graph_above, graph_mass;           /* of the filters of these names */
    int wqk_product, wqk_against, wqk_page;  /* rows of PRODUCTS, WQK_AGAINST, WQK_PAGES */
    int wqk_rank;                            /* of the cut, or 0: see wqk_rank_of */
    int wqk_gauge, wqk_gauge_seed;           /* row of WQK_GAUGES */
    int wqk_offset;                          /* with RoPE, the distance whose matrix is shown */
    int wqk_p, wqk_n, wqk_m;                 /* of the costs, or 0: the layer's own */
    float wqk_turn, wqk_rate;                /* of the gauge; of the step of training */
    OptionPair wqk_entry;                    /* the pinned entry from 1, or {0, 0} */
    int show;                                /* row of SHOWS: what the matrices of Heads show */
    OptionChoice minus;                      /* row of MINUSES: what is taken off it */
    int warp;                                /* row of WARPS: how they are coloured */
    int own_scale;                           /* 0 one scale for all matrices, 1 one each */
    float clamp;    /* the percentile of their values at which the scale ends */
    int order;      /* row of ORDERS: of tokens along their sides */
    int summary;    /* row of SUMMARIES: matrices of all heads together */
    int numbers;    /* 0 in large cells, 1 wherever they fit */
    int mask_shown; /* 1 for the mask as a matrix that can be edited */
    int wall;       /* 0 all heads, 1 the chosen one alone */
    CompareSettings compare;
    TrainSettings train;
    int steps_step, steps_output; /* from 1; output 0 for the row's largest */
    float ui_scale;               /* the person's own, 1 = 100 %; multiplies the automatic one */
    OptionPair size;              /* of a rendered picture or a new window, pixels */
} Settings;

/* In the order on screen: by position; by what a token receives in the chosen head; by what the
 * pinned query reads and the pinned key is read. */
typedef enum TokenOrder { ORDER_POSITION, ORDER_WEIGHT, ORDER_PINNED, ORDER_COUNT } TokenOrder;

typedef enum Focus { FOCUS_STRONGEST, FOCUS_NOTHING } Focus;

typedef enum Summary { SUMMARY_NONE, SUMMARY_MEAN, SUMMARY_ROLLOUT, SUMMARY_BOTH } Summary;

extern const OptionTable PICTURE_OPTIONS;
extern const Registry MOTION_REGISTRY, FOCUSES, OWN_SCALES, ORDERS, SUMMARIES, CELL_NUMBERS,
    MASKS_SHOWN, WALLS;

#endif
