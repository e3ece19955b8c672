#include "text/charsmap.h"

#include <string.h>

static uint32_t word_at(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* A table without its final NUL is refused, so that charsmap_find may use strlen. */
bool charsmap_take(Charsmap *map, unsigned char *bytes, size_t size) {
    uint32_t trie = size >= 4 ? word_at(bytes) : 1;
    *map = (Charsmap){.bytes = bytes};
    if (trie % 4 != 0 || trie == 0 || trie >= size - 4 || bytes[size - 1] != '\0')
        return false;
    map->units = trie / 4;
    map->form_size = size - 4 - trie;
    return true;
}

static uint32_t offset_of(uint32_t unit) {
    return (unit >> 10) << ((unit & 1u << 9) >> 6);
}

static bool read_unit(uint32_t *out, const Charsmap *map, uint32_t at) {
    *out = at < map->units ? word_at(map->bytes + 4 + 4 * (size_t)at) : 0;
    return at < map->units;
}

const char *charsmap_find(const Charsmap *map, const char *text, size_t size, size_t *bytes) {
    const char *forms = (const char *)map->bytes + 4 + 4 * map->units;
    uint32_t unit, at = 0;
    if (!read_unit(&unit, map, at))
        return NULL;
    at ^= offset_of(unit);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        at ^= c;
        if (c == 0 || !read_unit(&unit, map, at) || (unit & (1u << 31 | 0xff)) != c)
            return NULL;
        at ^= offset_of(unit);
        if ((unit >> 8 & 1) == 0)
            continue;
        uint32_t place = read_unit(&unit, map, at) ? unit & ~(1u << 31) : UINT32_MAX;
        if (place >= map->form_size)
            return NULL;
        *bytes = strlen(forms + place);
        return forms + place;
    }
    return NULL;
}
