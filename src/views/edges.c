#include "views/edges.h"

#include <math.h>
#include <stdlib.h>

size_t edges_bytes(int T) {
    return arena_padded((size_t)T * EDGES_PER_TOKEN_MAX * sizeof(Edge));
}

/* Put an edge into the row's list, heaviest first, if it belongs there; returns the new count. */
static int row_insert(Edge *row, int count, int most, Edge edge) {
    int at = count < most ? count : most;
    while (at > 0 && row[at - 1].weight < edge.weight)
        at--;
    if (at >= most)
        return count;
    int last = count < most ? count : most - 1;
    for (int i = last; i > at; i--)
        row[i] = row[i - 1];
    row[at] = edge;
    return count < most ? count + 1 : count;
}

static int by_weight(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    int row = (a->query < b->query) - (a->query > b->query);
    return row != 0 ? row : (a->key < b->key) - (a->key > b->key);
}

EdgeList edges_top(Arena *scratch, const Mat *weights, const Mask *mask, int most) {
    EdgeList list = {.at = arena_push(scratch, edges_bytes(weights->rows))};
    double all = 0, shown = 0;
    most = most < EDGES_PER_TOKEN_MAX ? most : EDGES_PER_TOKEN_MAX;
    for (int i = 0; i < weights->rows; i++) {
        const float *row = mat_row(weights, i);
        const uint8_t *open = mask_row(mask, i);
        Edge *chosen = list.at + list.count;
        int count = 0;
        for (int j = 0; j < weights->cols; j++) {
            if (!open[j] || !isfinite(row[j]) || row[j] <= 0)
                continue;
            all += (double)row[j];
            count = row_insert(chosen, count, most, (Edge){i, j, row[j]});
        }
        list.count += count;
    }
    qsort(list.at, (size_t)list.count, sizeof *list.at, by_weight);
    if (list.count > EDGES_DRAWN_MAX) {
        list.left_out = list.count - EDGES_DRAWN_MAX;
        list.at += list.left_out;
        list.count = EDGES_DRAWN_MAX;
    }
    for (int i = 0; i < list.count; i++)
        shown += (double)list.at[i].weight;
    list.share = all > 0 ? shown / all : 0;
    return list;
}
