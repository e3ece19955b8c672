/* atlas.h: rendered runs of text packed into one texture.
 * Needs a current OpenGL 3.3 core context. Never drops anything by itself: when it is full the
 * caller draws what refers to it and then clears it. */
#ifndef HEADLIGHT_GFX_ATLAS_H
#define HEADLIGHT_GFX_ATLAS_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "gfx/raster.h"

#define ATLAS_SIZE    2048  /* of its width, and of its height at most, texels */
#define ATLAS_FIRST   512   /* its height at first: 4 MB, where all of it takes 16 */
#define ATLAS_ENTRIES 16384 /* a power of two */
#define ATLAS_SHELVES 512

/* Where a run's image lies in the texture, without its transparent edge, and how it is placed: see
 * RasterImage. width 0 is nothing to be seen, as for blanks. */
typedef struct AtlasEntry {
    uint64_t key; /* 0 is a free place */
    int x, y, width, height;
    int left, top;
    float scale;
    bool is_coloured;
} AtlasEntry;

/* A row of images of about one height. */
typedef struct AtlasShelf {
    int y, height, used;
} AtlasShelf;

typedef struct Atlas {
    GLuint texture;
    AtlasEntry *entries; /* owned, ATLAS_ENTRIES of them */
    int entry_count;
    AtlasShelf shelves[ATLAS_SHELVES];
    int height;
    int shelf_count, next_y;
} Atlas;

/* False when memory ran out. Release with atlas_release. */
bool atlas_create(Atlas *atlas);
void atlas_release(Atlas *atlas);

/* The entry of a key other than 0, or NULL. Valid until atlas_clear. */
const AtlasEntry *atlas_find(const Atlas *atlas, uint64_t key);

/* Copy an image in. NULL when there is no room left; an image of RASTER_SIDE_MAX fits an empty
 * atlas. */
const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image);

/* Begin anew, twice as high as before where that can be: what a window shows is to fit. */
void atlas_clear(Atlas *atlas);

#endif
