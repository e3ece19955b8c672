/* font.h: the fonts, and an interface for text measurement, so that the app and the views need no
 * font library. */
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

/* TEXT_AUTO takes the direction of the first strong character. */
typedef enum TextDirection { TEXT_AUTO, TEXT_LTR, TEXT_RTL } TextDirection;

/* Positive lengths, in the same unit as the font's size. */
typedef struct FontMetrics {
    float ascent, descent, cap_height, x_height;
} FontMetrics;

/* Sizes are device pixels. If no font has a character, its width is that of the box that is drawn
 * instead. Never fails. */
typedef struct TextMeasure {
    void *context;
    float (*width)(void *context, Font font, float size_px, const char *text, size_t bytes);
    FontMetrics (*metrics)(void *context, Font font, float size_px);
    /* Return the first code point that no installed font has, or 0. */
    uint32_t (*first_missing)(void *context, const char *text, size_t bytes);
} TextMeasure;

#endif
