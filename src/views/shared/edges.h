/* edges.h: who reads whom: the weights of a head that are drawn as arrows. Pure. */
#ifndef HEADLIGHT_VIEWS_SHARED_EDGES_H
#define HEADLIGHT_VIEWS_SHARED_EDGES_H

#include "base/arena.h"
#include "base/registry.h"
#include "results/cell_story.h"

#define EDGES_PER_TOKEN_MAX 16
#define EDGES_DRAWN_MAX     2000 /* most arrows drawn next to the wall */

/* An edge from a query to a key. The weight is negative for a negative score; orders use the
 * magnitude. */
typedef struct Edge {
    AttnCell at;
    float weight; /* as it is drawn */
    float own;    /* in the matrix; it differs if the weights of a row are scaled to sum to 1 */
} Edge;

typedef struct EdgeList {
    Edge *at; /* weakest first, so that the strongest is drawn on top */
    int count;
    int left_out; /* edges chosen but not drawn, because there are too many */
    int all;      /* all edges that exist: finite and not 0 */
    double share; /* share of the head's total magnitude, 0 to 1 */
} EdgeList;

/* Which edges of a row are chosen; rows of the registry EDGE_FILTERS in this order. */
typedef enum EdgeFilterKind {
    EDGES_TOP,   /* the `top` heaviest of each query */
    EDGES_ABOVE, /* all with a magnitude of at least `above` */
    EDGES_MASS,  /* the fewest, heaviest of each query that carry this share of its row */
    EDGE_FILTER_COUNT
} EdgeFilterKind;
extern const Registry EDGE_FILTERS;

typedef struct EdgeFilter {
    EdgeFilterKind kind;
    int top;
    float above, mass;
    bool hide_self, hide_first; /* hide edges to the same token, and all edges to the first token */
    int drawn_max;
} EdgeFilter;

/* Bytes of scratch memory for a list over T tokens of which at most drawn_max edges are drawn. */
uint64_t edges_bytes(int T, int drawn_max);

/* Return the edges of one head that a filter chooses, and of these the drawn_max heaviest. values
 * (T, T) are 0 or not finite for closed keys, which are no edges. Of equal weights the earlier key
 * comes first. Hidden edges count in share, so that share says how much is visible. The list lies
 * in scratch. */
EdgeList edges_select(Arena *scratch, const Mat *values, int layer, int head,
                      const EdgeFilter *filter);

/* Return the `most` heaviest keys of every query, and of these the EDGES_DRAWN_MAX heaviest. */
EdgeList edges_top(Arena *scratch, const Mat *weights, int layer, int head, int most);

#endif
