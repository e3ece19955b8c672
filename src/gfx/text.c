#include "gfx/text.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "gfx/width_cache.h"

#define RUN_CLUSTERS  48    /* at 64 bytes each, this number of clusters fits into TEXT_RUN_BYTES */
#define RUN_WIDTH_PX  1600  /* px: greatest width of a run's image that fits an atlas well */
#define BITMAP_HEIGHT 1.12f /* height of colour emoji as a multiple of the text's size */

int text_size_px(float size_px) {
    return (int)fminf(FONTS_SIZE_MAX, fmaxf(1, roundf(size_px)));
}

void text_copy_run(char *out, size_t capacity, const TextRun *run) {
    size_t used = 0, length;
    for (size_t at = 0; at < run->bytes && used + 5 <= capacity; at += length) {
        uint32_t code_point = utf8_decode(run->text, run->bytes, at, &length);
        if (code_point >= 0x20)
            used += utf8_encode(out + used, code_point);
    }
    out[used] = '\0';
}

void text_shape_for(TTF_Font *ttf, const TextRun *run) {
    TTF_SetFontDirection(ttf, run->is_rtl ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    TTF_SetFontScriptName(ttf, run->script->code);
}

float text_bitmap_scale(TTF_Font *ttf, int size_px) {
    int height = TTF_FontHeight(ttf);
    return height > 0 ? BITMAP_HEIGHT * (float)size_px / (float)height : 0;
}

bool text_size(TTF_Font *ttf, const char *text, int *width, int *height) {
    bool done = TTF_SizeUTF8(ttf, text, width, height) == 0;
    /* A shaper that runs out of memory reports a width of 0 and no error, so measure again. */
    if (done && *width <= 0)
        done = TTF_SizeUTF8(ttf, text, width, height) == 0;
    return done;
}

static uint64_t cache_key(uint64_t kind, uint64_t a, uint64_t b, const char *text, size_t bytes) {
    uint64_t parts[4] = {kind, a, b, rng_hash(text, bytes)};
    uint64_t key = rng_hash(parts, sizeof parts);
    return key != 0 ? key : 1;
}

/* Measure the advance between two spaces, which excludes the overhang of letters. Return false if
 * memory ran out. */
static bool find_advance(float *advance, TTF_Font *ttf, const TextRun *run) {
    char text[TEXT_RUN_BYTES + 8] = " ";
    int spaces = 0, width = 0;
    text_copy_run(text + 1, TEXT_RUN_BYTES, run);
    size_t bytes = strlen(text);
    text[bytes] = ' ', text[bytes + 1] = '\0';
    text_shape_for(ttf, run);
    bool done = text_size(ttf, "  ", &spaces, NULL) && text_size(ttf, text, &width, NULL);
    *advance = fmaxf(0, (float)(width - spaces));
    return done;
}

static float unit_width(GfxFonts *fonts, const TextRun *run) {
    if (run->face == FONTS_NO_FACE)
        return TEXT_BOX_ADVANCE * (float)run->clusters;
    WidthCache *cache = fonts_width_cache(fonts);
    uint64_t face = (uint64_t)run->face << 1 | run->is_rtl;
    uint64_t key = cache_key(0, face, 0, run->text, run->bytes);
    float width = 0;
    if (width_cache_find(cache, &width, key))
        return width;
    TTF_Font *ttf = fonts_open(fonts, run->face, FONTS_REFERENCE_PX);
    if (ttf == NULL)
        return TEXT_BOX_ADVANCE * (float)run->clusters;
    bool is_bitmap = fonts_is_bitmap(fonts, run->face);
    float unit = is_bitmap ? text_bitmap_scale(ttf, 1) : 1.0f / FONTS_REFERENCE_PX;
    if (!find_advance(&width, ttf, run)) {
        fonts_note_failure(fonts);
        return TEXT_BOX_ADVANCE * (float)run->clusters;
    }
    width *= unit;
    width_cache_add(cache, key, width);
    return width;
}

float text_layout(GfxFonts *fonts, Font font, int size_px, const char *text, size_t bytes,
                  TextDirection direction, TextRunFn run_fn, void *context) {
    TextRun runs[ITEMIZE_CLUSTERS];
    bool is_mono = font == FONT_MONO || font == FONT_MONO_BOLD;
    int run_clusters = RUN_WIDTH_PX / size_px;
    run_clusters =
        run_clusters < 1 ? 1 : (run_clusters > RUN_CLUSTERS ? RUN_CLUSTERS : run_clusters);
    float x = 0;
    for (size_t at = 0, taken; at < bytes; at += taken) {
        int count =
            itemize(runs, &taken, fonts, font, text + at, bytes - at, direction, run_clusters);
        for (int i = 0; i < count; i++) {
            float width = unit_width(fonts, &runs[i]) * (float)size_px;
            width = is_mono ? roundf(width) : width;
            if (run_fn != NULL)
                run_fn(context, &runs[i], x, width);
            x += width;
        }
    }
    return x;
}

static float measure_width(void *context, Font font, float size_px, const char *text,
                           size_t bytes) {
    GfxFonts *fonts = context;
    int size = text_size_px(size_px);
    if (bytes == 0)
        return 0;
    uint64_t key = cache_key(1, (uint64_t)font, (uint64_t)size, text, bytes);
    float width;
    if (width_cache_find(fonts_width_cache(fonts), &width, key))
        return width;
    width = text_layout(fonts, font, size, text, bytes, TEXT_AUTO, NULL, NULL);
    width_cache_add(fonts_width_cache(fonts), key, width);
    return width;
}

static FontMetrics measure_metrics(void *context, Font font, float size_px) {
    return fonts_metrics(context, font, (float)text_size_px(size_px));
}

static uint32_t first_missing(void *context, const char *text, size_t bytes) {
    size_t length;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t code_point = utf8_decode(text, bytes, at, &length);
        bool shows = code_point > 0x20 && !(code_point >= 0x7F && code_point <= 0xA0) &&
                     !itemize_is_ignorable(code_point);
        if (shows && fonts_face(context, FONT_SANS, code_point, false) == FONTS_NO_FACE)
            return code_point;
    }
    return 0;
}

TextMeasure text_measure(GfxFonts *fonts) {
    return (TextMeasure){fonts, measure_width, measure_metrics, first_missing};
}
