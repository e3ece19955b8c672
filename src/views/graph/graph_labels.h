/* graph_labels.h: which words of the Graph view are drawn, and where. Places are given in order of
 * priority: first controls and nodes; then names, which stay in place while the pointer moves; then
 * the focused edge with its name and value, which may displace names; last the values of other
 * edges. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_LABELS_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_LABELS_H

#include "draw/space.h"
#include "views/graph/graph_scene.h"

#define GRAPH_VALUES_MAX  24 /* most values drawn on edges in one frame */
#define GRAPH_COLUMNS_MAX (LAYER_STACK_MAX + 1)
#define GRAPH_MARKS_MAX   4 /* most names with a background: two tokens, each at two nodes */

/* What occupies a place. */
enum {
    SPACE_PANEL = 1,
    SPACE_NODE = 2,
    SPACE_NAME = 4,
    SPACE_MARK = 8, /* a name with a background */
    SPACE_VALUE = 16,
};

/* A node's name, or the number that replaces it. */
typedef struct NodeName {
    SpaceBox box; /* its width is the width available for the letters */
    bool is_shown;
    int place;        /* index of its place around the node */
    SpaceItem *taken; /* its entry in the space; NULL for none */
} NodeName;

typedef struct NodeMark {
    int node;
    Rect rect; /* place of the background */
} NodeMark;

/* Valid as long as the scratch memory it was made from. */
typedef struct GraphLabels {
    Space space;
    NodeName *names; /* indexed by node */
    NodeMark marks[GRAPH_MARKS_MAX];
    int mark_count;
    bool is_whole; /* not zoomed or panned: everything must lie inside the area */
} GraphLabels;

/* A focused edge and its arrow. own is its weight in A. edge.weight differs from it if weights are
 * renormalised. An edge excluded from the sum has only own. */
typedef struct LitEdge {
    Edge edge;
    Arc arc;
    float own;
    bool is_hidden;
} LitEdge;

size_t graph_labels_bytes(const Results *run);

/* Find places for all names. corners are panels that must cover no name. */
GraphLabels graph_labels_make(const ViewContext *context, const Scene *scene, const Rect *corners,
                              int corner_count);

/* Put the names of focused tokens on backgrounds, which displace other names. */
void graph_names_mark(GraphLabels *labels, const ViewContext *context, const Scene *scene);

/* Remove the names under such a background. */
void graph_displace(GraphLabels *labels, Rect fill);

/* True if a token is focused: its node and name have backgrounds. */
bool graph_is_marked(const ViewContext *context, int token);

/* Return the size of the number written inside a node; 0 for none. */
float graph_number_size(const GraphLabels *labels, const ViewContext *context, const Scene *scene,
                        int node);

/* Draw all names; dim those of tokens that are not `open`, unless it is NULL. */
void graph_names_show(const GraphLabels *labels, const ViewContext *context, const Scene *scene,
                      const uint8_t *open);

/* Draw the heading of each column. */
void graph_headings_show(const ViewContext *context, const Scene *scene);

/* Write an edge's value for its pill: every digit if exact; also the renormalised value if the edge
 * is drawn with it. */
#define GRAPH_PILL_MAX 80
void graph_pill_text(char text[GRAPH_PILL_MAX], const LitEdge *lit, bool exact);

/* Return the centre of the pill that view_pill draws. It avoids nodes and names if it can,
 * otherwise it displaces names. */
Vec2 graph_value_place(GraphLabels *labels, const ViewContext *context, const Scene *scene,
                       const LitEdge *lit, bool exact);

/* Draw values on their edges in the given order, each at a place that no other of these edges
 * crosses, if one exists. */
void graph_values_show(GraphLabels *labels, const ViewContext *context, const Scene *scene,
                       const LitEdge *edges, int count);

#endif
