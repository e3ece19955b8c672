/* Implements gfx/text.h for the page. The browser finds fonts and lays out lines, so a line is a
 * single run. */
#include "gfx/text.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "export/png.h"
#include "gfx/raster.h"
#include "gfx/width_cache.h"
#include "web/browser.h"

#define METRICS_PX 256 /* size in px at which metrics are measured before they are scaled */

int text_size_px(float size_px) {
    return (int)fminf(FONTS_SIZE_MAX, fmaxf(1, roundf(size_px)));
}

static float width(void *context, Font font, float size_px, const char *text, size_t bytes) {
    static WidthCache cache;
    (void)context;
    float found = 0;
    int size = text_size_px(size_px);
    uint64_t parts[2] = {(uint64_t)font << 32 | (uint64_t)size, rng_hash(text, bytes)};
    uint64_t key = rng_hash(parts, sizeof parts) | 1;
    if (bytes == 0 || width_cache_find(&cache, &found, key))
        return found;
    found = browser_width((int)font, size, text, bytes);
    width_cache_add(&cache, key, found);
    return found;
}

static FontMetrics metrics(void *context, Font font, float size_px) {
    static FontMetrics known[FONT_COUNT];
    FontMetrics *m = &known[font];
    (void)context;
    if (m->ascent == 0) {
        float at[4];
        browser_metrics(at, (int)font, METRICS_PX);
        *m = (FontMetrics){at[0] / METRICS_PX, at[1] / METRICS_PX, at[2] / METRICS_PX,
                           at[3] / METRICS_PX};
    }
    float size = (float)text_size_px(size_px);
    return (FontMetrics){m->ascent * size, m->descent * size, m->cap_height * size,
                         m->x_height * size};
}

static uint32_t first_missing(void *context, const char *text, size_t bytes) {
    (void)context, (void)text, (void)bytes;
    return 0; /* 0, because the browser does not report missing characters */
}

TextMeasure text_measure(GfxFonts *fonts) {
    return (TextMeasure){fonts, width, metrics, first_missing};
}

float text_layout(GfxFonts *fonts, Font font, int size_px, const char *text, size_t bytes,
                  TextDirection direction, TextRunFn run_fn, void *context) {
    TextRun run = {.text = text, .bytes = bytes, .is_rtl = direction == TEXT_RTL};
    float found = width(fonts, font, (float)size_px, text, bytes);
    if (run_fn != NULL)
        run_fn(context, &run, 0, found);
    return found;
}

bool fonts_has_colour(const GfxFonts *fonts, int face) {
    (void)fonts, (void)face;
    return false;
}

RasterImage raster_colours(GfxFonts *fonts, const TextRun *run) {
    (void)fonts, (void)run;
    return (RasterImage){0};
}

/* Fail: the page encodes no bitmaps. They are needed only in an SVG with a very large matrix. */
bool png_encode(TextOut *out, const unsigned char *rgba, int width, int height, const char *state,
                Err *err) {
    (void)out, (void)rgba, (void)state;
    return err_fail(err, "SVG",
                    "%d × %d pixels of cells need the desktop program; save a PNG instead", width,
                    height);
}
