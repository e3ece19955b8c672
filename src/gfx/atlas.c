#include "gfx/atlas.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void set_height(Atlas *atlas, int height) {
    atlas->height = height;
    glBindTexture(GL_TEXTURE_2D, atlas->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, ATLAS_SIZE, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
}

bool atlas_create(Atlas *atlas) {
    static_assert(RASTER_SIDE_MAX <= ATLAS_SIZE, "the largest image fits");
    *atlas = (Atlas){.entries = calloc(ATLAS_ENTRIES, sizeof(AtlasEntry))};
    if (atlas->entries == NULL)
        return false;
    glGenTextures(1, &atlas->texture);
    set_height(atlas, ATLAS_FIRST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return true;
}

void atlas_release(Atlas *atlas) {
    glDeleteTextures(1, &atlas->texture);
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

/* The shelf that fits most tightly, a new one when none is nearly of this height, or NULL. */
static AtlasShelf *find_shelf(Atlas *atlas, int width, int height) {
    AtlasShelf *best = NULL;
    for (int i = 0; i < atlas->shelf_count; i++) {
        AtlasShelf *shelf = &atlas->shelves[i];
        bool fits = shelf->height >= height && ATLAS_SIZE - shelf->used >= width;
        if (fits && (best == NULL || shelf->height < best->height))
            best = shelf;
    }
    bool has_room = atlas->shelf_count < ATLAS_SHELVES && atlas->height - atlas->next_y >= height;
    bool is_loose = best == NULL || best->height > height + height / 4 + 4;
    if (!is_loose || !has_room)
        return best;
    best = &atlas->shelves[atlas->shelf_count++];
    *best = (AtlasShelf){.y = atlas->next_y, .height = height};
    atlas->next_y += height;
    return best;
}

const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image) {
    if (atlas->entry_count > ATLAS_ENTRIES / 2)
        return NULL;
    AtlasEntry entry = {.key = key,
                        .left = image->left,
                        .top = image->top,
                        .scale = image->scale,
                        .is_coloured = image->is_coloured};
    if (image->pixels != NULL) {
        if (atlas->shelf_count == 0 && image->height > atlas->height)
            set_height(atlas, ATLAS_SIZE);
        AtlasShelf *shelf = find_shelf(atlas, image->width, image->height);
        if (shelf == NULL)
            return NULL;
        entry.x = shelf->used + RASTER_EDGE;
        entry.y = shelf->y + RASTER_EDGE;
        entry.width = image->width - 2 * RASTER_EDGE;
        entry.height = image->height - 2 * RASTER_EDGE;
        glBindTexture(GL_TEXTURE_2D, atlas->texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, shelf->used, shelf->y, image->width, image->height,
                        GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
        shelf->used += image->width;
    }
    AtlasEntry *place = find_place(atlas, key);
    *place = entry;
    atlas->entry_count++;
    return place;
}

void atlas_clear(Atlas *atlas) {
    memset(atlas->entries, 0, ATLAS_ENTRIES * sizeof *atlas->entries);
    atlas->entry_count = 0;
    atlas->shelf_count = 0;
    atlas->next_y = 0;
    if (atlas->height < ATLAS_SIZE)
        set_height(atlas, 2 * atlas->height);
}
