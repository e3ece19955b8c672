#include "gfx/batch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_LOOK_BACK     24
#define TEXEL_WORDS         4
#define INSTANCE_TEXELS_MAX 6

const size_t PIPELINE_TEXELS[PIPELINE_COUNT] = {
    [PIPELINE_SOLID] = 2, [PIPELINE_BOX] = 4,        [PIPELINE_CURVE] = 4, [PIPELINE_TRIANGLE] = 5,
    [PIPELINE_CELLS] = 5, [PIPELINE_CELLS_FADE] = 6, [PIPELINE_TEXT] = 4,  [PIPELINE_INK] = 2,
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

void batcher_begin(Batcher *batcher, float width, float height) {
    batcher->width = width;
    batcher->height = height;
    batcher->batch_count = 0;
    batcher->item_count = 0;
    batcher->word_count = 0;
}

bool batcher_has_room(const Batcher *batcher) {
    return batcher->batch_count < BATCH_MAX && batcher->item_count < batcher->item_capacity &&
           batcher->word_count + INSTANCE_TEXELS_MAX * TEXEL_WORDS <= BATCH_WORDS_MAX;
}

static int tile_of(float at, float extent) {
    float tile = floorf(at / extent * BATCH_TILES);
    return (int)fmaxf(0, fminf(BATCH_TILES - 1, tile));
}

typedef struct TileRange {
    int top, bottom; /* inclusive */
    uint64_t row;
} TileRange;

static TileRange tiles_of(const Batcher *batcher, Rect bounds) {
    int left = tile_of(bounds.x, batcher->width);
    int right = tile_of(rect_right(bounds), batcher->width);
    uint64_t row = (~0ull >> (BATCH_TILES - 1 - (right - left))) << left;
    return (TileRange){tile_of(bounds.y, batcher->height),
                       tile_of(rect_bottom(bounds), batcher->height), row};
}

static bool covers(const Batch *batch, const TileRange *range) {
    for (int y = range->top; y <= range->bottom; y++)
        if ((batch->tiles[y] & range->row) != 0)
            return true;
    return false;
}

static bool is_same_scissor(const Batch *batch, const BatchKey *key) {
    if (!key->is_clipped || !batch->is_clipped)
        return key->is_clipped == batch->is_clipped;
    return batch->scissor.left == key->scissor.left && batch->scissor.top == key->scissor.top &&
           batch->scissor.right == key->scissor.right &&
           batch->scissor.bottom == key->scissor.bottom;
}

/* The latest batch an instance may join, or NULL. */
static Batch *find_batch(Batcher *batcher, const BatchKey *key, const TileRange *range) {
    size_t oldest =
        batcher->batch_count > BATCH_LOOK_BACK ? batcher->batch_count - BATCH_LOOK_BACK : 0;
    for (size_t i = batcher->batch_count; i-- > oldest;) {
        Batch *batch = &batcher->batches[i];
        if (batch->pipeline == key->pipeline && batch->texture == key->texture &&
            batch->before == key->before && is_same_scissor(batch, key))
            return batch;
        if (covers(batch, range))
            return NULL;
    }
    return NULL;
}

void batcher_add(Batcher *batcher, const BatchKey *key, const uint32_t *words) {
    assert(batcher_has_room(batcher));
    TileRange range = tiles_of(batcher, key->bounds);
    Batch *batch = find_batch(batcher, key, &range);
    if (batch == NULL) {
        batch = &batcher->batches[batcher->batch_count++];
        memset(batch, 0, sizeof *batch);
        batch->pipeline = key->pipeline;
        batch->texture = key->texture;
        batch->before = key->before;
        batch->is_clipped = key->is_clipped;
        batch->scissor = key->scissor;
    }
    for (int y = range.top; y <= range.bottom; y++)
        batch->tiles[y] |= range.row;
    batch->count++;
    batcher->items[batcher->item_count++] =
        (BatchItem){(uint32_t)(batch - batcher->batches), (uint32_t)batcher->word_count};
    size_t count = PIPELINE_TEXELS[key->pipeline] * TEXEL_WORDS;
    memcpy(batcher->words + batcher->word_count, words, count * sizeof *words);
    batcher->word_count += count;
}

void batcher_order(Batcher *batcher) {
    size_t next[BATCH_MAX], texel = 0;
    for (size_t i = 0; i < batcher->batch_count; i++) {
        Batch *batch = &batcher->batches[i];
        batch->first = next[i] = texel;
        texel += batch->count * PIPELINE_TEXELS[batch->pipeline];
    }
    for (size_t i = 0; i < batcher->item_count; i++) {
        const BatchItem *item = &batcher->items[i];
        size_t texels = PIPELINE_TEXELS[batcher->batches[item->batch].pipeline];
        memcpy(batcher->ordered + next[item->batch] * TEXEL_WORDS, batcher->words + item->words_at,
               texels * TEXEL_WORDS * sizeof(uint32_t));
        next[item->batch] += texels;
    }
}
