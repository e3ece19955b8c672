/* svg_out.h: writes numbers, words, colours and bytes in the form that SVG needs, independent of
 * the locale. */
#ifndef HEADLIGHT_EXPORT_SVG_OUT_H
#define HEADLIGHT_EXPORT_SVG_OUT_H

#include "base/geom.h"
#include "base/number.h"
#include "base/text_out.h"
#include "draw/colour.h"

/* Write a coordinate rounded to a hundredth, and return out. A value that is not finite, or above
 * 3e36, becomes 0. As an expression: text_out(out, "x=\"%s\"", SVG_NUMBER(x)). */
const char *svg_number(char out[NUMBER_EXACT_MAX], float value);
#define SVG_NUMBER(value) svg_number((char[NUMBER_EXACT_MAX]){0}, value)

/* Append the attributes of a place and a size: x, y, width and height. */
void svg_put_place(TextOut *out, Rect place);

/* Append words as character data: markup is escaped, control characters become blanks, malformed
 * UTF-8 becomes U+FFFD. */
void svg_put_words(TextOut *out, const char *text, size_t bytes);

/* Append " name=\"#rrggbb\"" and, unless the colour is opaque, " name-opacity". name is fill,
 * stroke or stop; stop gives the attributes stop-color and stop-opacity. */
void svg_put_colour(TextOut *out, const char *name, Colour colour);

/* Append a PNG file as the href of an image, and release the PNG. */
void svg_put_png(TextOut *out, TextOut *png);

#endif
