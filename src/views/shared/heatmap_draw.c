#include "math/pool.h"
#include "views/shared/heatmap_cache.h"

static float colour_value(const ViewContext *c, const HeatmapTile *tile, float value) {
    Warp warp = (Warp)c->settings->warp;
    return warp == WARP_LINEAR ? value : warp_at(warp, value, tile->hi);
}

static void pool_tile(const ViewContext *c, Mat *out, const HeatmapTile *tile, int pool) {
    pool_blocks(out, &tile->values, pool, pool);
    for (int i = 0; i < out->rows; i++)
        for (int j = 0; j < out->cols; j++)
            mat_row(out, i)[j] = colour_value(c, tile, mat_row(out, i)[j]);
}

/* Pool all tiles of a layer, unless they are pooled already. */
static bool pool_layer(const ViewContext *c, HeatmapCache *cache, int layer, int pool) {
    PoolKey key = {.serial = cache->shown.serial, .pool = pool, .warp = c->settings->warp};
    const PoolKey *made = &cache->pool_key[layer];
    Err err;
    if (key.serial == made->serial && key.pool == made->pool && key.warp == made->warp)
        return true;
    int side = (c->run->T + pool - 1) / pool;
    const HeatmapLayer *l = &cache->shown.layer[layer];
    uint64_t each = mat_bytes(side, side) + ARENA_ALIGN;
    if (!arena_reserve(&cache->pooled[layer], each * (size_t)l->count, &err)) {
        ui_fail(c->ui, err.what, err.why);
        return false;
    }
    for (int i = 0; i < l->count; i++) {
        cache->pool[layer][i] = mat_push(&cache->pooled[layer], side, side);
        if (l->tile[i].id != TILE_MASK)
            pool_tile(c, &cache->pool[layer][i], &l->tile[i], pool);
    }
    cache->pool_key[layer] = key;
    return true;
}

bool heatmap_begin(const ViewContext *c, int layer, const HeatmapWindow *window) {
    HeatmapCache *cache = c->memory->heads.shown;
    Err err;
    if (window->pool > 1)
        return pool_layer(c, cache, layer, window->pool);
    uint64_t each = mat_bytes(window->rows, window->cols) + ARENA_ALIGN;
    size_t tiles = (size_t)cache->shown.layer[layer].count;
    if (c->settings->warp == WARP_LINEAR || arena_reserve(&cache->parts[layer], each * tiles, &err))
        return true;
    ui_fail(c->ui, err.what, err.why);
    return false;
}

/* Return a copy of the values in w, mapped to the colour scale's curve. */
static Mat part_copy(const ViewContext *c, HeatmapCache *cache, int layer, int index,
                     const HeatmapWindow *w) {
    const HeatmapTile *tile = &cache->shown.layer[layer].tile[index];
    Mat out = mat_push(&cache->parts[layer], w->rows, w->cols);
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->cols; j++) {
            int row = w->first_row + i, col = w->first_col + j;
            float value = mat_row(&tile->values, row)[col];
            mat_row(&out, i)[j] = colour_value(c, tile, value);
        }
    return out;
}

HeatmapPart heatmap_part(const ViewContext *c, int layer, int index, const HeatmapWindow *w) {
    HeatmapCache *cache = c->memory->heads.shown;
    const HeatmapTile *tile = &cache->shown.layer[layer].tile[index];
    bool linear = c->settings->warp == WARP_LINEAR;
    HeatmapPart part = {.hi = linear ? tile->hi : 1};
    part.lo = tile->is_signed ? -part.hi : 0;
    if (w->pool == 1 && !linear) {
        part.values = part_copy(c, cache, layer, index, w);
        return part;
    }
    const Mat *from = w->pool > 1 ? &cache->pool[layer][index] : &tile->values;
    Mat rows = mat_rows(from, w->first_row, w->rows);
    part.values = mat_cols(&rows, w->first_col, w->cols);
    return part;
}

void heatmap_scale(const ViewContext *c, Rect rect, const HeatmapTile *tile, float marked,
                   float size) {
    ScaleBar bar = view_scale_of(c, tile->hi, tile->is_signed);
    bar.marked = marked;
    bar.even = tile->is_signed || size > 0 ? 0 : view_even_share(c);
    bar.warp = (Warp)c->settings->warp;
    bar.size = size;
    scale_bar(c->ui, rect, &bar);
}
