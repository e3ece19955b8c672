/* edges.h: which weights of a head are drawn as edges. Pure. */
#ifndef HEADLIGHT_VIEWS_EDGES_H
#define HEADLIGHT_VIEWS_EDGES_H

#include <stddef.h>

#include "math/mat.h"
#include "model/mask.h"

#define EDGES_PER_TOKEN_MAX 16
#define EDGES_DRAWN_MAX     2000

typedef struct Edge {
    int query, key;
    float weight;
} Edge;

typedef struct EdgeList {
    Edge *at; /* weakest first, so that the strongest is drawn on top */
    int count;
    int left_out; /* chosen, but past EDGES_DRAWN_MAX */
    double share; /* of all the head's weight, 0 to 1 */
} EdgeList;

size_t edges_bytes(int T);

/* The `most` heaviest open keys of every query of weights (T, T); of these the EDGES_DRAWN_MAX
 * heaviest. Of equal weights the earlier key comes first. Weights that are 0 or not finite are
 * no edges. */
EdgeList edges_top(Arena *scratch, const Mat *weights, const Mask *mask, int most);

#endif
