/* graph_scene.h: positions of the tokens in the Graph view in this frame, and the curves of edges
 * between them. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_SCENE_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_SCENE_H

#include "draw/arc.h"
#include "views/graph/graph_data.h"

#define SCENE_NAME_MOST 190.0f /* px: a longer name is shortened */
#define SCENE_NAME_LINE 1.3f   /* line height of a name as a multiple of its letter size */
#define SCENE_NAME_GAP  16.0f  /* px between a name and its node */

/* Positions of one frame. Most layouts have one column of nodes. Bipartite: queries in column 0,
 * keys in column 1. Layered: the input in column 0, the output of layer l in column l. A node is
 * column * T + token. */
typedef struct Scene {
    Rect area;
    int T;
    int columns;
    GraphLayout layout;
    bool numbered;    /* too small for names: nodes show numbers instead */
    bool leans;       /* the names of a line are rotated while it is not zoomed */
    bool rotated;     /* too narrow for names side by side: they are rotated */
    Vec2 centre, hub; /* centre of the area, and the point on screen that edges bend towards */
    float spacing;    /* distance of neighbours, logical pixels */
    float name_size;  /* letter size of tokens' names */
    int name_step;    /* every name_step-th token has its name */
    float zoom;
    Vec2 *at, *rest; /* GRAPH_PLACES_MAX positions on screen: now, and at the end of the move */
    float *radius;   /* T */
    bool *loops;     /* (T): true if the token's loop is drawn */
    float radius_least, radius_most;
} Scene;

/* Place all tokens in area, moving from their earlier positions. */
Scene scene_make(const ViewContext *context, const GraphData *data, Rect area);

/* Move all tokens back to their layout, with all of it visible. */
void scene_restore(const ViewContext *context, const Scene *scene);

/* Return the positions of the force layout, relative to the area's centre: tokens that read each
 * other are close, dragged tokens stay where they were put, others make room. Cached until an input
 * changes. radius is the layout's radius without zoom. */
const Vec2 *scene_forced(const ViewContext *context, const GraphData *data, const Scene *scene);
size_t scene_forced_bytes(int T);

int scene_key(const Scene *scene, int token, int layer);

/* Return the arrow of an edge, from query to key, or reversed if it shows how values flow. */
Arc scene_arc(const Scene *scene, const Edge *edge, int layer, float width, bool flow,
              Colour colour);

/* Return a node's radius for a share 0 to 1 of the largest size. */
float scene_radius(const Scene *scene, float share);

/* Return how far a token's loop reaches beyond its node. */
float scene_loop_height(const Scene *scene, int token);

/* Return the unit vector from the hub to a node's final position; upward if they coincide. */
Vec2 scene_outward(const Scene *scene, int node);

/* Return the node at a point, or -1. */
int scene_node_at(const Scene *scene, Vec2 point);

#endif
