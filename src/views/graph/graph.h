/* graph.h: the Graph view: one head's attention as a directed graph on the whole canvas. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_H

#include "views/view.h"

/* Rows of GRAPH_LAYOUTS, GRAPH_VALUES and GRAPH_NODE_SIZES, in this order. */
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
/* Steps of the message from the keys to the pinned query; rows of GRAPH_STEPS. */
enum { STEP_NONE, STEP_MEET, STEP_SOFTMAX, STEP_SUM, STEP_COUNT };
typedef enum GraphSwitch { GRAPH_OFF, GRAPH_ON } GraphSwitch;

extern const Registry GRAPH_LAYOUTS, GRAPH_VALUES, GRAPH_NODE_SIZES, GRAPH_FLOWS, GRAPH_HEADS,
    GRAPH_HIDING, GRAPH_RESTS, GRAPH_STEPS;

/* Hooks of VIEWS. graph_press: Space plays the message to a token, and the arrow keys change its
 * step. GRAPH_MAKING computes the data in a job. */
void graph_frame(const ViewContext *context, Rect area);

/* Write the values of the chosen head's edges as CSV, and its weights and scores as JSON: a View's
 * `results`. */
bool graph_results(const ViewContext *context, ViewResult result, TextOut *out);
void graph_inspector(const ViewContext *context, Rect area);
void graph_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short);
bool graph_press(const ViewContext *context, TransportButton button);
extern const ViewMaking GRAPH_MAKING;

void graph_clear(GraphMemory *memory);

#endif
