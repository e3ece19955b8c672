/* graph_labels.h: which words of the Graph view are written, and where. All of them share one
 * picture: what the controls and the nodes take is taken first, then the names, which therefore
 * stay where they are whatever is hovered, then what is looked at, its name and its value, which
 * may displace names, then the values of more edges. What finds no place that is free is left out.
 * Pure: the same scene gives the same places. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_LABELS_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_LABELS_H

#include "draw/space.h"
#include "views/graph/graph_scene.h"

#define GRAPH_VALUES_MAX  24 /* values that are written on the edges of a frame */
#define GRAPH_COLUMNS_MAX (LAYER_STACK_MAX + 1)
#define GRAPH_MARKS_MAX   4 /* names on fills: of two tokens, each at two nodes */

/* What takes the space. */
enum {
    SPACE_PANEL = 1,
    SPACE_NODE = 2,
    SPACE_NAME = 4,
    SPACE_MARK = 8, /* on a fill */
    SPACE_VALUE = 16,
};

/* A node's name, or the number that stands for it. */
typedef struct NodeName {
    SpaceBox box; /* its width is what the letters may have */
    bool is_shown;
    int place;        /* of those that there are around a node */
    SpaceItem *taken; /* what it has of the space; NULL for nothing */
} NodeName;

typedef struct NodeMark {
    int node;
    Rect rect; /* the fill */
} NodeMark;

/* Valid as long as the scratch memory that it is made in. */
typedef struct GraphLabels {
    Space space;
    NodeName *names; /* by node */
    NodeMark marks[GRAPH_MARKS_MAX];
    int mark_count;
    bool is_whole; /* neither zoomed nor panned: then all must be inside of the area */
} GraphLabels;

/* An edge that is looked at, and the arrow that shows it. own is its value as it is, another than
 * the edge's where weights are brought to sum 1 again; a hidden one has no other. */
typedef struct LitEdge {
    Edge edge;
    Arc arc;
    float own;
    bool is_hidden;
} LitEdge;

size_t graph_labels_bytes(const Results *run);

/* Find places for all names. corners are panels over the graph, which nothing may lie under. */
GraphLabels graph_labels_make(const ViewContext *context, const Scene *scene, const Rect *corners,
                              int corner_count);

/* Put the names of tokens that are looked at on fills, where they displace others. */
void graph_names_mark(GraphLabels *labels, const ViewContext *context, const Scene *scene);

/* Leave out the names under a fill. */
void graph_displace(GraphLabels *labels, Rect fill);

/* Whether a token is looked at: its node and its name are on fills. */
bool graph_is_marked(const ViewContext *context, int token);

/* Whether and how large the number of a node is written inside it; 0 for not. */
float graph_number_size(const GraphLabels *labels, const ViewContext *context, const Scene *scene,
                        int node);

/* Write all names; those of tokens that are not `open`, where it is not NULL, are dimmed. */
void graph_names_show(const GraphLabels *labels, const ViewContext *context, const Scene *scene,
                      const uint8_t *open);

/* Write what each column holds. */
void graph_headings_show(const ViewContext *context, const Scene *scene);

/* What the pill of an edge says: its value, every digit of it where that is exact, and where it is
 * drawn by another one both. */
#define GRAPH_PILL_MAX 80
void graph_pill_text(char text[GRAPH_PILL_MAX], const LitEdge *lit, bool exact);

/* The middle of that pill (view_pill): always somewhere, but on no node and no other name where
 * there is such a place. It displaces names. */
Vec2 graph_value_place(GraphLabels *labels, const ViewContext *context, const Scene *scene,
                       const LitEdge *lit, bool exact);

/* Write the values of edges on them, the first come first, each where no other of them runs if
 * there is such a place. */
void graph_values_show(GraphLabels *labels, const ViewContext *context, const Scene *scene,
                       const LitEdge *edges, int count);

#endif
