/* raster.h: renders one run of text as an image, with SDL_ttf. */
#ifndef HEADLIGHT_GFX_RASTER_H
#define HEADLIGHT_GFX_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/fonts.h"
#include "gfx/text.h"

#define RASTER_SIDE_MAX 2040
/* px: width of the transparent edge around an image, for linear sampling */
#define RASTER_EDGE 1

/* Premultiplied RGBA, top row first, with the transparent edge. Text without colours of its own is
 * white. (left, top) is the start of the baseline, in pixels from the top left corner without the
 * edge. Draw the image `scale` times as large; 1 unless the size was too large to render. */
typedef struct RasterImage {
    unsigned char *pixels; /* owned; NULL if nothing is visible */
    int width, height;
    int left, top;
    float scale;
    bool is_coloured;
    bool lacks_memory; /* pixels is NULL because memory ran out */
} RasterImage;

/* Render a run of glyphs, or of boxes if its face is FONTS_NO_FACE. Owned: free(pixels). */
RasterImage raster_run(GfxFonts *fonts, const TextRun *run, int size_px);

/* Render a run of colour glyphs as large as its face allows, for a picture that may be enlarged.
 * The image's scale is that for text of 1 px: multiply it by the size of the text. pixels is NULL
 * if no glyph has colours. Owned: free(pixels). */
RasterImage raster_colours(GfxFonts *fonts, const TextRun *run);

#endif
