#include "gfx/atlas.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

bool atlas_create(Atlas *atlas) {
    static_assert(RASTER_SIDE_MAX <= ATLAS_SIZE, "the largest image fits");
    *atlas = (Atlas){.entries = heap_get_zero(ATLAS_ENTRIES, sizeof(AtlasEntry))};
    atlas->sheets[ATLAS_PLAIN].channels = 1;
    atlas->sheets[ATLAS_COLOURED].channels = 4;
    return atlas->entries != NULL;
}

void atlas_release(Atlas *atlas) {
    for (int i = 0; i < ATLAS_SHEETS; i++)
        free(atlas->sheets[i].pixels);
    free(atlas->entries);
    *atlas = (Atlas){0};
}

static AtlasEntry *find_place(const Atlas *atlas, uint64_t key) {
    uint64_t slot = key & (ATLAS_ENTRIES - 1);
    while (atlas->entries[slot].key != 0 && atlas->entries[slot].key != key)
        slot = (slot + 1) & (ATLAS_ENTRIES - 1);
    return &atlas->entries[slot];
}

const AtlasEntry *atlas_find(const Atlas *atlas, uint64_t key) {
    assert(key != 0);
    const AtlasEntry *entry = find_place(atlas, key);
    return entry->key == key ? entry : NULL;
}

/* Return the lowest shelf that has room for the image. If there is none, or if it is much higher
 * than the image, add a shelf of the image's height if there is room. */
static AtlasShelf *find_shelf(AtlasSheet *sheet, int width, int height) {
    AtlasShelf *best = NULL;
    for (int i = 0; i < sheet->shelf_count; i++) {
        AtlasShelf *shelf = &sheet->shelves[i];
        bool fits = shelf->height >= height && ATLAS_SIZE - shelf->used >= width;
        if (fits && (best == NULL || shelf->height < best->height))
            best = shelf;
    }
    bool has_room = sheet->shelf_count < ATLAS_SHELVES && ATLAS_SIZE - sheet->next_y >= height;
    bool is_loose = best == NULL || best->height > height + height / 4 + 4;
    if (!is_loose || !has_room)
        return best;
    best = &sheet->shelves[sheet->shelf_count++];
    *best = (AtlasShelf){.y = sheet->next_y, .height = height};
    sheet->next_y += height;
    return best;
}

static bool put_image(Atlas *atlas, AtlasEntry *entry, const RasterImage *image) {
    AtlasSheet *sheet = &atlas->sheets[entry->sheet];
    size_t channels = (size_t)sheet->channels;
    if (sheet->pixels == NULL)
        sheet->pixels = heap_get_zero((size_t)ATLAS_SIZE * ATLAS_SIZE, channels);
    AtlasShelf *shelf =
        sheet->pixels != NULL ? find_shelf(sheet, image->width, image->height) : NULL;
    if (shelf == NULL)
        return false;
    for (int row = 0; row < image->height; row++) {
        const unsigned char *from = image->pixels + 4 * (size_t)row * (size_t)image->width;
        size_t at = (size_t)(shelf->y + row) * ATLAS_SIZE + (size_t)shelf->used;
        uint8_t *to = sheet->pixels + at * channels;
        for (int i = 0; i < image->width; i++, from += 4, to += channels)
            /* An image in the text's colour has four equal channels; its sheet has one channel. */
            memcpy(to, from, channels);
    }
    entry->x = shelf->used + RASTER_EDGE;
    entry->y = shelf->y + RASTER_EDGE;
    entry->width = image->width - 2 * RASTER_EDGE;
    entry->height = image->height - 2 * RASTER_EDGE;
    shelf->used += image->width;
    atlas->additions++;
    return true;
}

const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image) {
    AtlasEntry entry = {.key = key,
                        .left = image->left,
                        .top = image->top,
                        .scale = image->scale,
                        .sheet = image->is_coloured ? ATLAS_COLOURED : ATLAS_PLAIN};
    if (atlas->entry_count > ATLAS_ENTRIES / 2 ||
        (image->pixels != NULL && !put_image(atlas, &entry, image)))
        return NULL;
    AtlasEntry *place = find_place(atlas, key);
    *place = entry;
    atlas->entry_count++;
    return place;
}

void atlas_clear(Atlas *atlas) {
    memset(atlas->entries, 0, ATLAS_ENTRIES * sizeof *atlas->entries);
    atlas->entry_count = 0;
    atlas->clearings++;
    for (int i = 0; i < ATLAS_SHEETS; i++)
        atlas->sheets[i].shelf_count = atlas->sheets[i].next_y = 0;
}
