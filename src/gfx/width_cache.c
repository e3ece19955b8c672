#include "gfx/width_cache.h"

#include <assert.h>

bool width_cache_find(const WidthCache *cache, float *width, uint64_t key) {
    assert(key != 0);
    uint64_t set = key & (WIDTH_CACHE_SETS - 1);
    for (int way = 0; way < WIDTH_CACHE_WAYS; way++) {
        if (cache->keys[set][way] != key)
            continue;
        *width = cache->widths[set][way];
        return true;
    }
    return false;
}

void width_cache_add(WidthCache *cache, uint64_t key, float width) {
    assert(key != 0);
    uint64_t set = key & (WIDTH_CACHE_SETS - 1);
    uint8_t way = cache->next[set];
    cache->keys[set][way] = key;
    cache->widths[set][way] = width;
    cache->next[set] = (uint8_t)((way + 1) % WIDTH_CACHE_WAYS);
}
