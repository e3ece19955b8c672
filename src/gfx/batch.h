/* batch.h: what is to be drawn, gathered into as few draw calls as the order of painting allows.
 * An instance joins the earliest batch of its pipeline, texture and scissor that is drawn after all
 * that lies under it; that is judged on a grid of tiles over the framebuffer. What is drawn may be
 * limited to a few regions, each of which then has its own instances of a batch. Fewer calls are
 * not only faster: llvmpipe keeps up to 64 KB for each change of texture or program until the frame
 * is done. Pure: knows texture names as numbers, and calls no OpenGL. */
#ifndef HEADLIGHT_GFX_BATCH_H
#define HEADLIGHT_GFX_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"
#include "gfx/shader.h"

#define BATCH_MAX       1024
#define BATCH_TILES     256 /* along each axis */
#define BATCH_REGIONS   4
#define BATCH_WORDS_MAX (65536 * 4) /* what every OpenGL 3.3 has room for in a texture buffer */

/* Whole device pixels, y downwards; right and bottom are exclusive. */
typedef struct PixelRect {
    int left, top, right, bottom;
} PixelRect;

typedef struct Batch {
    Pipeline pipeline;
    unsigned texture; /* 0 where the pipeline has no texture of its own */
    unsigned before;  /* a second one, likewise */
    bool is_clipped;  /* by scissor */
    PixelRect scissor;
    size_t count[BATCH_REGIONS]; /* instances that touch a region */
    size_t first[BATCH_REGIONS]; /* texel of the first of them, once ordered */
} Batch;

typedef struct BatchItem {
    uint32_t words_at;
    uint16_t batch;
    uint8_t regions; /* a bit for each that it touches */
} BatchItem;

typedef struct Batcher {
    float width, height; /* of the framebuffer */
    PixelRect regions[BATCH_REGIONS];
    int region_count;
    Batch batches[BATCH_MAX];
    size_t batch_count;
    BatchItem *items; /* owned */
    size_t item_count, item_capacity;
    uint32_t *words;   /* owned; by order of adding */
    uint32_t *ordered; /* owned; by batch and region */
    size_t word_count, ordered_count;
    uint16_t top[BATCH_TILES][BATCH_TILES]; /* of each tile: the last batch there, counted from 1 */
} Batcher;

/* What an instance belongs to. bounds is all it may touch, in pixels. */
typedef struct BatchKey {
    Pipeline pipeline;
    unsigned texture, before;
    bool is_clipped;
    PixelRect scissor;
    Rect bounds;
} BatchKey;

/* Four-word texels in one instance of a pipeline. */
extern const size_t PIPELINE_TEXELS[PIPELINE_COUNT];

/* False when memory ran out. Release with batcher_release. */
bool batcher_create(Batcher *batcher);
void batcher_release(Batcher *batcher);

/* Forget everything and begin a framebuffer of this size, of which count regions, at most
 * BATCH_REGIONS, are drawn. */
void batcher_begin(Batcher *batcher, float width, float height, const PixelRect *regions,
                   int count);

/* Whether one more batch and instance fit; when not, draw what there is and begin anew. */
bool batcher_has_room(const Batcher *batcher);

/* Add an instance of PIPELINE_TEXELS[key->pipeline] * 4 words, unless it touches no region; asserts
 * that there is room. */
void batcher_add(Batcher *batcher, const BatchKey *key, const uint32_t *words);

/* Bring the instances into the order of their batches and regions, in batcher->ordered. */
void batcher_order(Batcher *batcher);

/* A float's bits as a word. */
uint32_t batch_word(float value);

#endif
