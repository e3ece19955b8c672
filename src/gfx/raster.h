/* raster.h: renders one run of text as an image, with SDL_ttf. */
#ifndef HEADLIGHT_GFX_RASTER_H
#define HEADLIGHT_GFX_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/fonts.h"
#include "gfx/text.h"

#define RASTER_SIDE_MAX 2040
/* Width in pixels of the transparent edge around an image, for linear sampling. */
#define RASTER_EDGE 1

/* An image: rows of premultiplied RGBA, top row first, including the transparent edge. Text without
 * colours of its own is white. (left, top) is the place on the baseline where the pen starts, in
 * pixels from the image's top left corner, without the transparent edge. The image must be drawn
 * scale times as large; scale is 1 unless the requested size was too large to render. */
typedef struct RasterImage {
    unsigned char *pixels; /* owned; NULL if nothing is visible */
    int width, height;
    int left, top;
    float scale;
    bool is_coloured;
    bool lacks_memory; /* true if pixels is NULL because memory ran out */
} RasterImage;

/* Render a run of glyphs, or of boxes if its face is FONTS_NO_FACE. Free pixels with free(). */
RasterImage raster_run(GfxFonts *fonts, const TextRun *run, int size_px);

/* Render a run of colour glyphs at the largest size of its face, for a picture that may be
 * enlarged. The image's scale is for text of 1 px. pixels is NULL if the run has no colours. Free
 * pixels with free(). */
RasterImage raster_colours(GfxFonts *fonts, const TextRun *run);

#endif
