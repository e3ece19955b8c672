#include <string.h>

#include "views/shared/heatmap_cache.h"

/* Fill the first T of the 2T entries of `at` with the tokens by descending weight; the others are
 * scratch. Of two equal weights the earlier token comes first, because the sort is stable. */
static void sort_by(int *at, const double *weight, int T) {
    for (int i = 0; i < T; i++)
        at[i] = i;
    /* Merge neighbouring sorted runs, of 1, 2, 4 … tokens. */
    int *from = at, *to = at + T;
    for (int run = 1; run < T; run *= 2) {
        for (int start = 0; start < T; start += 2 * run) {
            int a = start, a_end = start + run < T ? start + run : T;
            int b = a_end, b_end = a_end + run < T ? a_end + run : T;
            for (int k = start; k < b_end; k++) {
                bool take_a = a < a_end && (b >= b_end || !(weight[from[b]] > weight[from[a]]));
                to[k] = take_a ? from[a++] : from[b++];
            }
        }
        int *swap = from;
        from = to;
        to = swap;
    }
    if (from != at)
        memcpy(at, from, (size_t)T * sizeof *at);
}

static void weigh(const ViewContext *c, double *queries, double *keys) {
    Mat A = results_weights(c->run, 0, c->session->options.head - 1);
    int T = c->run->T;
    AttnCell pin = view_pin(c);
    for (int i = 0; i < T; i++)
        queries[i] = keys[i] = 0;
    for (int i = 0; i < T && c->settings->order == ORDER_WEIGHT; i++)
        for (int j = 0; j < T; j++) {
            keys[j] += (double)mat_row(&A, i)[j];
            queries[j] = keys[j];
        }
    for (int i = 0; i < T && c->settings->order == ORDER_PINNED && attn_cell_is_set(pin); i++) {
        keys[i] = (double)mat_row(&A, pin.query)[i];
        queries[i] = (double)mat_row(&A, i)[pin.key];
    }
}

bool heatmap_order(const ViewContext *c, HeatmapCache *cache, Err *err) {
    size_t T = (size_t)c->run->T;
    uint64_t ints = arena_padded(2 * T * sizeof(int)), doubles = arena_padded(T * sizeof(double));
    if (!arena_reserve(&cache->order, 4 * ints + 2 * doubles, err))
        return false;
    int *at[2], *place[2];
    double *weight[2];
    for (int side = 0; side < 2; side++) {
        at[side] = arena_push(&cache->order, 2 * T * sizeof(int));
        place[side] = arena_push(&cache->order, 2 * T * sizeof(int));
        weight[side] = arena_push(&cache->order, T * sizeof(double));
    }
    weigh(c, weight[0], weight[1]);
    for (int side = 0; side < 2; side++) {
        sort_by(at[side], weight[side], c->run->T);
        for (int i = 0; i < c->run->T; i++)
            place[side][at[side][i]] = i;
    }
    cache->shown.query_at = at[0];
    cache->shown.key_at = at[1];
    cache->shown.query_place = place[0];
    cache->shown.key_place = place[1];
    return true;
}
