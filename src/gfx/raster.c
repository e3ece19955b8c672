#include "gfx/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "gfx/text.h"

#define BITMAP_SIDE_MAX 16384 /* px: largest side of a bitmap, before it is scaled down */
/* px: colour glyphs are rendered at this size, whatever their final size */
#define COLOURS_PX 128

static unsigned char *make_pixels(RasterImage *image, int width, int height) {
    image->width = width + 2 * RASTER_EDGE;
    image->height = height + 2 * RASTER_EDGE;
    image->pixels = heap_get_zero((size_t)image->width * (size_t)image->height, 4);
    image->lacks_memory = image->pixels == NULL;
    return image->pixels;
}

/* (0, 0) is the first pixel inside the transparent edge. */
static unsigned char *pixel_at(const RasterImage *image, int x, int y) {
    size_t row = (size_t)(y + RASTER_EDGE) * (size_t)image->width;
    return image->pixels + 4 * (row + (size_t)(x + RASTER_EDGE));
}

static RasterImage raster_boxes(const TextRun *run, int size_px) {
    RasterImage image = {.scale = 1};
    float advance = TEXT_BOX_ADVANCE * (float)size_px;
    int line = size_px >= 24 ? size_px / 16 : 1;
    int height = (int)ceilf(TEXT_BOX_HEIGHT * (float)size_px);
    int width = (int)ceilf(advance * (float)run->clusters);
    if (width > RASTER_SIDE_MAX - 2 || make_pixels(&image, width, height) == NULL)
        return image;
    image.top = height;
    int gap = size_px >= 8 ? 1 + size_px / 24 : 0;
    for (int i = 0; i < run->clusters; i++) {
        int left = (int)roundf(advance * (float)i) + gap;
        int right = (int)roundf(advance * (float)(i + 1)) - gap;
        for (int y = 0; y < height; y++)
            for (int x = left; x < right && x < width; x++)
                if (y < line || y >= height - line || x < left + line || x >= right - line)
                    memset(pixel_at(&image, x, y), 255, 4);
    }
    return image;
}

/* Return how far the first glyph on screen extends to the left of the pen: SDL_ttf moves the whole
 * line right by that distance. In right-to-left text that glyph may be a joined form without a code
 * point, so its metrics cannot be read. Instead compare the widths of the text with a space at
 * either end: a space at the left absorbs the overhang. */
static int overhang_left(TTF_Font *ttf, const TextRun *run, const char *text) {
    if (!run->is_rtl) {
        size_t length;
        int left = 0;
        uint32_t first = utf8_decode(text, strlen(text), 0, &length);
        TTF_GlyphMetrics32(ttf, first, &left, NULL, NULL, NULL, NULL);
        return left < 0 ? -left : 0;
    }
    char spaced[TEXT_RUN_BYTES + 2];
    int space_left = 0, space_right = 0;
    size_t bytes = strlen(text);
    memcpy(spaced + 1, text, bytes + 1);
    spaced[0] = ' ';
    TTF_SizeUTF8(ttf, spaced, &space_right, NULL);
    memcpy(spaced, text, bytes);
    spaced[bytes] = ' ', spaced[bytes + 1] = '\0';
    TTF_SizeUTF8(ttf, spaced, &space_left, NULL);
    return space_right > space_left ? space_right - space_left : 0;
}

/* Return how far a glyph extends above the ascent: SDL_ttf moves the line down by that distance. */
static int overhang_top(TTF_Font *ttf, const char *text, int surface_height) {
    int room = surface_height - TTF_FontHeight(ttf), most = 0;
    size_t length, bytes = strlen(text);
    for (size_t at = 0; room > 0 && at < bytes; at += length) {
        int top = 0;
        uint32_t code_point = utf8_decode(text, bytes, at, &length);
        TTF_GlyphMetrics32(ttf, code_point, NULL, NULL, NULL, &top, NULL);
        most = top - TTF_FontAscent(ttf) > most ? top - TTF_FontAscent(ttf) : most;
    }
    return most < room ? most : room;
}

/* Copy 0xAARRGGBB pixels, premultiplied. Text is rendered in white; set is_coloured if a visible
 * pixel has another colour. */
static void copy_surface(RasterImage *image, const SDL_Surface *surface) {
    for (int y = 0; y < surface->h; y++) {
        const uint32_t *row =
            (const void *)((const unsigned char *)surface->pixels + y * surface->pitch);
        unsigned char *out = pixel_at(image, 0, y);
        for (int x = 0; x < surface->w; x++, out += 4) {
            uint32_t alpha = row[x] >> 24;
            image->is_coloured |= alpha != 0 && (row[x] & 0xFFFFFF) != 0xFFFFFF;
            for (int channel = 0; channel < 3; channel++) {
                uint32_t straight = (row[x] >> (16 - 8 * channel)) & 255;
                out[channel] = (unsigned char)((straight * alpha + 127) / 255);
            }
            out[3] = (unsigned char)alpha;
        }
    }
}

static void average(unsigned char out[4], const RasterImage *from, float x0, float y0, float side) {
    int left = (int)x0, top = (int)y0;
    int right = (int)ceilf(x0 + side), bottom = (int)ceilf(y0 + side);
    float sum[4] = {0}, weight = 0;
    for (int y = top; y < bottom && y < from->height - 2 * RASTER_EDGE; y++) {
        for (int x = left; x < right && x < from->width - 2 * RASTER_EDGE; x++) {
            float w = fminf((float)x + 1, x0 + side) - fmaxf((float)x, x0);
            float h = fminf((float)y + 1, y0 + side) - fmaxf((float)y, y0);
            const unsigned char *pixel = pixel_at(from, x, y);
            for (int channel = 0; channel < 4; channel++)
                sum[channel] += w * h * (float)pixel[channel];
            weight += w * h;
        }
    }
    for (int channel = 0; channel < 4 && weight > 0; channel++)
        out[channel] = (unsigned char)(sum[channel] / (side * side) + 0.5f);
}

/* Scale a bitmap face's image down to the drawn size, and free the large one. */
static RasterImage shrink(RasterImage large, float scale) {
    RasterImage small = {.scale = 1, .is_coloured = large.is_coloured};
    int width = (int)ceilf((float)(large.width - 2 * RASTER_EDGE) * scale);
    int height = (int)ceilf((float)(large.height - 2 * RASTER_EDGE) * scale);
    bool fits = width > 0 && width <= RASTER_SIDE_MAX - 2 && height <= RASTER_SIDE_MAX - 2;
    if (fits && make_pixels(&small, width, height) != NULL) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                average(pixel_at(&small, x, y), &large, (float)x / scale, (float)y / scale,
                        1 / scale);
        small.left = (int)roundf((float)large.left * scale);
        small.top = (int)roundf((float)large.top * scale);
    }
    free(large.pixels);
    return small;
}

/* The image has no pixels if nothing is visible, or if a side would exceed `most`; then *fits is
 * false. */
static RasterImage render(GfxFonts *fonts, const TextRun *run, int size_px, int most, bool *fits) {
    RasterImage image = {.scale = 1, .lacks_memory = true};
    char text[TEXT_RUN_BYTES];
    int width = 0, height = 0;
    TTF_Font *ttf = fonts_open(fonts, run->face, size_px);
    *fits = true;
    if (ttf == NULL)
        return image;
    text_copy_run(text, sizeof text, run);
    text_shape_for(ttf, run);
    if (!text_size(ttf, text, &width, &height))
        return image;
    image.lacks_memory = false;
    *fits = width <= most && height <= most;
    if (width <= 0 || !*fits)
        return image;
    SDL_Surface *surface = TTF_RenderUTF8_Blended(ttf, text, (SDL_Color){255, 255, 255, 255});
    image.lacks_memory = surface == NULL;
    if (surface != NULL && make_pixels(&image, surface->w, surface->h) != NULL) {
        copy_surface(&image, surface);
        image.left = overhang_left(ttf, run, text);
        image.top = TTF_FontAscent(ttf) + overhang_top(ttf, text, surface->h);
    }
    SDL_FreeSurface(surface);
    fonts_note_shortage(fonts);
    return image;
}

static float scale_to(GfxFonts *fonts, const TextRun *run, int rendered_px, int size_px) {
    if (!fonts_is_bitmap(fonts, run->face))
        return (float)size_px / (float)rendered_px;
    TTF_Font *ttf = fonts_open(fonts, run->face, rendered_px);
    return ttf != NULL ? text_bitmap_scale(ttf, size_px) : 1;
}

RasterImage raster_run(GfxFonts *fonts, const TextRun *run, int size_px) {
    if (run->face == FONTS_NO_FACE)
        return raster_boxes(run, size_px);
    int most =
        fonts_is_bitmap(fonts, run->face) ? BITMAP_SIDE_MAX : RASTER_SIDE_MAX - 2 * RASTER_EDGE;
    for (int size = size_px; size > 0; size /= 2) {
        bool fits;
        RasterImage image = render(fonts, run, size, most, &fits);
        if (!fits)
            continue;
        if (image.pixels != NULL)
            image.scale = scale_to(fonts, run, size, size_px);
        return image.pixels == NULL || image.scale >= 1 ? image : shrink(image, image.scale);
    }
    return (RasterImage){.scale = 1};
}

RasterImage raster_colours(GfxFonts *fonts, const TextRun *run) {
    RasterImage image = {.scale = 1};
    bool fits;
    if (run->face != FONTS_NO_FACE && fonts_has_colour(fonts, run->face))
        image = render(fonts, run, COLOURS_PX, BITMAP_SIDE_MAX, &fits);
    if (image.pixels != NULL)
        image.scale = scale_to(fonts, run, COLOURS_PX, 1);
    if (image.pixels != NULL && !image.is_coloured) {
        free(image.pixels);
        image.pixels = NULL;
    }
    return image;
}
