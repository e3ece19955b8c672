/* soft.h: a draw list drawn by the processor: the reference, whose bytes depend on no graphics
 * driver. `render`, recordings and tests always use it, the window if it has no graphics card.
 * The picture is cut into tiles. A tile is drawn again if other items touch it than before, and
 * threads share the tiles; neither changes a pixel. One thread calls. */
#ifndef HEADLIGHT_GFX_SOFT_H
#define HEADLIGHT_GFX_SOFT_H

#include "base/job.h"
#include "draw/draw.h"
#include "gfx/fonts.h"
#include "gfx/pixel_rect.h"

#define SOFT_SIDE_MAX    16384 /* pixels of a picture */
#define SOFT_TILE_WIDTH  256
#define SOFT_TILE_HEIGHT 64

typedef struct Soft Soft;

/* Borrows fonts. Fails if memory runs out. Release with soft_release. */
bool soft_create(Soft **out, GfxFonts *fonts, JobPool pool, Err *err);
void soft_release(Soft *soft);

/* Draw a list that was ended by draw_end, as a picture of this size. Fails if the size is out of
 * range; or if memory ran out for a part of the list, which is then missing. */
bool soft_draw(Soft *soft, const DrawList *list, int width_px, int height_px, Err *err);

/* The picture that was drawn last: 0xFFRRGGBB, rows from the top, without gaps. */
uint32_t *soft_pixels(Soft *soft, int *width_px, int *height_px);

/* Fill the parts that were drawn since soft_mark_shown, at most one for each row of tiles; return
 * their number. */
#define SOFT_CHANGES_MAX (SOFT_SIDE_MAX / SOFT_TILE_HEIGHT)
int soft_changes(PixelRect changes[SOFT_CHANGES_MAX], const Soft *soft);
void soft_mark_shown(Soft *soft);

/* Copy the picture as width * height * 4 bytes of RGBA. */
void soft_read(const Soft *soft, unsigned char *rgba);

#endif
