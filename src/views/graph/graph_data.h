/* graph_data.h: what the Graph view shows of a head: values, edges, node sizes. Pure, except for
 * its cache. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_DATA_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_DATA_H

#include "draw/force.h"
#include "views/shared/edges.h"
#include "views/view.h"

/* Each enum lists the rows of the registry of its name, in order. */
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
/* Steps of message passing: how the pinned query gets its value. */
enum { STEP_NONE, STEP_MEET, STEP_SOFTMAX, STEP_SUM, STEP_COUNT };
typedef enum GraphSwitch { GRAPH_OFF, GRAPH_ON } GraphSwitch;

extern const Registry GRAPH_LAYOUTS, GRAPH_VALUES, GRAPH_NODE_SIZES, GRAPH_FLOWS, GRAPH_HEADS,
    GRAPH_HIDING, GRAPH_RESTS, GRAPH_STEPS;

/* Return the edges and nodes for the current settings. While the context waits for a job, return
 * the earlier ones, or none with revision 0. Valid until the next call. */
const GraphData *graph_data(const ViewContext *context);

/* Set settings to those the data were computed with, and choose a layout that these data can be
 * drawn in. */
void graph_settings(Settings *settings, const ViewContext *context, const GraphData *data);

/* Compute the data in a job. */
extern const ViewMaking GRAPH_MAKING;

/* The values that a head's edges can show. */
typedef struct HeadValues {
    Mat of;              /* (T, T) */
    const float *length; /* (T): a factor for each key, or NULL */
} HeadValues;

static inline float head_value(const HeadValues *values, int query, int key) {
    float value = mat_row(&values->of, query)[key];
    return values->length != NULL ? value * values->length[key] : value;
}

/* Return the chosen values of the lowest layer; lengths come from scratch. */
HeadValues graph_values(const ViewContext *context, int head);

/* An edge of the lowest layer: `own` is its value in the matrix, `drawn` the one shown. They differ
 * if weights are renormalised; then drawn is NAN for edges excluded from the sum. */
typedef struct GraphDrawn {
    float value, drawn;
} GraphDrawn;

GraphDrawn graph_drawn(const ViewContext *context, int head, int query, int token);

/* Return the sum by which a query's remaining weights are divided; 1 if they are not renormalised.
 */
double graph_left(const ViewContext *context, int head, int query);

/* Return the value in the matrix of a drawn edge of any layer. */
float graph_own_value(const ViewContext *context, int layer, int head, const Edge *edge);

/* Write the edges between two different tokens, at most GRAPH_EDGES_MAX, as attracting forces.
 * Return their number. */
int graph_links(ForceLink *links, const GraphData *data);

/* Return the number of layers that have edges: more than one only in the layered layout. */
int graph_layers(const ViewContext *context);

size_t graph_scratch_bytes(const Results *run);
void graph_release(GraphMemory *memory);

#endif
