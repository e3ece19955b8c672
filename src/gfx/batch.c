#include "gfx/batch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXEL_WORDS         4
#define INSTANCE_TEXELS_MAX 6

const size_t PIPELINE_TEXELS[PIPELINE_COUNT] = {
    [PIPELINE_SOLID] = 2, [PIPELINE_BOX] = 4,        [PIPELINE_CURVE] = 4, [PIPELINE_TRIANGLE] = 5,
    [PIPELINE_CELLS] = 5, [PIPELINE_CELLS_FADE] = 6, [PIPELINE_TEXT] = 4,
};

uint32_t batch_word(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

bool batcher_create(Batcher *batcher) {
    *batcher = (Batcher){.item_capacity = BATCH_WORDS_MAX / TEXEL_WORDS / 2};
    batcher->items = malloc(batcher->item_capacity * sizeof *batcher->items);
    batcher->words = malloc(BATCH_WORDS_MAX * sizeof *batcher->words);
    batcher->ordered = malloc(BATCH_WORDS_MAX * sizeof *batcher->ordered);
    if (batcher->items != NULL && batcher->words != NULL && batcher->ordered != NULL)
        return true;
    batcher_release(batcher);
    return false;
}

void batcher_release(Batcher *batcher) {
    free(batcher->items);
    free(batcher->words);
    free(batcher->ordered);
    *batcher = (Batcher){0};
}

void batcher_begin(Batcher *batcher, float width, float height, const PixelRect *regions,
                   int count) {
    assert(count <= BATCH_REGIONS);
    batcher->width = width;
    batcher->height = height;
    for (int i = 0; i < count; i++)
        batcher->regions[i] = regions[i];
    batcher->region_count = count;
    batcher->batch_count = 0;
    batcher->item_count = 0;
    batcher->word_count = batcher->ordered_count = 0;
    memset(batcher->top, 0, sizeof batcher->top);
}

bool batcher_has_room(const Batcher *batcher) {
    const size_t most = INSTANCE_TEXELS_MAX * TEXEL_WORDS * BATCH_REGIONS;
    return batcher->batch_count < BATCH_MAX && batcher->item_count < batcher->item_capacity &&
           batcher->ordered_count + most <= BATCH_WORDS_MAX;
}

static int tile_of(float at, float extent) {
    float tile = floorf(at / extent * BATCH_TILES);
    return (int)fmaxf(0, fminf(BATCH_TILES - 1, tile));
}

/* The tiles that bounds touches; right and bottom are exclusive. */
static PixelRect tiles_of(const Batcher *batcher, Rect bounds) {
    return (PixelRect){tile_of(bounds.x, batcher->width), tile_of(bounds.y, batcher->height),
                       tile_of(rect_right(bounds), batcher->width) + 1,
                       tile_of(rect_bottom(bounds), batcher->height) + 1};
}

static uint8_t regions_of(const Batcher *batcher, Rect bounds) {
    uint8_t found = 0;
    for (int i = 0; i < batcher->region_count; i++) {
        const PixelRect *r = &batcher->regions[i];
        bool touches = bounds.x < (float)r->right && rect_right(bounds) > (float)r->left &&
                       bounds.y < (float)r->bottom && rect_bottom(bounds) > (float)r->top;
        found |= (uint8_t)(touches << i);
    }
    return found;
}

static bool is_same(const PixelRect *a, const PixelRect *b) {
    return a->left == b->left && a->top == b->top && a->right == b->right && a->bottom == b->bottom;
}

static bool belongs(const Batch *batch, const BatchKey *key) {
    return batch->pipeline == key->pipeline && batch->texture == key->texture &&
           batch->before == key->before && batch->is_clipped == key->is_clipped &&
           (!key->is_clipped || is_same(&batch->scissor, &key->scissor));
}

/* The last batch that has drawn to any of the tiles, counted from 1, or 0. */
static size_t top_of(const Batcher *batcher, const PixelRect *tiles) {
    size_t top = 0;
    for (int y = tiles->top; y < tiles->bottom; y++)
        for (int x = tiles->left; x < tiles->right; x++)
            top = batcher->top[y][x] > top ? batcher->top[y][x] : top;
    return top;
}

static void lay(Batcher *batcher, const PixelRect *tiles, size_t batch) {
    for (int y = tiles->top; y < tiles->bottom; y++)
        for (int x = tiles->left; x < tiles->right; x++)
            batcher->top[y][x] = (uint16_t)(batch + 1);
}

/* The index of the earliest batch that an instance may join, which may be a new one. */
static size_t find_batch(Batcher *batcher, const BatchKey *key, const PixelRect *tiles) {
    size_t top = top_of(batcher, tiles), at = top > 0 ? top - 1 : 0;
    while (at < batcher->batch_count && !belongs(&batcher->batches[at], key))
        at++;
    if (at == batcher->batch_count)
        batcher->batches[batcher->batch_count++] = (Batch){.pipeline = key->pipeline,
                                                           .texture = key->texture,
                                                           .before = key->before,
                                                           .is_clipped = key->is_clipped,
                                                           .scissor = key->scissor};
    return at;
}

void batcher_add(Batcher *batcher, const BatchKey *key, const uint32_t *words) {
    assert(batcher_has_room(batcher));
    uint8_t regions = regions_of(batcher, key->bounds);
    if (regions == 0)
        return;
    PixelRect tiles = tiles_of(batcher, key->bounds);
    size_t at = find_batch(batcher, key, &tiles);
    size_t count = PIPELINE_TEXELS[key->pipeline] * TEXEL_WORDS;
    lay(batcher, &tiles, at);
    batcher->items[batcher->item_count++] =
        (BatchItem){(uint32_t)batcher->word_count, (uint16_t)at, regions};
    memcpy(batcher->words + batcher->word_count, words, count * sizeof *words);
    batcher->word_count += count;
    for (int i = 0; i < batcher->region_count; i++)
        if ((regions >> i & 1) != 0) {
            batcher->batches[at].count[i]++;
            batcher->ordered_count += count;
        }
}

void batcher_order(Batcher *batcher) {
    size_t texel = 0;
    for (size_t i = 0; i < batcher->batch_count; i++)
        for (int r = 0; r < batcher->region_count; r++) {
            Batch *batch = &batcher->batches[i];
            batch->first[r] = texel;
            texel += batch->count[r] * PIPELINE_TEXELS[batch->pipeline];
            batch->count[r] = 0;
        }
    for (size_t i = 0; i < batcher->item_count; i++) {
        const BatchItem *item = &batcher->items[i];
        Batch *batch = &batcher->batches[item->batch];
        size_t texels = PIPELINE_TEXELS[batch->pipeline];
        for (int r = 0; r < batcher->region_count; r++)
            if ((item->regions >> r & 1) != 0)
                memcpy(batcher->ordered +
                           (batch->first[r] + batch->count[r]++ * texels) * TEXEL_WORDS,
                       batcher->words + item->words_at, texels * TEXEL_WORDS * sizeof(uint32_t));
    }
}
