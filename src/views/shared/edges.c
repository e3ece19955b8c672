#include "views/shared/edges.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

#define BINS 256
#define FEW  48 /* sort up to this number of edges; use bins for more */

static const Entry FILTER_ROWS[] = {
    [EDGES_TOP] = {"top", "Top k", "the k largest of each row",
                   "So many edges for each query: the keys that it reads most."},
    [EDGES_ABOVE] = {"above", "Above", "a ≥ x", "Every edge that is heavy enough."},
    [EDGES_MASS] = {"mass", "Mass", "Σ a ≥ p, the fewest",
                    "For each query the fewest edges that hold this share of its row."},
};
static_assert(ARRAY_COUNT(FILTER_ROWS) == EDGE_FILTER_COUNT, "one row for each filter");
const Registry EDGE_FILTERS = REGISTRY("filters", "filter", FILTER_ROWS);

size_t edges_select_bytes(int T, int drawn_max) {
    return arena_padded((size_t)drawn_max * sizeof(Edge)) +
           2 * arena_padded((size_t)T * sizeof(Edge));
}

size_t edges_bytes(int T) {
    return edges_select_bytes(T, EDGES_DRAWN_MAX);
}

/* Order edges for drawing: lighter first; of equal weights, the later one in the matrix first. */
static int by_weight(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    float weight_a = fabsf(a->weight), weight_b = fabsf(b->weight);
    if (weight_a != weight_b)
        return weight_a < weight_b ? -1 : 1;
    int row = (a->query < b->query) - (a->query > b->query);
    return row != 0 ? row : (a->key < b->key) - (a->key > b->key);
}

static void sift_down(Edge *heap, int count) {
    for (int at = 0, child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && by_weight(&heap[child + 1], &heap[child]) < 0)
            child++;
        if (by_weight(&heap[at], &heap[child]) <= 0)
            return;
        Edge lighter = heap[child];
        heap[child] = heap[at];
        heap[at] = lighter;
        at = child;
    }
}

static void sift_up(Edge *heap, int at) {
    for (int parent = (at - 1) / 2; at > 0 && by_weight(&heap[at], &heap[parent]) < 0;
         parent = (at - 1) / 2) {
        Edge lighter = heap[at];
        heap[at] = heap[parent];
        heap[parent] = lighter;
        at = parent;
    }
}

/* Add an edge. If more edges are chosen than can be drawn, a min-heap keeps the heaviest. */
static void choose(EdgePick *pick, const Edge *edge) {
    if (pick->count < pick->filter.drawn_max) {
        pick->at[pick->count] = *edge;
        sift_up(pick->at, pick->count++);
        return;
    }
    pick->left_out++;
    if (pick->count == 0 || fabsf(edge->weight) < fabsf(pick->at[0].weight) ||
        by_weight(edge, &pick->at[0]) < 0)
        return;
    pick->at[0] = *edge;
    sift_down(pick->at, pick->count);
}

/* Collect a row's edges and the sum of their magnitudes. */
static int row_edges(Edge *row, double *all, int query, const float *values, const uint8_t *open,
                     int T) {
    int count = 0;
    for (int j = 0; j < T; j++) {
        float size = fabsf(values[j]);
        if (!open[j] || !(size > 0 && size <= FLT_MAX))
            continue;
        *all += (double)size;
        row[count++] = (Edge){query, j, values[j]};
    }
    return count;
}

static int drop_hidden(Edge *row, int count, const EdgeFilter *filter) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool self = filter->hide_self && row[i].key == row[i].query;
        bool first = filter->hide_first && row[i].key == 0;
        if (!self && !first)
            row[kept++] = row[i];
    }
    return kept;
}

static int keep_above(Edge *row, int count, float least) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (fabsf(row[i].weight) >= least)
            row[kept++] = row[i];
    return kept;
}

/* Move the `top` heaviest edges to the front, in order. A row is long and top is small, so most
 * edges are read only once. */
static int keep_top(Edge *row, int count, int top) {
    Edge heaviest[EDGES_PER_TOKEN_MAX] = {{0, 0, 0}};
    int kept = 0, most = top < EDGES_PER_TOKEN_MAX ? top : EDGES_PER_TOKEN_MAX;
    for (int i = 0; i < count; i++) {
        float size = fabsf(row[i].weight);
        if (kept == most && (most == 0 || size <= fabsf(heaviest[kept - 1].weight)))
            continue;
        int at = kept < most ? kept++ : kept - 1;
        for (; at > 0 && fabsf(heaviest[at - 1].weight) < size; at--)
            heaviest[at] = heaviest[at - 1];
        heaviest[at] = row[i];
    }
    memcpy(row, heaviest, sizeof *row * (size_t)kept);
    return kept;
}

/* Return how many of the sorted edges, from the first on, together reach this weight. */
static int take_weight(const Edge *sorted, int count, double weight) {
    double sum = 0;
    int taken = 0;
    while (taken < count && sum < weight)
        sum += (double)fabsf(sorted[taken++].weight);
    return taken;
}

/* The bins of a row's edges by weight, evenly spaced from the heaviest to the lightest. */
typedef struct Bins {
    float most;
    double scale, weight[BINS];
} Bins;

static int bin_of(const Bins *bins, const Edge *edge) {
    return (int)((double)(bins->most - fabsf(edge->weight)) * bins->scale);
}

/* Fill the bins. Return false if all edges weigh the same. */
static bool fill_bins(Bins *bins, const Edge *from, int count) {
    float least = INFINITY;
    *bins = (Bins){.most = 0};
    for (int i = 0; i < count; i++) {
        float size = fabsf(from[i].weight);
        least = size < least ? size : least;
        bins->most = size > bins->most ? size : bins->most;
    }
    if (bins->most == least)
        return false;
    bins->scale = (BINS - 1) / (double)(bins->most - least);
    for (int i = 0; i < count; i++)
        bins->weight[bin_of(bins, &from[i])] += (double)fabsf(from[i].weight);
    return true;
}

/* Sort with the heaviest first; of equal edges, the earlier first. */
static void sort_few(Edge *at, int count) {
    for (int i = 1; i < count; i++) {
        Edge edge = at[i];
        int to = i;
        for (; to > 0 && fabsf(at[to - 1].weight) < fabsf(edge.weight); to--)
            at[to] = at[to - 1];
        at[to] = edge;
    }
}

/* Move the smallest set of heaviest edges with this total weight to the front, in any order. The
 * bin that contains the last edge of the set is divided into bins again, until it is small enough
 * to sort. other has room for the whole row. */
static int keep_weight(Edge *row, Edge *other, int count, double weight) {
    Bins bins;
    Edge *from = row;
    int kept = 0, left = count;
    for (; left > FEW && fill_bins(&bins, from, left); from = other) {
        int last = 0, same = 0;
        while (last < BINS - 1 && bins.weight[last] < weight)
            weight -= bins.weight[last++];
        for (int i = 0; i < left; i++) {
            int bin = bin_of(&bins, &from[i]);
            if (bin < last)
                row[kept++] = from[i];
            else if (bin == last)
                other[same++] = from[i];
        }
        left = same;
    }
    if (left <= FEW)
        sort_few(from, left);
    left = take_weight(from, left, weight);
    memmove(row + kept, from, sizeof *row * (size_t)left);
    return kept + left;
}

/* Filter one row. row_all is the weight of the whole row, hidden edges included. */
static int filter_row(EdgePick *pick, int count, double row_all) {
    const EdgeFilter *filter = &pick->filter;
    if (filter->hide_self || filter->hide_first)
        count = drop_hidden(pick->row, count, filter);
    switch (filter->kind) {
    case EDGES_TOP:
        return keep_top(pick->row, count, filter->top);
    case EDGES_ABOVE:
        return keep_above(pick->row, count, pick->least);
    case EDGES_MASS:
        return keep_weight(pick->row, pick->other, count,
                           (double)filter->mass * row_all * (1 - 1e-6));
    case EDGE_FILTER_COUNT:
        break;
    }
    return count;
}

EdgePick edges_begin(Arena *scratch, int T, const EdgeFilter *filter, float largest) {
    size_t row_bytes = (size_t)T * sizeof(Edge);
    return (EdgePick){.filter = *filter,
                      .T = T,
                      .least = filter->above * (filter->above_is_share ? largest : 1),
                      .row = arena_push(scratch, row_bytes),
                      .other = arena_push(scratch, row_bytes),
                      .at = arena_push(scratch, (size_t)filter->drawn_max * sizeof(Edge))};
}

void edges_add_row(EdgePick *pick, int query, const float *values, const uint8_t *open) {
    double before = pick->weight;
    int count = row_edges(pick->row, &pick->weight, query, values, open, pick->T);
    pick->all += count;
    count = filter_row(pick, count, pick->weight - before);
    for (int i = 0; i < count; i++)
        choose(pick, &pick->row[i]);
}

EdgeList edges_end(EdgePick *pick) {
    double shown = 0;
    qsort(pick->at, (size_t)pick->count, sizeof *pick->at, by_weight);
    for (int i = 0; i < pick->count; i++)
        shown += fabs((double)pick->at[i].weight);
    return (EdgeList){.at = pick->at,
                      .count = pick->count,
                      .left_out = pick->left_out,
                      .all = pick->all,
                      .share = pick->weight > 0 ? shown / pick->weight : 0};
}

static float largest_of(const Mat *weights, const Mask *mask) {
    float most = 0;
    for (int i = 0; i < weights->rows; i++)
        for (int j = 0; j < weights->cols; j++)
            if (mask_row(mask, i)[j] && isfinite(mat_row(weights, i)[j]))
                most = fmaxf(most, fabsf(mat_row(weights, i)[j]));
    return most;
}

EdgeList edges_select(Arena *scratch, const Mat *weights, const Mask *mask,
                      const EdgeFilter *filter) {
    bool relative = filter->kind == EDGES_ABOVE && filter->above_is_share;
    float largest = relative ? largest_of(weights, mask) : 0;
    EdgePick pick = edges_begin(scratch, weights->rows, filter, largest);
    for (int i = 0; i < weights->rows; i++)
        edges_add_row(&pick, i, mat_row(weights, i), mask_row(mask, i));
    return edges_end(&pick);
}

EdgeList edges_top(Arena *scratch, const Mat *weights, const Mask *mask, int most) {
    EdgeFilter filter = {.kind = EDGES_TOP,
                         .top = most < EDGES_PER_TOKEN_MAX ? most : EDGES_PER_TOKEN_MAX,
                         .drawn_max = EDGES_DRAWN_MAX};
    return edges_select(scratch, weights, mask, &filter);
}
