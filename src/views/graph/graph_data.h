/* graph_data.h: what the Graph view shows of a head: values, edges, sizes of nodes. Pure, but for
 * the memory that keeps it until something it was made from changes. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_DATA_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_DATA_H

#include "draw/force.h"
#include "views/shared/edges.h"
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

/* The edges and nodes for the settings in force; where the context waits those that were made
 * before, or none at all, with a revision of 0. Valid until the next call. */
const GraphData *graph_data(const ViewContext *context);

/* Bring the settings that the data follow from to what these were made by, and the layout to one
 * that they can be drawn in. */
void graph_settings(Settings *settings, const ViewContext *context, const GraphData *data);

/* The same as a job. */
extern const ViewMaking GRAPH_MAKING;

/* A head's values as edges have them. */
typedef struct HeadValues {
    Mat of;              /* (T, T) */
    const float *length; /* (T): what those of each key are multiplied by, or NULL */
} HeadValues;

static inline float head_value(const HeadValues *values, int query, int key) {
    float value = mat_row(&values->of, query)[key];
    return values->length != NULL ? value * values->length[key] : value;
}

/* Those of the chosen kind, of the lowest layer; lengths come from the scratch. */
HeadValues graph_values(const ViewContext *context, int head);

/* What is drawn of an edge of the lowest layer, whether it is among those that are: value is its
 * own. drawn is the same but where weights are brought to sum 1 again, and NAN where it is hidden
 * from that sum. */
typedef struct GraphDrawn {
    float value, drawn;
} GraphDrawn;

GraphDrawn graph_drawn(const ViewContext *context, int head, int query, int token);

/* The sum that the weights a query has left are drawn over; 1 where they are drawn as they are. */
double graph_left(const ViewContext *context, int head, int query);

/* The own value of an edge of any layer that is drawn. */
float graph_own_value(const ViewContext *context, int layer, int head, const Edge *edge);

/* The edges between two tokens, GRAPH_EDGES_MAX at most, as what pulls them together; returns how
 * many. */
int graph_links(ForceLink *links, const GraphData *data);

/* How many layers the edges are of: more than one in layered places alone. */
int graph_layers(const ViewContext *context);

size_t graph_scratch_bytes(const Results *run);
void graph_release(GraphMemory *memory);

#endif
