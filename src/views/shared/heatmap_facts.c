/* The order of the tokens, the colour scales of the tiles, and two facts about each head: its
 * pattern and its effective rank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/analysis/similarity.h"
#include "model/analysis/spectrum.h"
#include "views/shared/heatmap_cache.h"

/* Largest heads·T³ for which the effective rank of every head is computed. */
#define RANK_ALL_MAX (1 << 25)
/* Largest T³ for which the effective rank of the chosen head is computed. */
#define RANK_ONE_MAX (1 << 28)

/* Return a number rounded up to two significant digits, or 1 if it is not positive and finite. */
static float round_up(float most) {
    if (!(most > 0) || !isfinite(most))
        return 1;
    float step = powf(10, floorf(log10f(most)) - 1);
    return ceilf(most / step - 1e-3f) * step;
}

/* Return the end of a tile's colour scale: 1 for weights on the fixed scale; `most` if values are
 * clamped; otherwise `most` rounded up, for weights to a multiple of 0.05. */
static float scale_end(const ViewContext *c, const HeatmapTile *tile, float most) {
    bool is_whole = !tile->is_signed && c->settings->maps.clamp >= 100;
    if (!tile->is_signed && c->settings->maps.range == RANGE_UNIT)
        return 1;
    if (!is_whole)
        return c->settings->maps.clamp >= 100 ? round_up(most) : most > 0 ? most : 1;
    return view_scale_end(most);
}

void heatmap_scales(const ViewContext *c, HeatmapCache *cache) {
    Mat all[RESULTS_LAYERS_MAX * TILES_MAX] = {{0}};
    HeatmapTile *tiles[RESULTS_LAYERS_MAX * TILES_MAX];
    int count = 0;
    double percent = (double)c->settings->maps.clamp;
    for (int layer = 0; layer < cache->shown.layers; layer++)
        for (int i = 0; i < cache->shown.layer[layer].count; i++)
            if (cache->shown.layer[layer].tile[i].id != TILE_MASK) {
                tiles[count] = &cache->shown.layer[layer].tile[i];
                all[count] = tiles[count]->values;
                count++;
            }
    bool own = c->settings->maps.range == RANGE_EACH;
    float shared = own ? 0 : magnitude_percentile(all, count, percent, cache->counters);
    /* the same end as in every other view */
    if (!own && count > 0 && !tiles[0]->is_signed && percent >= 100)
        shared = fmaxf(shared, run_largest_A(c->run));
    cache->shown.is_zero = magnitude_percentile(all, count, 100, cache->counters) <= 0;
    for (int i = 0; i < count; i++)
        tiles[i]->hi = scale_end(
            c, tiles[i], own ? magnitude_percentile(&all[i], 1, percent, cache->counters) : shared);
}

static void weigh(const ViewContext *c, double *queries, double *keys) {
    Mat A = results_weights(c->run, 0, c->session->options.head - 1);
    int T = c->run->T;
    AttnCell pin = view_pin(c);
    for (int i = 0; i < T; i++)
        queries[i] = keys[i] = 0;
    for (int i = 0; i < T && c->settings->maps.order == ORDER_WEIGHT; i++)
        for (int j = 0; j < T; j++) {
            keys[j] += (double)mat_row(&A, i)[j];
            queries[j] = keys[j];
        }
    for (int i = 0; i < T && c->settings->maps.order == ORDER_PINNED && attn_cell_is_set(pin);
         i++) {
        keys[i] = (double)mat_row(&A, pin.query)[i];
        queries[i] = (double)mat_row(&A, i)[pin.key];
    }
}

static int heavier_first(const void *left, const void *right) {
    const RankedToken *a = left, *b = right;
    return a->weight != b->weight ? (a->weight < b->weight ? 1 : -1) : a->token - b->token;
}

void heatmap_order(const ViewContext *c, HeatmapCache *cache) {
    int T = c->run->T;
    weigh(c, cache->weight[0], cache->weight[1]);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < T; i++) {
            double weight = cache->weight[side][i];
            cache->ranked[i] = (RankedToken){isnan(weight) ? 0 : weight, i};
        }
        qsort(cache->ranked, (size_t)T, sizeof *cache->ranked, heavier_first);
        for (int i = 0; i < T; i++) {
            cache->at[side][i] = cache->ranked[i].token;
            cache->place[side][cache->ranked[i].token] = i;
        }
    }
    cache->shown.query_at = cache->at[0];
    cache->shown.key_at = cache->at[1];
    cache->shown.query_place = cache->place[0];
    cache->shown.key_place = cache->place[1];
}

/* True if the effective rank of every head is computed, not only that of the chosen head. heads:
 * their number in all layers. */
static bool heatmap_ranks_all(int T, int heads) {
    return (double)T * T * T * heads <= RANK_ALL_MAX;
}

bool heatmap_ranks_one(int T, int heads) {
    return !heatmap_ranks_all(T, heads) && (double)T * T * T <= RANK_ONE_MAX;
}

/* Return the effective rank of the head; compute it only if it is unknown. NaN if it would take too
 * long. */
static double rank_of(const ViewContext *c, int layer, int head, double known, Err *err) {
    int T = c->run->T, heads = c->session->options.heads * c->run->layer_count;
    bool is_chosen = head == c->session->options.head - 1;
    if (!heatmap_ranks_all(T, heads) && !(is_chosen && heatmap_ranks_one(T, heads)))
        return NAN;
    Mat A = results_weights(c->run, layer, head);
    if (isnan(known))
        spectrum_matrix_effective_rank(&known, &A, NULL, err);
    return known;
}

void heatmap_facts_copy(HeatmapCache *cache, const HeatmapCache *from, const ViewContext *c) {
    if (from->facts_revision != c->run->revision)
        return;
    memcpy(cache->roles, from->roles, sizeof cache->roles);
    memcpy(cache->rank, from->rank, sizeof cache->rank);
    cache->facts_revision = from->facts_revision;
}

static bool find_roles(const ViewContext *c, HeatmapCache *cache, const Job *job, Err *err) {
    int T = c->run->T, H = c->session->options.heads;
    uint64_t bytes = mat_bytes(T, T) + ARENA_ALIGN + similarity_scratch_bytes(T, c->run->X.cols) +
                     arena_padded((size_t)T * sizeof(int));
    if (!arena_reserve(&cache->facts, bytes, err))
        return false;
    int *word = arena_push(&cache->facts, (size_t)T * sizeof *word);
    results_words(word, c->run);
    Mat alike = mat_push(&cache->facts, T, T);
    similarity_cosine(&alike, &c->run->X, &cache->facts);
    for (int layer = 0; layer < c->run->layer_count; layer++)
        for (int head = 0; head < H; head++) {
            Mat A = results_weights(c->run, layer, head);
            head_pattern_of(&cache->roles[layer * H + head], &A, &c->run->mask, &alike, word);
            cache->rank[layer * H + head] = NAN;
            if (!job_goes_on(job))
                return err_fail(err, "", "The computation was stopped.");
        }
    return true;
}

bool heatmap_facts(const ViewContext *c, HeatmapCache *cache, const Job *job, Err *err) {
    int H = c->session->options.heads, layers = c->run->layer_count;
    if (cache->facts_revision != c->run->revision && !find_roles(c, cache, job, err))
        return false;
    cache->facts_revision = c->run->revision;
    cache->shown.roles = cache->roles;
    cache->shown.rank = cache->rank;
    cache->shown.rank_err = (Err){0};
    for (int layer = 0; layer < layers; layer++)
        for (int head = 0; head < H; head++) {
            double *rank = &cache->rank[layer * H + head];
            *rank = rank_of(c, layer, head, *rank, &cache->shown.rank_err);
            if (!job_goes_on(job))
                return err_fail(err, "", "The computation was stopped.");
        }
    return true;
}
