/* soft_items.h: one function for each pipeline, which draws the pixels of an item inside clip, at
 * most a tile. Each reads the same words as the shaders of that pipeline and computes the same
 * colours, except for rounding. Pure. */
#ifndef HEADLIGHT_GFX_SOFT_ITEMS_H
#define HEADLIGHT_GFX_SOFT_ITEMS_H

#include "gfx/paint.h"
#include "gfx/soft.h"

#define SOFT_TEXELS 1024 /* number of colours of a palette */

/* The target: borrowed pixels, 0xFFRRGGBB, top row first, and PALETTE_COUNT palettes of SOFT_TEXELS
 * colours. */
typedef struct SoftPicture {
    uint32_t *pixels;
    int width, height;
    const Colour *palettes;
} SoftPicture;

static inline uint32_t *soft_row(const SoftPicture *picture, int y) {
    return picture->pixels + (size_t)y * (size_t)picture->width;
}

/* Fill a rectangle with a colour, as if that were opaque. */
void soft_fill(const SoftPicture *picture, const PixelRect *rect, Colour ground);

typedef void (*SoftItemFn)(const SoftPicture *picture, const PixelRect *clip,
                           const PaintItem *item);
void soft_solid(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_box(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_triangle(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_cells(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_text(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);

/* Return the pixels of clip whose centres lie in a quad, given as words: left, top, right, bottom.
 * */
PixelRect soft_quad(const uint32_t words[4], const PixelRect *clip);

#endif
