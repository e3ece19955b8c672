/* settings.h: how the picture is shown: not part of the layer, but of the same state string. Each
 * view keeps here what a person chose in it; what lasts only as long as the window is in memory.h.
 * To add one: a field, and a row of PICTURE_OPTIONS in settings.c. */
#ifndef HEADLIGHT_VIEWS_SETTINGS_H
#define HEADLIGHT_VIEWS_SETTINGS_H

#include "base/option.h"

typedef struct Settings {
    int view, theme, palette;
    int motion; /* row of MOTION_REGISTRY: 0 all, 1 less */
    int edges;  /* that the graph draws for each token */
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
    float ui_scale;  /* the person's own, 1 = 100 %; multiplies the automatic one */
    OptionPair size; /* of a rendered picture or a new window, pixels */
} Settings;

extern const OptionTable PICTURE_OPTIONS;
extern const Registry MOTION_REGISTRY;

#endif
