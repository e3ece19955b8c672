/* soft.h: draws a draw list without a graphics card. This is the reference: its bytes depend on no
 * driver. `render`, recordings and tests always use it. The window uses it if the computer has no
 * graphics card. Threads share the tiles of the picture; a tile is drawn again only if its items
 * have changed. Tiles and threads have no effect on the pixels. Only one thread may call these
 * functions. */
#ifndef HEADLIGHT_GFX_SOFT_H
#define HEADLIGHT_GFX_SOFT_H

#include "base/geom.h"
#include "base/job.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

#define SOFT_SIDE_MAX    16384 /* maximum number of pixels of a side */
#define SOFT_TILE_WIDTH  256
#define SOFT_TILE_HEIGHT 64

typedef struct Soft Soft;

/* Borrows fonts. Fails if memory runs out. Owned: soft_release. */
bool soft_create(Soft **out, GfxFonts *fonts, JobPool pool, Err *err);
void soft_release(Soft *soft);

/* Draw an ended list as a picture of this size. Fails if the size is out of range, or if memory
 * runs out; then something may be missing in the picture. */
bool soft_draw(Soft *soft, const DrawList *list, int width_px, int height_px, Err *err);

/* Return the last picture: 0xFFRRGGBB, top row first, without gaps. */
uint32_t *soft_pixels(Soft *soft, int *width_px, int *height_px);

/* Fill changes with the areas drawn since soft_mark_shown, at most one for each row of tiles.
 * Return their number. */
#define SOFT_CHANGES_MAX (SOFT_SIDE_MAX / SOFT_TILE_HEIGHT)
int soft_changes(PixelRect changes[SOFT_CHANGES_MAX], const Soft *soft);
void soft_mark_shown(Soft *soft);

/* Copy the picture as width * height * 4 bytes of RGBA. */
void soft_read(const Soft *soft, unsigned char *rgba);

#endif
