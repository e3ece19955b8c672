/* svg.h: a draw list as an SVG file in memory, with text as text. Coordinates are device pixels, so
 * that it is the same picture as the PNG of that size. Deterministic.
 * Source: W3C, Scalable Vector Graphics (SVG) 1.1, second edition. */
#ifndef HEADLIGHT_EXPORT_SVG_H
#define HEADLIGHT_EXPORT_SVG_H

#include "base/err.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct SvgAbout {
    const char *title;       /* UTF-8, for readers and screen readers; may be NULL */
    const char *description; /* the state string, which the metadata hold too; may be NULL */
    const char *group;       /* the id of a group around everything, or NULL */
    float width_mm;          /* on paper; 0: its pixels */
} SvgAbout;

/* Write list, which is ended and whole. Each line of text is given the width that measure says, so
 * that a viewer with another font keeps it in its place. Over glyphs in colours stands a picture of
 * them, from the fonts that measure speaks of; with NULL it has none. On success *bytes is to be
 * freed by the caller; on failure, for want of memory alone, it is NULL. */
bool svg_encode(char **bytes, size_t *size, const DrawList *list, const TextMeasure *measure,
                GfxFonts *fonts, const SvgAbout *about, Err *err);

#endif
