/* svg_out.h: SVG text being gathered in memory: numbers without the locale, escaped words, colours
 * as attributes. What there was no memory for is remembered, so that it is asked once at the end.
 */
#ifndef HEADLIGHT_EXPORT_SVG_OUT_H
#define HEADLIGHT_EXPORT_SVG_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/colour.h"

/* All zero is empty. bytes belong to whoever frees them. */
typedef struct SvgOut {
    char *bytes;
    size_t used, capacity;
    bool failed; /* some of it was lost for want of memory */
} SvgOut;

void svg_put_bytes(SvgOut *out, const char *bytes, size_t count);
void svg_put(SvgOut *out, const char *literal);

/* A coordinate to a hundredth, and several with a blank between each two: one behind the last is
 * another dash of no length to Inkscape. What is not finite, or past 3e36, is 0. */
void svg_put_number(SvgOut *out, float value);
void svg_put_numbers(SvgOut *out, const float *values, int count);

/* A name with a number, for a class or an id. */
void svg_put_name(SvgOut *out, const char *kind, int number);

/* " name=\"value\"". */
void svg_put_attribute(SvgOut *out, const char *name, float value);

/* Words as character data: markup is escaped, control characters become blanks, malformed UTF-8
 * becomes U+FFFD. */
void svg_put_words(SvgOut *out, const char *text, size_t bytes);

/* " name=\"#rrggbb\"", and " name-opacity" where it is not opaque. name is fill, stroke or stop:
 * stop has the attributes stop-color and stop-opacity. */
void svg_put_colour(SvgOut *out, const char *name, Colour colour);

void svg_put_base64(SvgOut *out, const unsigned char *bytes, size_t count);

#endif
