/* graph.h: the Graph view: one head's attention as a directed graph on the whole canvas. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_H

#include "views/graph/graph_labels.h"

void graph_frame(const ViewContext *context, Rect area);
void graph_inspector(const ViewContext *context, Rect area);
void graph_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short);

#define GRAPH_CORNERS 5

/* Places of the legend and of the walk's card; no width if there is no room. corners are the panels
 * that lie over the tokens' area: filter, legend, the two-part choices at the top, card. */
typedef struct GraphPanels {
    Rect legend, card;
    Rect corners[GRAPH_CORNERS];
    int corner_count;
} GraphPanels;

/* Draw the controls around the graph and reduce *area to what is left for the tokens. If the ring
 * leaves the corners free, panels are only planned here; graph_panels_over draws them on top of the
 * graph. */
GraphPanels graph_panels(const ViewContext *context, const GraphData *data, Rect *area);
void graph_panels_over(const ViewContext *context, const GraphData *data,
                       const GraphPanels *panels);

/* Explain arrows, widths, sizes and the band of N(token), as far as there is room; token is -1 for
 * none. */
void graph_legend(const ViewContext *context, const GraphData *data, const Scene *scene, Rect area,
                  int token);

/* Return the focused token: the hovered one, else the pinned query, else -1. */
int graph_token(const ViewContext *context);

/* Return the width of an edge with this value. The second function is true if arrows point where
 * values flow. */
float graph_edge_width(const GraphData *data, float value);
bool graph_flows(const ViewContext *context);

/* Light, pin, drag and zoom what is under the pointer, unless it is on a panel. Return the edge of
 * an upper layer under the pointer, or -1: its value can be read, but inspector and pin belong to
 * the lowest layer. */
int graph_pointer(const ViewContext *context, const Scene *scene, const GraphData *data,
                  const GraphPanels *panels);

/* Message passing at the pinned query, step by step. The first returns the state's step; the second
 * sets it and stops playing or, if plays, starts playing. */
int graph_step(const ViewContext *context);

/* True if the walk is shown; hovering another token hides it. */
bool graph_walks(const ViewContext *context);
void graph_walk(const ViewContext *context, const Scene *scene, GraphLabels *labels);
void graph_walk_set(const ViewContext *context, int step, bool plays);

/* Go to the next step when it is time. */
void graph_walk_advance(const ViewContext *context);

/* Let Space play, and the arrows change the step while there is one. A hook of VIEWS. */
bool graph_press(const ViewContext *context, TransportButton button);
void graph_walk_card(const ViewContext *context, Rect area);

#endif
