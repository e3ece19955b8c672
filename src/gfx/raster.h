/* raster.h: one run of text as an image, by SDL_ttf. */
#ifndef HEADLIGHT_GFX_RASTER_H
#define HEADLIGHT_GFX_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/fonts.h"
#include "gfx/itemize.h"

#define RASTER_SIDE_MAX 2040
#define RASTER_EDGE     1 /* transparent pixels around, for linear sampling */

/* Rows from the top of premultiplied RGBA, with the edge. Text without a colour of its own is
 * white. left and top are where the pen starts, on the baseline, from the corner inside the edge.
 * The image is drawn scale times as large; scale is 1 unless the wanted size was too large to
 * render. */
typedef struct RasterImage {
    unsigned char *pixels; /* owned; NULL if nothing is to be seen */
    int width, height;
    int left, top;
    float scale;
    bool is_coloured;
    bool lacks_memory; /* pixels is NULL, but something was to be seen */
} RasterImage;

/* Render a run of glyphs, or of boxes if its face is FONTS_NO_FACE. Free pixels with free(). */
RasterImage raster_run(GfxFonts *fonts, const TextRun *run, int size_px);

/* Render a run with colours of its own as large as its face has it, for a picture that may be
 * enlarged. scale is for text of 1 px. pixels is NULL if the run has no colours. Free pixels with
 * free(). */
RasterImage raster_colours(GfxFonts *fonts, const TextRun *run);

#endif
