/* graph_scene.h: where the tokens of the Graph view stand in this frame, and the geometry of edges
 * between them. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_SCENE_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_SCENE_H

#include "draw/link.h"
#include "views/graph/graph_data.h"

#define SCENE_NAME_MOST 190.0f /* px of a name; a longer one is cut */
#define SCENE_NAME_LINE 1.3f   /* its height, of its size */
#define SCENE_NAME_GAP  16.0f  /* between it and its node */

/* One frame's places. Where tokens stand once there is one column of nodes; bipartite places have
 * the queries in column 0 and the keys in column 1; layered ones the input in column 0 and what
 * layer l made of it in column l. A node is column * T + token. */
typedef struct Scene {
    Rect area;
    int T;
    int columns;
    GraphLayout layout;
    bool numbered; /* too small for names: numbers stand for them */
    bool leans;    /* the names of a line are turned while it is not zoomed */
    bool turned;   /* too narrow for names side by side: they are turned */
    Vec2 centre,
        hub;         /* of the area; and on screen what edges bend towards and names stand around */
    float spacing;   /* of neighbours, logical pixels */
    float name_size; /* of tokens' names */
    int name_step;   /* every so many tokens has its name */
    float zoom;
    Vec2 *at, *rest; /* GRAPH_PLACES_MAX, on screen: now, and when they have arrived */
    float *radius;   /* T */
    bool *loops;     /* T: whether the edge to itself is drawn */
    float radius_least, radius_most;
} Scene;

/* Place all tokens in area, on their way from where they were. */
Scene scene_make(const ViewContext *context, const GraphData *data, Rect area);

/* Bring all tokens back to the places of their layout, all of which is seen then: on the way from
 * where they are. */
void scene_restore(const ViewContext *context, const Scene *scene);

/* Where tokens that read each other stand near, from the middle of the area: dragged ones stay
 * pinned where they were put, less how far they were dragged, and the others make room. Kept in
 * memory until something changes. radius is that without zooming. */
const Vec2 *scene_forced(const ViewContext *context, const GraphData *data, const Scene *scene);
size_t scene_forced_bytes(int T);

/* The nodes of a query and a key of a layer, from 0. */
int scene_query(const Scene *scene, int token, int layer);
int scene_key(const Scene *scene, int token, int layer);

/* The arrow of an edge from its query to its key, or the other way where values flow. */
Arc scene_arc(const Scene *scene, const Edge *edge, int layer, float width, bool flow,
              Colour colour);

/* The radius of a node of that share of the largest size, 0 to 1. */
float scene_radius(const Scene *scene, float share);

/* How far the loop of a token reaches beyond its node. */
float scene_loop_height(const Scene *scene, int token);

/* The unit vector from the hub to where a node comes to rest, upwards where there is none. */
Vec2 scene_outward(const Scene *scene, int node);

/* The node at a point, or -1. */
int scene_node_at(const Scene *scene, Vec2 point);

#endif
