/* png.h: writes a picture as a PNG file in memory, with libpng. Deterministic: the same pixels give
 * the same bytes, because no time is written. */
#ifndef HEADLIGHT_EXPORT_PNG_H
#define HEADLIGHT_EXPORT_PNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text_out.h"

#define PNG_SIDE_MAX 32768

/* Append rgba, width * height * 4 bytes of sRGB with straight alpha, top row first, as a PNG file.
 * state is the picture's state string, written in a chunk iTXt with the keyword
 * PICTURE_STATE_KEYWORD, or NULL. Fails if memory runs out, and for sizes outside 1 to
 * PNG_SIDE_MAX. Source: PNG specification, third edition. */
bool png_encode(TextOut *out, const unsigned char *rgba, int width, int height, const char *state,
                Err *err);

/* Append a chunk with its length and checksum. name has four letters. */
bool png_chunk(TextOut *out, const char *name, const void *data, size_t size, Err *err);

#endif
