#include "gfx/atlas.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct SheetFormat {
    GLint internal;
    GLenum format;
    int channels;
} SheetFormat;

static const SheetFormat FORMATS[ATLAS_SHEETS] = {
    [ATLAS_PLAIN] = {GL_R8, GL_RED, 1},
    [ATLAS_COLOURED] = {GL_RGBA8, GL_RGBA, 4},
};

/* Where there is no memory, a sheet that lies there has no height. */
static void set_height(AtlasSheet *sheet, AtlasSheetKind kind, int height) {
    sheet->height = height;
    sheet->channels = FORMATS[kind].channels;
    if (sheet->texture == 0) {
        free(sheet->pixels);
        sheet->pixels = malloc((size_t)ATLAS_SIZE * (size_t)height * (size_t)sheet->channels);
        sheet->height = sheet->pixels != NULL ? height : 0;
        return;
    }
    glBindTexture(GL_TEXTURE_2D, sheet->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, FORMATS[kind].internal, ATLAS_SIZE, height, 0,
                 FORMATS[kind].format, GL_UNSIGNED_BYTE, NULL);
}

static void create_sheet(AtlasSheet *sheet, AtlasSheetKind kind, bool in_memory) {
    static const GLint same[] = {GL_RED, GL_RED, GL_RED, GL_RED};
    if (!in_memory)
        glGenTextures(1, &sheet->texture);
    set_height(sheet, kind, ATLAS_FIRST);
    if (in_memory)
        return;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (kind == ATLAS_PLAIN) /* premultiplied white: all four channels are one */
        glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, same);
}

bool atlas_create(Atlas *atlas, bool in_memory) {
    static_assert(RASTER_SIDE_MAX <= ATLAS_SIZE, "the largest image fits");
    *atlas = (Atlas){.entries = calloc(ATLAS_ENTRIES, sizeof(AtlasEntry)), .in_memory = in_memory};
    return atlas->entries != NULL;
}

void atlas_release(Atlas *atlas) {
    for (int i = 0; i < ATLAS_SHEETS; i++) {
        if (atlas->sheets[i].texture != 0)
            glDeleteTextures(1, &atlas->sheets[i].texture);
        free(atlas->sheets[i].pixels);
    }
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
static AtlasShelf *find_shelf(AtlasSheet *sheet, int width, int height) {
    AtlasShelf *best = NULL;
    for (int i = 0; i < sheet->shelf_count; i++) {
        AtlasShelf *shelf = &sheet->shelves[i];
        bool fits = shelf->height >= height && ATLAS_SIZE - shelf->used >= width;
        if (fits && (best == NULL || shelf->height < best->height))
            best = shelf;
    }
    bool has_room = sheet->shelf_count < ATLAS_SHELVES && sheet->height - sheet->next_y >= height;
    bool is_loose = best == NULL || best->height > height + height / 4 + 4;
    if (!is_loose || !has_room)
        return best;
    best = &sheet->shelves[sheet->shelf_count++];
    *best = (AtlasShelf){.y = sheet->next_y, .height = height};
    sheet->next_y += height;
    return best;
}

/* Copy an image to a place on a sheet. One without colours is its first channel. */
static void copy_image(const AtlasSheet *sheet, int x, int y, const RasterImage *image) {
    if (sheet->texture != 0) {
        glBindTexture(GL_TEXTURE_2D, sheet->texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, image->width, image->height, GL_RGBA,
                        GL_UNSIGNED_BYTE, image->pixels);
        return;
    }
    size_t channels = (size_t)sheet->channels;
    for (int row = 0; row < image->height; row++) {
        const unsigned char *from = image->pixels + 4 * (size_t)row * (size_t)image->width;
        uint8_t *to = sheet->pixels + ((size_t)(y + row) * ATLAS_SIZE + (size_t)x) * channels;
        for (int i = 0; i < image->width; i++, from += 4, to += channels)
            memcpy(to, from, channels);
    }
}

/* Copy an image onto the entry's sheet, where the entry then says it lies; false without room. */
static bool put_image(Atlas *atlas, AtlasEntry *entry, const RasterImage *image) {
    AtlasSheet *sheet = &atlas->sheets[entry->sheet];
    if (sheet->texture == 0 && sheet->pixels == NULL)
        create_sheet(sheet, entry->sheet, atlas->in_memory);
    if (sheet->shelf_count == 0 && image->height > sheet->height)
        set_height(sheet, entry->sheet, ATLAS_SIZE);
    AtlasShelf *shelf = find_shelf(sheet, image->width, image->height);
    sheet->is_full = shelf == NULL;
    if (shelf == NULL)
        return false;
    entry->x = shelf->used + RASTER_EDGE;
    entry->y = shelf->y + RASTER_EDGE;
    entry->width = image->width - 2 * RASTER_EDGE;
    entry->height = image->height - 2 * RASTER_EDGE;
    copy_image(sheet, shelf->used, shelf->y, image);
    shelf->used += image->width;
    return true;
}

const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image) {
    if (atlas->entry_count > ATLAS_ENTRIES / 2)
        return NULL;
    AtlasEntry entry = {.key = key,
                        .left = image->left,
                        .top = image->top,
                        .scale = image->scale,
                        .sheet = image->is_coloured ? ATLAS_COLOURED : ATLAS_PLAIN};
    if (image->pixels != NULL && !put_image(atlas, &entry, image))
        return NULL;
    AtlasEntry *place = find_place(atlas, key);
    *place = entry;
    atlas->entry_count++;
    return place;
}

void atlas_clear(Atlas *atlas) {
    memset(atlas->entries, 0, ATLAS_ENTRIES * sizeof *atlas->entries);
    atlas->entry_count = 0;
    for (int i = 0; i < ATLAS_SHEETS; i++) {
        AtlasSheet *sheet = &atlas->sheets[i];
        sheet->shelf_count = 0;
        sheet->next_y = 0;
        if (sheet->is_full && sheet->height < ATLAS_SIZE)
            set_height(sheet, (AtlasSheetKind)i, 2 * sheet->height);
        sheet->is_full = false;
    }
}
