/* graph_parts.h: the parts of the Graph view: data, places, texts, panels, and the message to a
 * token, shown step by step. Only for graph*.c. T tokens. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_PARTS_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_PARTS_H

#include "draw/force.h"
#include "draw/space.h"
#include "results/study_plan.h"
#include "views/graph/graph.h"
#include "views/shared/edges.h"

/* Data: graph_data.c */

#define GRAPH_EDGES_MAX  5000 /* if more edges are chosen, only the heaviest are drawn */
#define GRAPH_CURVE_MAX  64
#define GRAPH_BAND_ALPHA 0.17f /* opacity of the band that marks N(i), and of its legend */
/* Maximum number of nodes: two columns show every token twice. */
#define GRAPH_PLACES_MAX (2 * TOKENS_MAX)

/* All inputs of GraphData. A number that the chosen filter does not need is 0. */
typedef struct GraphKey {
    uint64_t revision; /* revision of the Results; 0 before the first time */
    int head;          /* the head shown, from 1; 0 for all */
    int depth;         /* depth of the stack in the layered layout; 0 in other layouts */
    int top;           /* k of the filter EDGES_TOP */
    int is_forced;     /* true if the positions of the force layout are needed */
    GraphSettings chosen;
} GraphKey;

/* A curve: for each number n, the share of the weight that a head's n heaviest edges carry. */
typedef struct GraphCurve {
    int count;
    float edges[GRAPH_CURVE_MAX], share[GRAPH_CURVE_MAX];
} GraphCurve;

/* The edges and nodes of the shown heads, computed by graph_data. */
typedef struct GraphData {
    GraphKey key;
    Edge edges[GRAPH_EDGES_MAX];
    int count, left_out;
    double share;  /* share of the attention that the drawn edges carry */
    float largest; /* largest magnitude of all values shown */
    int all;       /* number of edges that exist, and the sum of their magnitudes */
    double sum;
    /* Sizes of the nodes: attention received or PageRank, as the setting chooses. */
    float size[TOKENS_MAX];
    float size_most;
    GraphCurve curve[OPTION_HEADS_MAX]; /* one curve for each shown head of the lowest layer */
    Vec2 forced[TOKENS_MAX];            /* positions of the force layout, if key.is_forced */
} GraphData;

struct GraphMemory {
    GraphData data;
    LayerStack stack; /* the stack of layers that the layered layout shows */
    /* A job fills these; then they replace `data` and `stack`. */
    GraphData next;
    LayerStack next_stack;
    Arena making; /* scratch memory of the job that fills `next` */
    PanZoom view;
    /* Layout, number of tokens and number of columns in the last frame. If one changes, the nodes
     * move. T is 0 before the first frame. */
    int layout, T, columns;
    double moved_s;                  /* time at which the positions last began to change */
    uint64_t parted_key, pinned_key; /* hashes of the inputs of `parted` and `pinned` */
    /* Positions of the force layout with room for names, relative to the centre. */
    Vec2 parted[TOKENS_MAX];
    Vec2 pinned[TOKENS_MAX]; /* positions of the force layout after nodes were dragged */
    uint64_t moved_key; /* hash of the data's key in the last frame of the force layout; 0 in other
                           layouts */
    Vec2 from[GRAPH_PLACES_MAX], shown[GRAPH_PLACES_MAX], dragged[GRAPH_PLACES_MAX];
    int grabbed;   /* the dragged node, from 1; 0 for none */
    int step;      /* the step of message passing (row of GRAPH_STEPS) that was drawn last */
    double step_s; /* time at which that step was first drawn */
    Player player;
};

/* Return the edges and nodes for the current settings. While the context waits for a job, return
 * the earlier ones; if there are none, revision is 0. Valid until the next call. */
const GraphData *graph_data(const ViewContext *context);

/* While a job computes new data, set the settings of the graph to those of the data on screen, and
 * to a layout in which these can be drawn. */
void graph_settings(Settings *settings, const ViewContext *context, const GraphData *data);

/* Return the value that an edge of the lowest layer shows: its weight a, its score, or the norm of
 * the vector a·v that it transports. */
float graph_value(const ViewContext *context, GraphValue kind, AttnCell at);

/* Return an edge of the lowest layer with the chosen kind of value. If weights are renormalised and
 * the sum excludes the edge, its weight is NAN. */
Edge graph_edge(const ViewContext *context, AttnCell at);

/* Return the sum by which the shown weights of a query are divided: that of its weights that are
 * not hidden, or 1 if weights are not renormalised. */
double graph_left(const ViewContext *context, int head, int query);

/* Fill links with the edges between two different tokens, at most GRAPH_EDGES_MAX, as attracting
 * forces. Return their number. */
int graph_links(ForceLink *links, const GraphData *data);

/* Return the number of layers that have edges: more than one only in the layered layout. */
int graph_layers(const ViewContext *context);

/* Return the focused token: the hovered one, or -1 while an edge is hovered; otherwise the query of
 * the cell that the inspector explains (view_rest), or -1. */
int graph_token(const ViewContext *context);

/* True if arrows point in the direction in which values flow. */
bool graph_flows(const ViewContext *context);

/* Return the width of an edge with this value. graph_thinning returns a factor that makes many
 * edges fainter and, unless they show weights, thinner: 1 for few edges. */
float graph_edge_width(const GraphData *data, float value);
float graph_thinning(const GraphData *data);

/* Places: graph_scene.c */

#define SCENE_NAME_MOST 190.0f /* px: a longer name is shortened */
#define SCENE_NAME_LINE 1.3f   /* line height of a name as a multiple of its letter size */
#define SCENE_NAME_GAP  16.0f  /* px between a name and its node */

/* Positions of all nodes in one frame. Most layouts have one column of nodes. Bipartite: queries in
 * column 0, keys in column 1. Layered: the input in column 0, the output of layer l in column l. A
 * node is column * T + token. */
typedef struct Scene {
    const GraphData *data;
    Rect area;
    int T;
    int columns;
    GraphLayout layout;
    /* True if the area is too small for names, so that nodes show numbers instead. */
    bool numbered;
    /* True if the names along a line do not fit without zoom, so that the line leaves room for
     * rotated names. */
    bool leans;
    /* True if the area is too narrow for horizontal names, so that they are rotated. */
    bool rotated;
    Vec2 centre, hub; /* centre of the area, and the point on screen that edges bend towards */
    float spacing;    /* distance between neighbours without zoom, in logical pixels */
    float name_size;  /* letter size of tokens' names */
    int name_step;    /* every name_step-th token has its name shown */
    float zoom;
    /* True if the whole picture is visible, not zoomed or panned, so that everything must lie
     * inside the area. */
    bool is_whole;
    /* GRAPH_PLACES_MAX positions on screen each: now, and at the end of the motion. */
    Vec2 *at, *rest;
    float *radius; /* (T) */
    bool *loops;   /* (T): true if the token's loop is drawn */
    float radius_least, radius_most;
    Arrow *arrows;
} Scene;

extern const PanZoomLimits GRAPH_ZOOM;

/* Place all tokens in area, with a motion from their earlier positions. */
Scene scene_make(const ViewContext *context, const GraphData *data, Rect area);

/* Move all tokens back to their layout, and make all of it visible. */
void scene_restore(const ViewContext *context, const Scene *scene);

int scene_key(const Scene *scene, AttnCell at);

/* Return the arrow of an edge: from query to key or, if flow, from key to query. */
Arrow scene_arrow(const Scene *scene, const Edge *edge, float width, bool flow, Colour colour);

/* Return the radius of a node whose size is this share, 0 to 1, of the largest one. */
float scene_radius(const Scene *scene, float share);

/* Return how far the loop of a token extends beyond its node. */
float scene_loop_height(const Scene *scene, int token);

/* Return the unit vector from the hub to a node's final position; upward if they coincide, and in
 * layouts of lines or columns. */
Vec2 scene_outward(const Scene *scene, int node);

/* Return the node at a point, or -1. */
int scene_node_at(const Scene *scene, Vec2 point);

/* Panels: graph_panels.c */

/* Places of the panels around the tokens; a panel without room has width 0. */
typedef struct GraphPanels {
    Rect layout, heads, value, flow, filter, legend, card;
    bool are_over;  /* true if the panels lie over the corners of the tokens' area */
    bool are_menus; /* true if there is room only for menus and a slider */
} GraphPanels;

/* Plan the panels, and reduce *area to the room that remains for the tokens. */
GraphPanels graph_panels(const ViewContext *context, Rect *area);

/* Draw the panels. token: the token whose band N(i) is explained, or -1. scene is NULL if there are
 * no data. */
void graph_panels_draw(const ViewContext *context, const GraphData *data, const Scene *scene,
                       const GraphPanels *panels, int token);

/* Write the rectangles inside the tokens' area that panels cover. No text may be drawn there, and
 * no token is hovered there. Return their number. */
#define GRAPH_COVERED_MAX 5
int graph_panels_covered(Rect out[GRAPH_COVERED_MAX], const GraphPanels *panels);

/* Texts: graph_names.c and graph_values.c. Places are assigned by priority: first panels and nodes;
 * then names, which stay in place while the pointer moves; then the focused tokens' names and the
 * focused edge's value, which may displace names; last the values of other edges. */

#define GRAPH_VALUES_MAX 24 /* maximum number of values drawn on edges in one frame */

/* The kinds of items that occupy a place. */
enum {
    SPACE_PANEL = 1,
    SPACE_NODE = 2,
    SPACE_NAME = 4,
    SPACE_MARK = 8, /* a name with a background */
    SPACE_VALUE = 16,
};

/* The name of a node, or the number that replaces it. */
typedef struct NodeName {
    SpaceBox box; /* the box of the name; its width is the width available for the letters */
    bool is_shown;
    bool is_marked;   /* true if the name has a background, whose rectangle is then `box` */
    int place;        /* index of the name's place around the node */
    SpaceItem *taken; /* the item of the name in GraphLabels.space, or NULL */
} NodeName;

/* All names in a frame. Valid until the scratch memory of the frame is reused. */
typedef struct GraphLabels {
    const Scene *scene;
    Space space;
    NodeName *names; /* indexed by node */
} GraphLabels;

/* Find places for all names. The names of focused tokens displace others. */
GraphLabels graph_labels_make(const ViewContext *context, const Scene *scene,
                              const GraphPanels *panels);

/* True if the box overlaps no item of these kinds and, if the scene is whole, lies inside its
 * area. */
bool graph_is_free(const GraphLabels *labels, const SpaceBox *box, unsigned kinds);

/* Mark the place of a text with a background as occupied, and remove the names under it. */
void graph_displace(GraphLabels *labels, Rect fill);

/* True if a token is focused, or is the query of the hovered or pinned edge: its node and name have
 * backgrounds. */
bool graph_is_marked(const ViewContext *context, int token);

/* Draw the number inside a node, if all nodes are large enough and no text covers it. */
void graph_number_show(const GraphLabels *labels, const ViewContext *context, int node);

/* Draw all names and the columns' headings. If `open` is not NULL, dim the names of tokens that are
 * not open. */
void graph_names_show(const GraphLabels *labels, const ViewContext *context, const uint8_t *open);

/* Write the value of an edge for its pill (view_pill), with all digits if exact. If the edge is
 * drawn with a renormalised weight, also write its weight A; if it is hidden, write only A. */
#define GRAPH_PILL_MAX 80
void graph_pill_text(char text[GRAPH_PILL_MAX], const Edge *edge, bool exact);

/* Return the centre of the pill that view_pill draws. The pill avoids nodes and names if possible;
 * otherwise it displaces names. */
Vec2 graph_pill_place(GraphLabels *labels, const ViewContext *context, const Arrow *arrow,
                      const char *text);

/* Draw values on their edges in the given order, each at the free place that the fewest of the
 * other edges cross. If no place is free, the value is left out. */
void graph_values_show(GraphLabels *labels, const ViewContext *context, const Arrow *arrows,
                       int count);

/* Functions of graph.c, which show step by step how the pinned query receives its value. */

/* Return the step of the message that is shown; STEP_NONE without a pin. */
int graph_step(const ViewContext *context);

/* True if the message is shown step by step. Hovering another token hides it. */
bool graph_walks(const ViewContext *context);
void graph_walk_card(const ViewContext *context, Rect area);

#endif
