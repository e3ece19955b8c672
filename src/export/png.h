/* png.h: writes a picture as a PNG file in memory, by libpng. Deterministic: the same pixels give
 * the same bytes, and no time is written. */
#ifndef HEADLIGHT_EXPORT_PNG_H
#define HEADLIGHT_EXPORT_PNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define PNG_SIDE_MAX 32768

/* Encode rgba, width * height * 4 bytes of sRGB with straight alpha, top row first. On success
 * *bytes must be freed by the caller; on failure it is NULL. Fails if memory runs out, and for
 * sizes outside 1 to PNG_SIDE_MAX. Source: PNG specification, third edition. */
bool png_encode(unsigned char **bytes, size_t *size, const unsigned char *rgba, int width,
                int height, Err *err);

/* Encode as png_encode does, and add the picture's state string as international text with the
 * keyword PICTURE_STATE_KEYWORD. */
bool png_encode_about(unsigned char **bytes, size_t *size, const unsigned char *rgba, int width,
                      int height, const char *state, Err *err);

#endif
