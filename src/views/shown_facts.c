#include <math.h>
#include <stdio.h>

#include "model/percentile.h"
#include "model/similarity.h"
#include "model/spectrum.h"
#include "views/shown_cache.h"

#define RANK_ALL_MAX (1 << 20) /* heads·T³ up to which every head's effective rank is found */
#define RANK_ONE_MAX (1 << 22) /* T³ up to which the chosen head's is */

/* A round end: two figures, upwards. */
static float round_up(float most) {
    if (!(most > 0) || !isfinite(most))
        return 1;
    float step = powf(10, floorf(log10f(most)) - 1);
    return ceilf(most / step - 1e-3f) * step;
}

/* Weights end at a multiple of 0.05 where nothing is cut off. */
static float scale_end(const ViewContext *c, const ShownTile *tile, float most) {
    bool is_whole = !tile->is_signed && c->settings->clamp >= 100;
    if (!is_whole)
        return c->settings->clamp >= 100 ? round_up(most) : most > 0 ? most : 1;
    float top = ceilf(most * 20 - 1e-4f) / 20;
    return top > 0 ? fminf(top, 1) : 1;
}

bool shown_scales(const ViewContext *c, ShownCache *cache, Err *err) {
    Mat all[RUN_LAYERS_MAX * TILES_MAX];
    ShownTile *tiles[RUN_LAYERS_MAX * TILES_MAX];
    int count = 0;
    if (!arena_reserve(&cache->counters, PERCENTILE_SCRATCH * sizeof(uint32_t), err))
        return false;
    uint32_t *scratch = arena_push(&cache->counters, PERCENTILE_SCRATCH * sizeof *scratch);
    for (int layer = 0; layer < cache->shown.layers; layer++)
        for (int i = 0; i < cache->shown.layer[layer].count; i++)
            if (cache->shown.layer[layer].tile[i].id != TILE_MASK) {
                tiles[count] = &cache->shown.layer[layer].tile[i];
                all[count] = tiles[count]->values;
                count++;
            }
    double percent = (double)c->settings->clamp;
    bool own = c->settings->own_scale != 0;
    float shared = own ? 0 : magnitude_percentile(all, count, percent, scratch);
    cache->shown.is_zero = magnitude_percentile(all, count, 100, scratch) <= 0;
    for (int i = 0; i < count; i++)
        tiles[i]->hi = scale_end(c, tiles[i],
                                 own ? magnitude_percentile(&all[i], 1, percent, scratch) : shared);
    return true;
}

static double rank_of(const ViewContext *c, int layer, int head, int heads) {
    double T = c->run->T, one = T * T * T;
    bool chosen = head == c->session->options.head - 1;
    if (one * heads > RANK_ALL_MAX && !(chosen && one <= RANK_ONE_MAX))
        return NAN;
    Mat A = run_weights(c->run, layer, head);
    return spectrum_matrix_effective_rank(&A);
}

bool shown_facts(const ViewContext *c, ShownCache *cache, Err *err) {
    int T = c->run->T, H = c->session->options.heads, layers = c->run->layer_count;
    size_t heads = (size_t)H * (size_t)layers;
    if (cache->facts_revision == c->run->revision && cache->facts_head == c->session->options.head)
        return true;
    size_t bytes = arena_padded(heads * sizeof(Role)) + arena_padded(heads * sizeof(double)) +
                   mat_bytes(T, T) + ARENA_ALIGN + similarity_scratch_bytes(T, c->run->X.cols);
    if (!arena_reserve(&cache->facts, bytes, err))
        return false;
    cache->facts_revision = c->run->revision;
    cache->facts_head = c->session->options.head;
    cache->shown.roles = arena_push(&cache->facts, heads * sizeof(Role));
    cache->shown.rank = arena_push(&cache->facts, heads * sizeof(double));
    Mat alike = mat_push(&cache->facts, T, T);
    similarity_cosine(&alike, &c->run->X, &cache->facts);
    for (int layer = 0; layer < layers; layer++)
        for (int head = 0; head < H; head++) {
            Mat A = run_weights(c->run, layer, head);
            role_of(&cache->shown.roles[layer * H + head], &A, &c->run->mask, &alike);
            cache->shown.rank[layer * H + head] = rank_of(c, layer, head, H * layers);
        }
    return true;
}
