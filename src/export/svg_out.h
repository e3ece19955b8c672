/* svg_out.h: builds the text of an SVG in memory: numbers independent of the locale, escaped words,
 * colours as attributes. If memory runs out, that is remembered, so check it once at the end. */
#ifndef HEADLIGHT_EXPORT_SVG_OUT_H
#define HEADLIGHT_EXPORT_SVG_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/colour.h"

/* The text so far. All zero is empty. The caller frees bytes. */
typedef struct SvgOut {
    char *bytes;
    size_t used, capacity;
    bool failed; /* memory ran out, so some text is missing */
} SvgOut;

void svg_put_bytes(SvgOut *out, const char *bytes, size_t count);
void svg_put(SvgOut *out, const char *literal);

/* Append a coordinate rounded to a hundredth; append several, with a blank between two of them. A
 * trailing blank would be another dash of length 0 in Inkscape. Values that are not finite, or
 * above 3e36, become 0. */
void svg_put_number(SvgOut *out, float value);
void svg_put_numbers(SvgOut *out, const float *values, int count);

/* Append a name with a number, for a class or an id. */
void svg_put_name(SvgOut *out, const char *kind, int number);

/* Append an attribute: " name=\"value\"". */
void svg_put_attribute(SvgOut *out, const char *name, float value);

/* Append words as character data: markup is escaped, control characters become blanks, malformed
 * UTF-8 becomes U+FFFD. */
void svg_put_words(SvgOut *out, const char *text, size_t bytes);

/* Append " name=\"#rrggbb\"", and " name-opacity" unless it is opaque. name is fill, stroke or
 * stop; stop gives the attributes stop-color and stop-opacity. */
void svg_put_colour(SvgOut *out, const char *name, Colour colour);

void svg_put_base64(SvgOut *out, const unsigned char *bytes, size_t count);

#endif
