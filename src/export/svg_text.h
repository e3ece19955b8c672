/* svg_text.h: a line of text as SVG, one text element whatever it is made of.
 * Glyphs that have colours of their own, emoji, are pixels in most fonts, which Inkscape does not
 * know and other viewers set by whatever font they have. Such text stands in its place unseen, to
 * be selected, searched and read aloud, and over it stands a picture of its glyphs, as large as
 * the font has them. Text without them has no picture. */
#ifndef HEADLIGHT_EXPORT_SVG_TEXT_H
#define HEADLIGHT_EXPORT_SVG_TEXT_H

#include "base/err.h"
#include "draw/draw.h"
#include "export/svg_out.h"
#include "gfx/fonts.h"

/* The text of one file. Release with svg_texts_release. */
typedef struct SvgTexts {
    const TextMeasure *measure;
    GfxFonts *fonts;    /* those that measure speaks of; NULL: none has colours */
    uint64_t *pictures; /* owned: of the runs whose pictures stand in the file, by number - 1 */
    int count, capacity;
} SvgTexts;

void svg_texts_release(SvgTexts *texts);

/* The classes that svg_text refers to, for a style element. */
void svg_text_styles(SvgOut *out);

/* Append a line whose words these are, at scale device pixels in one logical pixel. Fails for want
 * of memory. */
bool svg_text(SvgOut *out, SvgTexts *texts, const DrawText *text, const char *words, float scale,
              Err *err);

#endif
