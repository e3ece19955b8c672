/* svg_text.h: writes a line of text as SVG, always as one text element. Colour glyphs (emoji) are
 * bitmaps in most fonts; Inkscape ignores these, and other viewers use whatever font they have. So
 * such text is written invisibly, to be selected, searched and read aloud, and covered by a picture
 * of its glyphs at the font's own size. Text without colour glyphs has no picture. */
#ifndef HEADLIGHT_EXPORT_SVG_TEXT_H
#define HEADLIGHT_EXPORT_SVG_TEXT_H

#include "base/err.h"
#include "draw/draw.h"
#include "export/svg_out.h"
#include "gfx/fonts.h"

/* The text of one file. Release with svg_texts_release. */
typedef struct SvgTexts {
    const TextMeasure *measure;
    GfxFonts *fonts;    /* the fonts of measure; NULL: none has colours */
    uint64_t *pictures; /* owned: the runs whose pictures are in the file, by number - 1 */
    int count, capacity;
} SvgTexts;

void svg_texts_release(SvgTexts *texts);

/* Append the classes that svg_text uses, for a style element. */
void svg_text_styles(SvgOut *out);

/* Append a line with these words, at `scale` device pixels per logical pixel. Fails if memory runs
 * out. */
bool svg_text(SvgOut *out, SvgTexts *texts, const DrawText *text, const char *words, float scale,
              Err *err);

#endif
