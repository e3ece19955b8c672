/* edges.h: the weights of a head that are drawn as arrows from each query to the keys it reads, and
 * the arrows on screen, for Heads and Graph. */
#ifndef HEADLIGHT_VIEWS_SHARED_EDGES_H
#define HEADLIGHT_VIEWS_SHARED_EDGES_H

#include "draw/curve.h"
#include "views/view.h"

#define EDGES_PER_TOKEN_MAX 16
#define EDGES_DRAWN_MAX     2000 /* maximum number of arrows that Heads draws */

/* An edge from a query to a key. The weight is negative for a negative score; edges are sorted by
 * its magnitude. */
typedef struct Edge {
    AttnCell at;
    float weight; /* the value that the arrow shows */
    /* The weight in the matrix; it differs from `weight` if a row is rescaled to sum to 1. */
    float own;
} Edge;

typedef struct EdgeList {
    Edge *at; /* the drawn edges, weakest first, so that the strongest is on top */
    int count;
    /* Number of edges that were chosen but are not drawn, because there are too many. */
    int left_out;
    int all;      /* number of edges that exist: finite and not 0 */
    double share; /* share, 0 to 1, of the head's total magnitude in the drawn edges */
} EdgeList;

/* How edges are chosen; rows of the registry EDGE_FILTERS in this order. */
typedef enum EdgeFilterKind {
    EDGES_TOP,   /* for each query, the `top` heaviest edges */
    EDGES_ABOVE, /* all edges with a magnitude of at least `above` */
    /* for each query, the fewest edges, heaviest first, that carry the share `mass` of its row */
    EDGES_MASS,
    EDGE_FILTER_COUNT
} EdgeFilterKind;
extern const Registry EDGE_FILTERS;

typedef struct EdgeFilter {
    EdgeFilterKind kind;
    int top;
    float above, mass;
    /* Hide edges from a token to itself; hide all edges to the first token. */
    bool hide_self, hide_first;
    int drawn_max;
} EdgeFilter;

/* Return the bytes of scratch memory that a list over T tokens needs if at most drawn_max edges are
 * drawn. */
uint64_t edges_bytes(int T, int drawn_max);

/* Return the edges of one head that a filter chooses; if there are more than drawn_max, the
 * heaviest. values (T, T) are 0 or not finite at closed keys, which are not edges. Of two edges
 * with equal weights, the one to the earlier key comes first. EdgeList.share is relative to all
 * edges, including hidden ones. The list lies in scratch. */
EdgeList edges_select(Arena *scratch, const Mat *values, int layer, int head,
                      const EdgeFilter *filter);

/* Return the edges from every query to its `most` heaviest keys, but only the EDGES_DRAWN_MAX
 * heaviest edges of the head. */
EdgeList edges_top(Arena *scratch, const Mat *weights, int layer, int head, int most);

/* Edges as arrows. */

typedef struct Arrow {
    Edge edge;
    Arc arc; /* its colour is that of an arrow that is not lit */
} Arrow;

/* The arguments of arrows_draw that concern all arrows. */
typedef struct ArrowsStyle {
    float largest; /* the weight whose arrow is drawn with the full contrast */
    float fade;    /* opacity of arrows that are not lit; below 1 if there are many */
    int token;     /* the token whose arrows are lit (drawn last, with full contrast), or -1 */
    /* The colour of lit arrows that start at `token`; 0 for each arrow's own colour. */
    Colour reads;
    AttnCell apart; /* an edge to leave out, because the caller draws it; or ATTN_CELL_NONE */
} ArrowsStyle;

/* Draw an arrow; it is dashed if its weight is negative. */
void arrow_draw(const ViewContext *context, const Arrow *arrow, Colour colour);
void arrows_draw(const ViewContext *context, const Arrow *arrows, int count,
                 const ArrowsStyle *style);

/* Return the arrow nearest to the pointer, or -1 if none is close enough. */
int arrow_at_pointer(const ViewContext *context, const Arrow *arrows, int count);

#endif
