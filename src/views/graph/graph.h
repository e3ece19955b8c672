/* graph.h: the Graph view: one head's attention as a directed graph on the whole canvas. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_H

#include "views/graph/graph_labels.h"

void graph_frame(const ViewContext *context, Rect area);
void graph_inspector(const ViewContext *context, Rect area);
void graph_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short);

#define GRAPH_CORNERS 5

/* Where the legend and the card of the walk go; no width where there is no room. corners are the
 * panels that stand in the tokens' own place, if any: the filter, the legend, the choices at
 * the top, which are of two widths, the card. */
typedef struct GraphPanels {
    Rect legend, card;
    Rect corners[GRAPH_CORNERS];
    int corner_count;
} GraphPanels;

/* The controls around the graph; they take their room from *area, which keeps what is left for the
 * tokens. Where the ring leaves the corners free these are only planned: graph_panels_over draws
 * them, over whatever is zoomed or dragged there. */
GraphPanels graph_panels(const ViewContext *context, const GraphData *data, Rect *area);
void graph_panels_over(const ViewContext *context, const GraphData *data,
                       const GraphPanels *panels);

/* What arrows, widths, sizes and the band of N(token) mean, as much of it as there is room for;
 * token is -1 for none. */
void graph_legend(const ViewContext *context, const GraphData *data, const Scene *scene, Rect area,
                  int token);

/* The token that is looked at: hovered, else the pinned query; or -1. */
int graph_token(const ViewContext *context);

/* How wide an edge of that value is, and whether arrows point where values flow. */
float graph_edge_width(const GraphData *data, float value);
bool graph_flows(const ViewContext *context);

/* Light, pin, drag and zoom what the pointer is on, where it is on no panel. Returns the edge of an
 * upper layer that it is on, or -1: that can be read, but the inspector and the pin are of the
 * lowest. */
int graph_pointer(const ViewContext *context, const Scene *scene, const GraphData *data,
                  const GraphPanels *panels);

/* Message passing at the pinned query, step by step. */
typedef enum GraphStep { STEP_NONE, STEP_MEET, STEP_SOFTMAX, STEP_SUM, STEP_COUNT } GraphStep;
GraphStep graph_step(const ViewContext *context);

/* Whether it is shown: another token that the pointer is on comes first. */
bool graph_walks(const ViewContext *context);
void graph_walk(const ViewContext *context, const Scene *scene, GraphLabels *labels);
void graph_walk_card(const ViewContext *context, Rect area);

#endif
