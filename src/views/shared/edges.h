/* edges.h: which weights of a head are drawn as edges. Pure. */
#ifndef HEADLIGHT_VIEWS_SHARED_EDGES_H
#define HEADLIGHT_VIEWS_SHARED_EDGES_H

#include <stddef.h>

#include "base/registry.h"
#include "math/mat.h"
#include "model/attention/mask.h"

#define EDGES_PER_TOKEN_MAX 16
#define EDGES_DRAWN_MAX     2000 /* of arcs beside the wall */

/* Signed where edges are scores; all orders below go by the magnitude. */
typedef struct Edge {
    int query, key;
    float weight;
} Edge;

typedef struct EdgeList {
    Edge *at; /* weakest first, so that the strongest is drawn on top */
    int count;
    int left_out; /* chosen, but past what is drawn at most */
    int all;      /* edges that there are: open, finite and not 0 */
    double share; /* of all the head's weight, 0 to 1: of the sum of magnitudes over all */
} EdgeList;

/* Which of a row's edges are chosen; rows of the registry EDGE_FILTERS in this order. */
typedef enum EdgeFilterKind {
    EDGES_TOP,   /* the `top` heaviest of each query */
    EDGES_ABOVE, /* all of at least `above` */
    EDGES_MASS,  /* the fewest heaviest of each query that have that share of its row */
    EDGE_FILTER_COUNT
} EdgeFilterKind;
extern const Registry EDGE_FILTERS;

typedef struct EdgeFilter {
    EdgeFilterKind kind;
    int top;
    float above, mass;
    bool above_is_share;        /* of the head's heaviest, where that can be any number */
    bool hide_self, hide_first; /* the edge to itself, and all to the first token */
    int drawn_max;
} EdgeFilter;

/* A choice among the rows of a head, which come one after the other. */
typedef struct EdgePick {
    EdgeFilter filter;
    int T;
    float least;       /* of EDGES_ABOVE */
    Edge *row, *other; /* T: the row at hand, and room to sort it */
    Edge *at;          /* those chosen so far */
    int count, left_out, all;
    double weight; /* of all, chosen or not: the sum of magnitudes */
} EdgePick;

/* Bytes of scratch for a list over T tokens of which at most drawn_max are drawn. */
size_t edges_bytes(int T);
size_t edges_select_bytes(int T, int drawn_max);

/* The `most` heaviest open keys of every query of weights (T, T); of these the EDGES_DRAWN_MAX
 * heaviest. Of equal weights the earlier key comes first. Weights that are 0 or not finite are
 * no edges. */
EdgeList edges_top(Arena *scratch, const Mat *weights, const Mask *mask, int most);

/* The same by any filter. What is hidden counts for share, so that the share says what is seen. */
EdgeList edges_select(Arena *scratch, const Mat *weights, const Mask *mask,
                      const EdgeFilter *filter);

/* The same row by row, of values (T) and whether their keys are open (T). largest is the largest
 * magnitude of all, where above_is_share. The list of edges_end lies in the scratch. */
EdgePick edges_begin(Arena *scratch, int T, const EdgeFilter *filter, float largest);
void edges_add_row(EdgePick *pick, int query, const float *values, const uint8_t *open);
EdgeList edges_end(EdgePick *pick);

#endif
