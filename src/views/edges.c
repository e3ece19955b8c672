#include "views/edges.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

#define DIGIT_BITS 8 /* four digits: an even number, so that the row ends where it began */
#define DIGIT_MASK ((1 << DIGIT_BITS) - 1)

static const Entry FILTER_ROWS[] = {
    [EDGES_TOP] = {"top", "Top k", "the k largest of each row",
                   "So many edges for each query: the keys that it reads most."},
    [EDGES_ABOVE] = {"above", "Above", "a ≥ x", "Every edge that is heavy enough."},
    [EDGES_MASS] = {"mass", "Mass", "Σ a ≥ p, the fewest",
                    "For each query the fewest edges that hold this share of its row."},
};
static_assert(ARRAY_COUNT(FILTER_ROWS) == EDGE_FILTER_COUNT, "one row for each filter");
const Registry EDGE_FILTERS = {"filters", "filter", FILTER_ROWS, sizeof FILTER_ROWS[0],
                               EDGE_FILTER_COUNT};

/* The edges chosen so far. Where more are chosen than drawn, the heaviest stay: a heap with the
 * lightest of them first. */
typedef struct Chosen {
    Edge *at;
    int count, most, left_out;
} Chosen;

size_t edges_select_bytes(int T, int drawn_max) {
    return arena_padded((size_t)drawn_max * sizeof(Edge)) +
           2 * arena_padded((size_t)T * sizeof(Edge));
}

size_t edges_bytes(int T) {
    return edges_select_bytes(T, EDGES_DRAWN_MAX);
}

/* Whether a is drawn before b: it is lighter, or as heavy and later in the matrix. */
static int by_weight(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    float weight_a = fabsf(a->weight), weight_b = fabsf(b->weight);
    if (weight_a != weight_b)
        return weight_a < weight_b ? -1 : 1;
    int row = (a->query < b->query) - (a->query > b->query);
    return row != 0 ? row : (a->key < b->key) - (a->key > b->key);
}

/* The magnitude's bits, which are in its order, the other way round. */
static uint32_t lightness(const Edge *edge) {
    uint32_t bits;
    memcpy(&bits, &edge->weight, sizeof bits);
    return ~bits & 0x7FFFFFFFu;
}

/* Sort a row that is in the order of its keys, heaviest first and of equal ones the earlier key: by
 * digits, the last one first, each time into the other array. A row of a thousand takes a tenth of
 * the time that comparing takes. */
static void sort_heaviest(Edge *row, Edge *other, int count) {
    Edge *from = row, *to = other;
    for (int shift = 0; shift < 31; shift += DIGIT_BITS) {
        int starts[1 << DIGIT_BITS] = {0}, sum = 0;
        for (int i = 0; i < count; i++)
            starts[lightness(&from[i]) >> shift & DIGIT_MASK]++;
        for (int digit = 0; digit <= DIGIT_MASK; digit++) {
            int many = starts[digit];
            starts[digit] = sum;
            sum += many;
        }
        for (int i = 0; i < count; i++)
            to[starts[lightness(&from[i]) >> shift & DIGIT_MASK]++] = from[i];
        Edge *before = from;
        from = to;
        to = before;
    }
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

static void choose(Chosen *chosen, Edge edge) {
    if (chosen->count < chosen->most) {
        chosen->at[chosen->count] = edge;
        sift_up(chosen->at, chosen->count++);
        return;
    }
    chosen->left_out++;
    if (chosen->most == 0 || by_weight(&edge, &chosen->at[0]) < 0)
        return;
    chosen->at[0] = edge;
    sift_down(chosen->at, chosen->count);
}

/* A row's edges with what all of them weigh. */
static int row_edges(Edge *row, double *all, const Mat *weights, const Mask *mask, int query) {
    const float *values = mat_row(weights, query);
    const uint8_t *open = mask_row(mask, query);
    int count = 0;
    for (int j = 0; j < weights->cols; j++) {
        if (!open[j] || !isfinite(values[j]) || values[j] == 0)
            continue;
        *all += fabs((double)values[j]);
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

/* Of a row that is sorted, heaviest first. */
static int mass_count(const Edge *row, int count, double mass, double row_all) {
    double sum = 0;
    int kept = 0;
    while (kept < count && sum < mass * row_all * (1 - 1e-6))
        sum += fabs((double)row[kept++].weight);
    return kept;
}

static float largest_of(const Mat *weights, const Mask *mask) {
    float most = 0;
    for (int i = 0; i < weights->rows; i++)
        for (int j = 0; j < weights->cols; j++)
            if (mask_row(mask, i)[j] && isfinite(mat_row(weights, i)[j]))
                most = fmaxf(most, fabsf(mat_row(weights, i)[j]));
    return most;
}

/* The `top` heaviest to the front, in order: a row is long and few of it are wanted. */
static int keep_top(Edge *row, int count, int top) {
    int kept = top < count ? top : count;
    for (int i = 0; i < kept; i++)
        for (int j = count - 1; j > i; j--)
            if (by_weight(&row[j], &row[i]) > 0) {
                Edge heavier = row[j];
                row[j] = row[i];
                row[i] = heavier;
            }
    return kept;
}

/* other has as much room as the row. */
static int filter_row(Edge *row, Edge *other, int count, const EdgeFilter *filter, float least,
                      double row_all) {
    count = drop_hidden(row, count, filter);
    switch (filter->kind) {
    case EDGES_TOP:
        return keep_top(row, count, filter->top);
    case EDGES_ABOVE:
        return keep_above(row, count, least);
    case EDGES_MASS:
        sort_heaviest(row, other, count);
        return mass_count(row, count, (double)filter->mass, row_all);
    case EDGE_FILTER_COUNT:
        break;
    }
    return count;
}

EdgeList edges_select(Arena *scratch, const Mat *weights, const Mask *mask,
                      const EdgeFilter *filter) {
    Edge *row = arena_push(scratch, (size_t)weights->cols * sizeof *row);
    Edge *other = arena_push(scratch, (size_t)weights->cols * sizeof *other);
    Chosen chosen = {.at = arena_push(scratch, (size_t)filter->drawn_max * sizeof(Edge)),
                     .most = filter->drawn_max};
    EdgeList list = {.at = chosen.at};
    double all = 0, shown = 0;
    bool relative = filter->kind == EDGES_ABOVE && filter->above_is_share;
    float least = filter->above * (relative ? largest_of(weights, mask) : 1);
    for (int i = 0; i < weights->rows; i++) {
        double before = all;
        int count = row_edges(row, &all, weights, mask, i);
        list.all += count;
        count = filter_row(row, other, count, filter, least, all - before);
        for (int j = 0; j < count; j++)
            choose(&chosen, row[j]);
    }
    qsort(list.at, (size_t)chosen.count, sizeof *list.at, by_weight);
    list.count = chosen.count;
    list.left_out = chosen.left_out;
    for (int i = 0; i < list.count; i++)
        shown += fabs((double)list.at[i].weight);
    list.share = all > 0 ? shown / all : 0;
    return list;
}

EdgeList edges_top(Arena *scratch, const Mat *weights, const Mask *mask, int most) {
    EdgeFilter filter = {.kind = EDGES_TOP,
                         .top = most < EDGES_PER_TOKEN_MAX ? most : EDGES_PER_TOKEN_MAX,
                         .drawn_max = EDGES_DRAWN_MAX};
    return edges_select(scratch, weights, mask, &filter);
}
