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

/* Of a sheet in memory. */
static uint8_t *texels_at(const AtlasSheet *sheet, int x, int y) {
    return sheet->pixels + ((size_t)y * ATLAS_SIZE + (size_t)x) * (size_t)sheet->channels;
}

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

void atlas_begin_picture(Atlas *atlas) {
    atlas->picture++;
}

const AtlasEntry *atlas_find(Atlas *atlas, uint64_t key) {
    assert(key != 0);
    AtlasEntry *entry = find_place(atlas, key);
    if (entry->key != key)
        return NULL;
    entry->lasts = entry->lasts || entry->first != atlas->picture;
    return entry;
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
        uint8_t *to = texels_at(sheet, x, y + row);
        for (int i = 0; i < image->width; i++, from += 4, to += channels)
            memcpy(to, from, channels);
    }
}

/* Room of that size on the entry's sheet, where the entry then says its image lies within an edge;
 * false where there is none. */
static bool take_room(Atlas *atlas, AtlasEntry *entry, int width, int height) {
    AtlasSheet *sheet = &atlas->sheets[entry->sheet];
    AtlasShelf *shelf = find_shelf(sheet, width, height);
    sheet->is_full = shelf == NULL;
    if (shelf == NULL)
        return false;
    entry->x = shelf->used + RASTER_EDGE;
    entry->y = shelf->y + RASTER_EDGE;
    entry->width = width - 2 * RASTER_EDGE;
    entry->height = height - 2 * RASTER_EDGE;
    shelf->used += width;
    return true;
}

/* Copy an image onto the entry's sheet; false without room. */
static bool put_image(Atlas *atlas, AtlasEntry *entry, const RasterImage *image) {
    AtlasSheet *sheet = &atlas->sheets[entry->sheet];
    if (sheet->texture == 0 && sheet->pixels == NULL)
        create_sheet(sheet, entry->sheet, atlas->in_memory);
    if (sheet->shelf_count == 0 && image->height > sheet->height)
        set_height(sheet, entry->sheet, ATLAS_SIZE);
    if (!take_room(atlas, entry, image->width, image->height))
        return false;
    copy_image(sheet, entry->x - RASTER_EDGE, entry->y - RASTER_EDGE, image);
    return true;
}

const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image) {
    if (atlas->entry_count > ATLAS_ENTRIES / 2)
        return NULL;
    AtlasEntry entry = {.key = key,
                        .left = image->left,
                        .top = image->top,
                        .scale = image->scale,
                        .first = atlas->picture,
                        .sheet = image->is_coloured ? ATLAS_COLOURED : ATLAS_PLAIN};
    if (image->pixels != NULL && !put_image(atlas, &entry, image))
        return NULL;
    AtlasEntry *place = find_place(atlas, key);
    *place = entry;
    atlas->entry_count++;
    return place;
}

static int next_height(const AtlasSheet *sheet) {
    return sheet->is_full && sheet->height < ATLAS_SIZE ? 2 * sheet->height : sheet->height;
}

void atlas_clear(Atlas *atlas) {
    memset(atlas->entries, 0, ATLAS_ENTRIES * sizeof *atlas->entries);
    atlas->entry_count = 0;
    for (int i = 0; i < ATLAS_SHEETS; i++) {
        AtlasSheet *sheet = &atlas->sheets[i];
        sheet->shelf_count = 0;
        sheet->next_y = 0;
        if (next_height(sheet) > sheet->height)
            set_height(sheet, (AtlasSheetKind)i, next_height(sheet));
        sheet->is_full = false;
    }
}

/* Of several pictures, or of the one in hand. */
static bool stays(const Atlas *atlas, const AtlasEntry *entry) {
    return entry->key != 0 && (entry->lasts || entry->first == atlas->picture);
}

/* Whether what stays would take less than half of the room there is to be. */
static bool leaves_room(const Atlas *atlas) {
    long long texels[ATLAS_SHEETS] = {0};
    int entries = 0;
    for (int i = 0; i < ATLAS_ENTRIES; i++) {
        const AtlasEntry *entry = &atlas->entries[i];
        if (!stays(atlas, entry))
            continue;
        entries++;
        texels[entry->sheet] +=
            (long long)(entry->width + 2 * RASTER_EDGE) * (entry->height + 2 * RASTER_EDGE);
    }
    bool leaves = entries < ATLAS_ENTRIES / 4;
    for (int i = 0; i < ATLAS_SHEETS; i++)
        leaves = leaves && texels[i] <= ATLAS_SIZE / 2 * (long long)next_height(&atlas->sheets[i]);
    return leaves;
}

/* Without its image where there is no room for it on its shelf. */
static void move_entry(Atlas *to, const Atlas *from, const AtlasEntry *entry) {
    AtlasEntry moved = *entry;
    int width = entry->width + 2 * RASTER_EDGE, height = entry->height + 2 * RASTER_EDGE;
    if (entry->width > 0 && !take_room(to, &moved, width, height))
        return;
    const AtlasSheet *old = &from->sheets[entry->sheet], *sheet = &to->sheets[entry->sheet];
    for (int row = -RASTER_EDGE; entry->width > 0 && row < entry->height + RASTER_EDGE; row++)
        memcpy(texels_at(sheet, moved.x - RASTER_EDGE, moved.y + row),
               texels_at(old, entry->x - RASTER_EDGE, entry->y + row),
               (size_t)width * (size_t)sheet->channels);
    *find_place(to, entry->key) = moved;
    to->entry_count++;
}

/* An atlas of the same sheets with nothing on them; false when memory ran out. */
static bool create_beside(Atlas *beside, const Atlas *atlas) {
    bool has_memory = atlas_create(beside, true);
    for (int i = 0; has_memory && i < ATLAS_SHEETS; i++) {
        if (atlas->sheets[i].pixels == NULL)
            continue;
        set_height(&beside->sheets[i], (AtlasSheetKind)i, next_height(&atlas->sheets[i]));
        has_memory = beside->sheets[i].pixels != NULL;
    }
    beside->picture = atlas->picture;
    if (!has_memory)
        atlas_release(beside);
    return has_memory;
}

void atlas_make_room(Atlas *atlas) {
    Atlas beside;
    if (!atlas->in_memory || !leaves_room(atlas) || !create_beside(&beside, atlas)) {
        atlas_clear(atlas);
        return;
    }
    Atlas before = *atlas;
    *atlas = beside;
    for (int i = 0; i < ATLAS_ENTRIES; i++)
        if (stays(&before, &before.entries[i]))
            move_entry(atlas, &before, &before.entries[i]);
    for (int i = 0; i < ATLAS_SHEETS; i++)
        atlas->sheets[i].is_full = false;
    atlas_release(&before);
}
