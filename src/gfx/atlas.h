/* atlas.h: rendered runs of text packed into two sheets: one of one channel for those that take the
 * text's colour, which nearly all do, and one of four for those with colours of their own. They are
 * textures, which need a current OpenGL 3.3 core context, or lie in memory. Never drops anything by
 * itself: when a sheet is full the caller draws what refers to it and then asks for room. In memory
 * the runs of several pictures then stay, so that numbers that run through, each of which is seen
 * once, do not push the words around them out. */
#ifndef HEADLIGHT_GFX_ATLAS_H
#define HEADLIGHT_GFX_ATLAS_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "gfx/raster.h"

#define ATLAS_SIZE    2048  /* of a sheet's width, and of its height at most, texels */
#define ATLAS_FIRST   512   /* its height at first: 1 MB of one channel */
#define ATLAS_ENTRIES 16384 /* a power of two */
#define ATLAS_SHELVES 512

typedef enum AtlasSheetKind { ATLAS_PLAIN, ATLAS_COLOURED, ATLAS_SHEETS } AtlasSheetKind;

/* Where a run's image lies in its sheet, without its transparent edge, and how it is placed: see
 * RasterImage. width 0 is nothing to be seen, as for blanks. */
typedef struct AtlasEntry {
    uint64_t key; /* 0 is a free place */
    int x, y, width, height;
    int left, top;
    float scale;
    AtlasSheetKind sheet;
    unsigned first; /* the picture that it was added for */
    bool lasts;     /* it was looked for in another one, too */
} AtlasEntry;

/* A row of images of about one height. */
typedef struct AtlasShelf {
    int y, height, used;
} AtlasShelf;

typedef struct AtlasSheet {
    GLuint texture;  /* 0 until something is added */
    uint8_t *pixels; /* in its place in memory: owned, rows of ATLAS_SIZE texels */
    int channels, height;
    AtlasShelf shelves[ATLAS_SHELVES];
    int shelf_count, next_y;
    bool is_full; /* it had no room for what was to be added last */
} AtlasSheet;

typedef struct Atlas {
    AtlasSheet sheets[ATLAS_SHEETS];
    AtlasEntry *entries; /* owned, ATLAS_ENTRIES of them */
    int entry_count;
    unsigned picture; /* pictures begun; it may wrap */
    bool in_memory;   /* rather than in textures */
} Atlas;

/* False when memory ran out. Release with atlas_release. */
bool atlas_create(Atlas *atlas, bool in_memory);
void atlas_release(Atlas *atlas);

/* What is looked for from here on belongs to another picture. */
void atlas_begin_picture(Atlas *atlas);

/* The entry of a key other than 0, or NULL. Valid until atlas_make_room. */
const AtlasEntry *atlas_find(Atlas *atlas, uint64_t key);

/* Copy an image in. NULL when there is no room left; an image of RASTER_SIDE_MAX fits an empty
 * sheet. */
const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image);

/* Drop entries, all of them where they are textures, or where those that are to stay would leave
 * little room. A sheet that was full is twice as high as before where that can be: what a window
 * shows is to fit. Entries that stay lie elsewhere. */
void atlas_make_room(Atlas *atlas);

/* Drop all entries; sheets as above. */
void atlas_clear(Atlas *atlas);

#endif
