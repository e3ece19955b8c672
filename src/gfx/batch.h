/* batch.h: what is to be drawn, gathered into as few draw calls as the order of painting allows.
 * An instance joins the latest batch of its pipeline, texture and scissor unless something drawn
 * since then lies under it; that is judged on a grid of tiles over the framebuffer. Pure: knows
 * texture names as numbers, and calls no OpenGL. */
#ifndef HEADLIGHT_GFX_BATCH_H
#define HEADLIGHT_GFX_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"
#include "gfx/shader.h"

#define BATCH_MAX       1024
#define BATCH_TILES     64          /* along each axis */
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
    size_t count; /* instances */
    size_t first; /* texel of the first, once ordered */
    uint64_t tiles[BATCH_TILES];
} Batch;

typedef struct BatchItem {
    uint32_t batch, words_at;
} BatchItem;

typedef struct Batcher {
    float width, height; /* of the framebuffer */
    Batch batches[BATCH_MAX];
    size_t batch_count;
    BatchItem *items; /* owned */
    size_t item_count, item_capacity;
    uint32_t *words;   /* owned; by order of adding */
    uint32_t *ordered; /* owned; by batch */
    size_t word_count;
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

/* Forget everything and begin a framebuffer of this size. */
void batcher_begin(Batcher *batcher, float width, float height);

/* Whether one more batch and instance fit; when not, draw what there is and begin anew. */
bool batcher_has_room(const Batcher *batcher);

/* Add an instance of PIPELINE_TEXELS[key->pipeline] * 4 words; asserts that there is room. */
void batcher_add(Batcher *batcher, const BatchKey *key, const uint32_t *words);

/* Bring the instances into the order of their batches, in batcher->ordered. */
void batcher_order(Batcher *batcher);

/* A float's bits as a word. */
uint32_t batch_word(float value);

#endif
