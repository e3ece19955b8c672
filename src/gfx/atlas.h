/* atlas.h: rendered runs of text, packed into two sheets in memory: one channel for runs in the
 * text's colour, four for runs with colours of their own. Images stay until atlas_clear, because
 * the caller may still refer to them. Pure. */
#ifndef HEADLIGHT_GFX_ATLAS_H
#define HEADLIGHT_GFX_ATLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/raster.h"

#define ATLAS_SIZE    2048  /* side of a sheet in texels */
#define ATLAS_ENTRIES 16384 /* a power of two */
#define ATLAS_SHELVES 512

typedef enum AtlasSheetKind { ATLAS_PLAIN, ATLAS_COLOURED, ATLAS_SHEETS } AtlasSheetKind;

/* The place of a run's image in its sheet, without the transparent edge. left, top and scale are
 * those of RasterImage. width 0: nothing is visible, as for a blank. */
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
    uint8_t *pixels; /* owned: ATLAS_SIZE rows; NULL until an image is added */
    int channels;
    AtlasShelf shelves[ATLAS_SHELVES];
    int shelf_count, next_y;
} AtlasSheet;

typedef struct Atlas {
    AtlasSheet sheets[ATLAS_SHEETS];
    AtlasEntry *entries; /* owned: a hash table of ATLAS_ENTRIES slots */
    int entry_count;
    /* Numbers of images added and of calls of atlas_clear; may wrap around. */
    unsigned additions, clearings;
} Atlas;

/* Return false if memory runs out. */
bool atlas_create(Atlas *atlas);
void atlas_release(Atlas *atlas);

/* Return the entry of a key, which must not be 0; NULL if it has none. Valid until atlas_clear. */
const AtlasEntry *atlas_find(const Atlas *atlas, uint64_t key);

/* Copy an image into its sheet. Return NULL without room or memory. An empty sheet has room for any
 * image with sides up to RASTER_SIDE_MAX. */
const AtlasEntry *atlas_add(Atlas *atlas, uint64_t key, const RasterImage *image);

void atlas_clear(Atlas *atlas);

#endif
