/* soft.h: what the shaders do, done by this program on the processor. Where OpenGL is drawn by the
 * processor too, it spends several nanoseconds on a pixel whatever is drawn there, and some tenths
 * of a second and of a hundred megabytes on compiling shaders; loops of our own take a few tenths
 * of a nanosecond for the plain pixels that most are. Items are drawn at once; soft_queue.h keeps
 * their order in several threads.
 * Pure: calls no OpenGL. Each function does what the shaders of its pipeline's name do, reads the
 * same words (shaders/ says which) and finds the same pixels, but for the last digit. */
#ifndef HEADLIGHT_GFX_SOFT_H
#define HEADLIGHT_GFX_SOFT_H

#include "gfx/paint.h"

#define SOFT_TEXELS 1024 /* of a palette */

/* Borrowed pixels, 0xFFRRGGBB, rows top-down, and PALETTE_COUNT palettes of SOFT_TEXELS colours. */
typedef struct SoftPicture {
    uint32_t *pixels;
    int width, height;
    const Colour *palettes;
} SoftPicture;

/* Let a rectangle of the picture have the opaque colour of a ground. */
void soft_fill(const SoftPicture *picture, const PixelRect *rect, Colour ground);

/* Draw an item's part within clip, which lies within the picture. */
void soft_draw(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);

/* What soft_draw calls for each pipeline. */
void soft_solid(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_box(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_triangle(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_cells(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);
void soft_text(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);

/* What soft_curve calls for a whole curve of one width and colour, whose words are four points,
 * half the width, the colour, and the lengths of dashes and of the gaps between them, 0 for none.
 */
void soft_whole_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item);

#endif
