#include "base/util.h"
#include "views/compare.h"
#include "views/graph.h"
#include "views/heads.h"
#include "views/shown.h"
#include "views/view.h"
#include "views/wqk.h"

/* The number of a row is the key that chooses it. */
const View VIEWS[] = {
    {{"heads", "Heads", "", "Every head as a heatmap, and the chosen one as a graph."},
     "Each row is one token asking “whom do I read?”",
     "A row asks, columns answer.",
     ICON_HEADS,
     heads_frame,
     NULL,
     NULL,
     heads_wish,
     &SHOWN_MAKING,
     false,
     true,
     NULL,
     NULL},
    {{"graph", "Graph", "", "One head as a directed graph of the tokens."},
     "Attention is a graph. Arrows point at what is read.",
     "Attention is a graph.",
     ICON_GRAPH,
     graph_frame,
     graph_inspector,
     graph_scratch_bytes,
     NULL,
     &GRAPH_MAKING,
     false,
     true,
     NULL,
     graph_subtitle},
    {{"wqk", "W_QK", "", "Why two matrices where only their product is used."},
     "The two factors only ever meet as a product.",
     "Two factors, one product.",
     ICON_WQK,
     wqk_frame,
     wqk_inspector,
     wqk_scratch_bytes,
     wqk_wish,
     NULL,
     false,
     false,
     NULL,
     NULL},
    {{"compare", "Compare", "",
      "Ways to draw the weights side by side, theory beside measurement."},
     "Same seed, same tokens, different ways to draw the weights.",
     "Same seed, same tokens.",
     ICON_COMPARE,
     compare_frame,
     NULL,
     NULL,
     compare_wish,
     NULL,
     true,
     false,
     compare_results,
     NULL},
};

const Registry VIEW_REGISTRY = {"views", "view", VIEWS, sizeof VIEWS[0], ARRAY_COUNT(VIEWS)};
