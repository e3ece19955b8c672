/* graph_data.h: what the Graph view shows of a head: values, edges, sizes of nodes. Pure, but for
 * the memory that keeps it until something it was made from changes. */
#ifndef HEADLIGHT_VIEWS_GRAPH_DATA_H
#define HEADLIGHT_VIEWS_GRAPH_DATA_H

#include "views/edges.h"
#include "views/view.h"

/* Rows of the registries of the same names, in these orders. */
typedef enum GraphLayout {
    GRAPH_CIRCLE,
    GRAPH_ARC,
    GRAPH_BIPARTITE,
    GRAPH_LAYERED,
    GRAPH_FORCE,
    GRAPH_LAYOUT_COUNT
} GraphLayout;
typedef enum GraphValue {
    GRAPH_WEIGHTS,
    GRAPH_SCORES,
    GRAPH_CARRIED,
    GRAPH_VALUE_COUNT
} GraphValue;
typedef enum GraphNodes {
    GRAPH_RECEIVED,
    GRAPH_PAGERANK,
    GRAPH_PLAIN,
    GRAPH_NODES_COUNT
} GraphNodes;
typedef enum GraphSwitch { GRAPH_OFF, GRAPH_ON } GraphSwitch;

extern const Registry GRAPH_LAYOUTS, GRAPH_VALUES, GRAPH_NODE_SIZES, GRAPH_FLOWS, GRAPH_HEADS,
    GRAPH_HIDING, GRAPH_RESTS;

/* The edges and nodes for the settings in force; valid until the next call. */
const GraphData *graph_data(const ViewContext *context);

/* The head's values as edges have them, (T, T), of a layer of the stack that the layered places
 * show, else of the one layer there is, 0. From scratch, or borrowed. */
Mat graph_values(const ViewContext *context, int layer, int head);

/* How many layers the edges are of: more than one in layered places alone. */
int graph_layers(const ViewContext *context);

/* Which heads are shown: the chosen one, or all. */
int graph_first_head(const ViewContext *context);
int graph_last_head(const ViewContext *context);

size_t graph_scratch_bytes(const Run *run);

#endif
