/* soft_items.h: one function for each pipeline, which draws the pixels of an item that lie in clip,
 * at most a tile.
 * Each reads the words that the shaders of its name read and computes the same colours, which may
 * differ by rounding. Pure. */
#ifndef HEADLIGHT_GFX_SOFT_ITEMS_H
#define HEADLIGHT_GFX_SOFT_ITEMS_H

#include "gfx/paint.h"
#include "gfx/soft.h"

#define SOFT_TEXELS 1024 /* colours of a palette */

/* Borrowed pixels, 0xFFRRGGBB, rows from the top, and PALETTE_COUNT palettes of SOFT_TEXELS. */
typedef struct SoftPicture {
    uint32_t *pixels;
    int width, height;
    const Colour *palettes;
} SoftPicture;

static inline uint32_t *soft_row(const SoftPicture *picture, int y) {
    return picture->pixels + (size_t)y * (size_t)picture->width;
}

/* Set a rectangle to the colour of a ground, as if that were opaque. */
void soft_fill(const SoftPicture *picture, const PixelRect *rect, Colour ground);

typedef void (*SoftItemFn)(const SoftPicture *picture, const PixelRect *clip,
                           const PaintItem *item);
void soft_solid(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_box(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_triangle(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_cells(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_text(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);

/* The pixels of clip whose centres lie in a quad: left, top, right, bottom as words. */
PixelRect soft_quad(const uint32_t words[4], const PixelRect *clip);

#endif
