/* measure.h: text of a fixed width, so that pictures in tests depend on no font: every code point
 * is 0.6 em wide. Pure; for the tests and the fuzzers. */
#ifndef HEADLIGHT_TESTS_SUPPORT_MEASURE_H
#define HEADLIGHT_TESTS_SUPPORT_MEASURE_H

#include "base/utf8.h"
#include "draw/font.h"

#define MEASURE_EM      0.6f
#define MEASURE_MISSING 0xF0000u /* from this code point up no font has a glyph */

/* context, if not NULL, is a long that counts the calls. */
static inline float measure_width(void *context, Font font, float size_px, const char *text,
                                  size_t bytes) {
    long *calls = context;
    size_t length, count = 0;
    (void)font;
    for (size_t at = 0; at < bytes; at += length, count++)
        utf8_decode(text, bytes, at, &length);
    if (calls != NULL)
        ++*calls;
    return MEASURE_EM * size_px * (float)count;
}

/* As wide as a line of words or numbers is on average in the fonts of the window, or a little
 * wider. */
static inline float measure_typical_width(void *context, Font font, float size_px, const char *text,
                                          size_t bytes) {
    static const float em[FONT_COUNT] = {0.52f, 0.54f, 0.6f, 0.6f, 0.45f, 0.45f};
    return measure_width(context, font, size_px, text, bytes) * em[font] / MEASURE_EM;
}

static inline FontMetrics measure_metrics(void *context, Font font, float size_px) {
    (void)context, (void)font;
    return (FontMetrics){0.95f * size_px, 0.25f * size_px, 0.72f * size_px, 0.53f * size_px};
}

static inline uint32_t measure_missing(void *context, const char *text, size_t bytes) {
    size_t length;
    (void)context;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t c = utf8_decode(text, bytes, at, &length);
        if (c >= MEASURE_MISSING)
            return c;
    }
    return 0;
}

static inline TextMeasure measure_fixed(long *calls) {
    return (TextMeasure){calls, measure_width, measure_metrics, measure_missing};
}

#endif
