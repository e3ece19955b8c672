/* width_cache.h: a table of fixed size from 64-bit keys to widths. If a set is full, its oldest
 * entry is replaced. Pure. */
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
    uint8_t next[WIDTH_CACHE_SETS]; /* index of the entry of each set that is replaced next */
} WidthCache;

/* Set *width to the width of a key, or return false if it is unknown; or store a width. key must
 * not be 0. */
bool width_cache_find(const WidthCache *cache, float *width, uint64_t key);
void width_cache_add(WidthCache *cache, uint64_t key, float width);

#endif
