/* edges.h: which weights of a head are drawn as edges. Pure. */
#ifndef HEADLIGHT_VIEWS_SHARED_EDGES_H
#define HEADLIGHT_VIEWS_SHARED_EDGES_H

#include <stddef.h>

#include "base/registry.h"
#include "math/mat.h"
#include "model/attention/mask.h"

#define EDGES_PER_TOKEN_MAX 16
#define EDGES_DRAWN_MAX     2000 /* most arcs drawn next to the wall */

/* An edge. The weight is negative for a negative score; orders use the magnitude. */
typedef struct Edge {
    int query, key;
    float weight;
} Edge;

typedef struct EdgeList {
    Edge *at; /* weakest first, so that the strongest is drawn on top */
    int count;
    int left_out; /* edges chosen but not drawn, because there are too many */
    int all;      /* all edges that exist: open, finite and not 0 */
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
    bool above_is_share; /* `above` is a share of the head's largest magnitude, for values without a
                            fixed range */
    bool hide_self, hide_first; /* hide edges to the same token, and all edges to the first token */
    int drawn_max;
} EdgeFilter;

/* A choice of edges, built row by row. */
typedef struct EdgePick {
    EdgeFilter filter;
    int T;
    float least;       /* least magnitude for EDGES_ABOVE */
    Edge *row, *other; /* (T) each: the current row, and room to sort it */
    Edge *at;          /* edges chosen so far */
    int count, left_out, all;
    double weight; /* sum of magnitudes of all edges, chosen or not */
} EdgePick;

/* Bytes of scratch memory for a list over T tokens of which at most drawn_max edges are drawn. */
size_t edges_bytes(int T);
size_t edges_select_bytes(int T, int drawn_max);

/* Return the `most` heaviest open keys of every query of weights (T, T), and of these the
 * EDGES_DRAWN_MAX heaviest. Of equal weights the earlier key comes first. Weights that are 0 or not
 * finite are not edges. */
EdgeList edges_top(Arena *scratch, const Mat *weights, const Mask *mask, int most);

/* Return the edges chosen by any filter. Hidden edges count in share, so that share says how much
 * is visible. */
EdgeList edges_select(Arena *scratch, const Mat *weights, const Mask *mask,
                      const EdgeFilter *filter);

/* Choose edges row by row. values (T) are a row's values, open (T) says which keys the mask leaves
 * open. largest is the head's largest magnitude, needed if above_is_share. edges_end returns a list
 * in the scratch arena. */
EdgePick edges_begin(Arena *scratch, int T, const EdgeFilter *filter, float largest);
void edges_add_row(EdgePick *pick, int query, const float *values, const uint8_t *open);
EdgeList edges_end(EdgePick *pick);

#endif
