/* font.h: the faces of Headlight and how text is measured, as an interface, so that nothing above
 * the waist knows a font library. */
#ifndef HEADLIGHT_DRAW_FONT_H
#define HEADLIGHT_DRAW_FONT_H

#include <stddef.h>
#include <stdint.h>

typedef enum Font {
    FONT_SANS,        /* Inter Regular */
    FONT_SANS_BOLD,   /* Inter SemiBold */
    FONT_MONO,        /* JetBrains Mono Regular */
    FONT_MONO_BOLD,   /* JetBrains Mono SemiBold */
    FONT_MATH,        /* STIX Regular */
    FONT_MATH_ITALIC, /* STIX Italic */
    FONT_COUNT
} Font;

/* How a line of text reads: by its first letter of a script that says so, or as is told. */
typedef enum TextDirection { TEXT_AUTO, TEXT_LTR, TEXT_RTL } TextDirection;

/* Of a font at a size, in the same pixels: ascent and cap are above the baseline, descent below,
 * all positive. */
typedef struct FontMetrics {
    float ascent, descent, cap_height, x_height;
} FontMetrics;

/* Sizes and results are in device pixels. Any text may be asked for: what no font has is measured
 * as the visible box that stands for it. Never fails. */
typedef struct TextMeasure {
    void *context;
    float (*width)(void *context, Font font, float size_px, const char *text, size_t bytes);
    FontMetrics (*metrics)(void *context, Font font, float size_px);
    /* The first code point of text that no installed font has, or 0. */
    uint32_t (*first_missing)(void *context, const char *text, size_t bytes);
} TextMeasure;

#endif
