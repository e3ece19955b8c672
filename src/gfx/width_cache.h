/* width_cache.h: a table of fixed size from 64-bit keys to widths. A key belongs to one set; if the
 * set is full, its oldest entry is replaced. Pure. */
#ifndef HEADLIGHT_GFX_WIDTH_CACHE_H
#define HEADLIGHT_GFX_WIDTH_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define WIDTH_CACHE_SETS 4096 /* a power of two */
#define WIDTH_CACHE_WAYS 4

/* A zeroed cache is empty. */
typedef struct WidthCache {
    uint64_t keys[WIDTH_CACHE_SETS][WIDTH_CACHE_WAYS];
    float widths[WIDTH_CACHE_SETS][WIDTH_CACHE_WAYS];
    uint8_t next[WIDTH_CACHE_SETS]; /* for each set, the index of the entry to replace next */
} WidthCache;

/* Find the width of a key, or return false; store the width of a key. key must not be 0. */
bool width_cache_find(const WidthCache *cache, float *width, uint64_t key);
void width_cache_add(WidthCache *cache, uint64_t key, float width);

#endif
