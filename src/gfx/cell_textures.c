#include "gfx/cell_textures.h"

void cell_textures_release(CellTextures *textures) {
    for (int i = 0; i < textures->count; i++)
        glDeleteTextures(1, &textures->entries[i].texture);
    *textures = (CellTextures){0};
}

void cell_textures_begin(CellTextures *textures) {
    textures->frame++;
}

/* Return a slot for one more texture: a new one while there are few, else the one that was not used
 * for the longest time. */
static CellTexture *find_place(CellTextures *textures) {
    CellTexture *oldest = NULL;
    for (int i = 0; i < textures->count; i++) {
        CellTexture *entry = &textures->entries[i];
        if (entry->used < textures->frame && (oldest == NULL || entry->used < oldest->used))
            oldest = entry;
    }
    bool may_grow = textures->count < CELL_TEXTURES_MAX;
    bool are_enough =
        textures->count >= CELL_TEXTURES_KEPT || textures->bytes >= CELL_TEXTURES_BYTES;
    if (oldest != NULL && (are_enough || !may_grow))
        return oldest;
    if (!may_grow)
        return NULL;
    CellTexture *entry = &textures->entries[textures->count++];
    glGenTextures(1, &entry->texture);
    return entry;
}

static void upload(CellTexture *entry, const DrawCells *cells) {
    entry->bytes = (size_t)cells->rows * (size_t)cells->cols * sizeof(float);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, entry->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, cells->stride);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, cells->cols, cells->rows, 0, GL_RED_INTEGER,
                 GL_UNSIGNED_INT, cells->values);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

GLuint cell_textures_find(CellTextures *textures, const DrawCells *cells) {
    for (int i = 0; i < textures->count; i++) {
        CellTexture *entry = &textures->entries[i];
        if (entry->hash == cells->hash) {
            entry->used = textures->frame;
            return entry->texture;
        }
    }
    CellTexture *entry = find_place(textures);
    if (entry == NULL)
        return 0;
    textures->bytes -= entry->bytes;
    upload(entry, cells);
    textures->bytes += entry->bytes;
    entry->hash = cells->hash;
    entry->used = textures->frame;
    return entry->texture;
}
