/* svg_parts.h: the numbers, words, colours, cells and texts of an SVG, which do not depend on the
 * locale. Only for svg*.c. */
#ifndef HEADLIGHT_EXPORT_SVG_PARTS_H
#define HEADLIGHT_EXPORT_SVG_PARTS_H

#include "base/err.h"
#include "base/geom.h"
#include "base/number.h"
#include "base/text_out.h"
#include "draw/colour.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

/* Write a coordinate rounded to a hundredth, and return out. A value that is not finite or
 * overflows becomes 0. SVG_NUMBER needs no buffer: text_out(out, "x=\"%s\"", SVG_NUMBER(x)). */
const char *svg_number(char out[NUMBER_EXACT_MAX], float value);
#define SVG_NUMBER(value) svg_number((char[NUMBER_EXACT_MAX]){0}, value)

void svg_put_place(TextOut *out, Rect place);

/* Append words as character data: markup is escaped, control characters become blanks, malformed
 * UTF-8 becomes U+FFFD. */
void svg_put_words(TextOut *out, const char *text, size_t bytes);

/* Append " name=\"#rrggbb\"" and, unless the colour is opaque, " name-opacity". name is fill,
 * stroke or stop; stop gives the attributes stop-color and stop-opacity. */
void svg_put_colour(TextOut *out, const char *name, Colour colour);

/* Append a PNG file as the href of an image, and release the PNG. */
void svg_put_png(TextOut *out, TextOut *png);

/* Append a matrix at `scale` device pixels per logical pixel: its cells as a path for each colour
 * or, if there are more than 16384 cells, one bitmap. Fails if memory runs out. */
bool svg_cells(TextOut *out, const DrawCells *cells, float scale, Err *err);

#define SVG_PICTURES_MAX 512
typedef struct SvgTexts {
    const TextMeasure *measure;
    /* The fonts that `measure` uses; NULL: no glyph has colours. */
    GfxFonts *fonts;
    /* pictures[n - 1] is a hash of the text run that picture n shows. Pictures beyond the array are
     * not stored in it, so each of them is used only once. */
    uint64_t pictures[SVG_PICTURES_MAX];
    int count; /* number of pictures in the file */
} SvgTexts;

/* Append the CSS classes that svg_text uses, for a style element. */
void svg_text_styles(TextOut *out);

/* Append a line of text, always as one text element, at `scale` device pixels per logical pixel.
 * Colour glyphs (emoji) are bitmaps in most fonts. Inkscape ignores these, and other viewers use
 * whatever font they have. So text with colour glyphs is written invisibly, to be selected,
 * searched and read aloud, and covered by a picture of its glyphs at the font's own size. Text
 * without colour glyphs has no picture. Fails if memory runs out. */
bool svg_text(TextOut *out, SvgTexts *texts, const DrawText *text, const char *words, float scale,
              Err *err);

#endif
