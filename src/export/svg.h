/* svg.h: writes a draw list as an SVG file in memory; text stays text. Coordinates are device
 * pixels, so that the picture equals a PNG of that size. Deterministic. Source: W3C, Scalable
 * Vector Graphics (SVG) 1.1, second edition. */
#ifndef HEADLIGHT_EXPORT_SVG_H
#define HEADLIGHT_EXPORT_SVG_H

#include "base/err.h"
#include "base/text_out.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct SvgAbout {
    const char *title;       /* UTF-8, for readers and screen readers; may be NULL */
    const char *description; /* the state string, also written to the metadata; may be NULL */
    const char *group;       /* the id of a group around everything, or NULL */
    float width_mm;          /* width on paper; 0: one unit is a pixel */
} SvgAbout;

/* Write list, which must be ended and complete, into an empty text. Each line of text gets the
 * width that measure returns, so that it keeps its place in a viewer with another font. Colour
 * glyphs are covered by pictures of them, from `fonts`, unless that is NULL. Fails only if memory
 * runs out. */
bool svg_encode(TextOut *out, const DrawList *list, const TextMeasure *measure, GfxFonts *fonts,
                const SvgAbout *about, Err *err);

#endif
