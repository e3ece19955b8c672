#include "base/util.h"
#include "views/graph.h"
#include "views/heads.h"
#include "views/view.h"

/* The number of a row is the key that chooses it. */
const View VIEWS[] = {
    {{"heads", "Heads", "", "Every head as a heatmap, and the chosen one as a graph."},
     "Each row is one token asking “whom do I read?” and sums to 1.",
     "Each row sums to 1.",
     ICON_HEADS,
     heads_frame,
     NULL,
     NULL},
    {{"graph", "Graph", "", "One head as a directed graph of the tokens."},
     "Attention is a graph. Arrows point at what is read.",
     "Attention is a graph.",
     ICON_GRAPH,
     graph_frame,
     graph_inspector,
     graph_scratch_bytes},
};

const Registry VIEW_REGISTRY = {"views", "view", VIEWS, sizeof VIEWS[0], ARRAY_COUNT(VIEWS)};
