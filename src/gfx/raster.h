/* raster.h: one run of text as an image, by SDL_ttf. */
#ifndef HEADLIGHT_GFX_RASTER_H
#define HEADLIGHT_GFX_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/fonts.h"
#include "gfx/itemize.h"

#define RASTER_SIDE_MAX 2040
#define RASTER_EDGE     1 /* transparent pixels around, for linear sampling */

/* Rows top-down of premultiplied RGBA, edge included. Text that has no colour of its own is white.
 * left and top are where the pen starts, on the baseline, from the corner inside the edge. To be
 * drawn scale times as large: not 1 only where the size asked for would not have fitted. */
typedef struct RasterImage {
    unsigned char *pixels; /* owned; NULL where there is nothing to be seen */
    int width, height;
    int left, top;
    float scale;
    bool is_coloured;
    bool lacks_memory; /* pixels is NULL, but something was to be seen */
} RasterImage;

/* Render a run of glyphs, or of boxes if its face is FONTS_NO_FACE. Free pixels with free(). */
RasterImage raster_run(GfxFonts *fonts, const TextRun *run, int size_px);

/* The same as large as its face has it, for a picture that may be enlarged: scale is for text of
 * 1 px, and pixels is NULL where the run has no colours of its own. Free pixels with free(). */
RasterImage raster_colours(GfxFonts *fonts, const TextRun *run);

#endif
