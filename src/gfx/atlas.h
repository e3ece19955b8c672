/* atlas.h: rendered runs of text, packed into two sheets in memory. A sheet with one channel holds
 * runs in the text's colour, which nearly all are; a sheet with four channels holds runs with
 * colours of their own. Images stay until the caller drops all of them, because the caller may
 * still refer to them. Pure. */
#ifndef HEADLIGHT_GFX_ATLAS_H
#define HEADLIGHT_GFX_ATLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/raster.h"

#define ATLAS_SIZE    2048  /* a sheet's width and height in texels */
#define ATLAS_ENTRIES 16384 /* a power of two */
#define ATLAS_SHELVES 512

typedef enum AtlasSheetKind { ATLAS_PLAIN, ATLAS_COLOURED, ATLAS_SHEETS } AtlasSheetKind;

/* The place of a run's image in its sheet, without the image's transparent edge. left, top and
 * scale have the same meaning as in RasterImage. width 0: nothing is visible, as for a blank. */
typedef struct AtlasEntry {
    uint64_t key; /* 0 marks a free slot */
    int x, y, width, height;
    int left, top;
    float scale;
    AtlasSheetKind sheet;
} AtlasEntry;

/* A row of images of similar height. */
typedef struct AtlasShelf {
    int y, height, used;
} AtlasShelf;

typedef struct AtlasSheet {
    uint8_t *pixels; /* owned: rows of ATLAS_SIZE texels; NULL until an image is added */
    int channels;
    AtlasShelf shelves[ATLAS_SHELVES];
    int shelf_count, next_y;
} AtlasSheet;

typedef struct Atlas {
    AtlasSheet sheets[ATLAS_SHEETS];
    AtlasEntry *entries; /* owned: an array of ATLAS_ENTRIES entries */
    int entry_count;
    /* Number of images added, and of clearings, so far; both may wrap around. */
    unsigned additions, clearings;
} Atlas;

/* Return false if memory runs out. Release with atlas_release. */
bool atlas_create(Atlas *atlas);
void atlas_release(Atlas *atlas);

/* Return the entry of a key other than 0, or NULL. Valid until atlas_clear. */
const AtlasEntry *atlas_find(const Atlas *atlas, uint64_t key);

/* Copy an image into its sheet. Return NULL if there is no room or no memory. An empty sheet has
 * room for any image whose sides are at most RASTER_SIDE_MAX. */
const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image);

/* Drop all entries. */
void atlas_clear(Atlas *atlas);

#endif
