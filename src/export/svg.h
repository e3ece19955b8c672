/* svg.h: writes a draw list as an SVG file in memory; text stays text. Coordinates are device
 * pixels, so that the picture equals a PNG of the same size. Deterministic. Source: W3C, Scalable
 * Vector Graphics (SVG) 1.1, second edition. */
#ifndef HEADLIGHT_EXPORT_SVG_H
#define HEADLIGHT_EXPORT_SVG_H

#include "base/err.h"
#include "base/text_out.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct SvgAbout {
    const char *title;       /* title of the picture, also for screen readers, UTF-8; may be NULL */
    const char *description; /* the state string, also written to the metadata; may be NULL */
    const char *group;       /* id of one group around everything; NULL: a group for each part */
    float width_mm;          /* width on paper in mm; 0: one unit is a pixel */
} SvgAbout;

/* Write list, which must be ended and complete, into an empty text. Each line of text gets the
 * width that measure returns, so that it keeps its place in a viewer with other fonts. If `fonts`
 * is not NULL, colour glyphs are covered by pictures of them. Fails if memory runs out. */
bool svg_encode(TextOut *out, const DrawList *list, const TextMeasure *measure, GfxFonts *fonts,
                const SvgAbout *about, Err *err);

#endif
