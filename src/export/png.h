/* png.h: a picture as a PNG file in memory, by libpng.
 * Deterministic: the same pixels give the same bytes, and no time is written. */
#ifndef HEADLIGHT_EXPORT_PNG_H
#define HEADLIGHT_EXPORT_PNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define PNG_SIDE_MAX 32768

/* Encode rgba, width * height * 4 bytes of sRGB with straight alpha, rows top-down. On success
 * *bytes is to be freed by the caller; on failure it is NULL. Fails for want of memory and for
 * sizes outside 1 to PNG_SIDE_MAX. Source: PNG specification, third edition. */
bool png_encode(unsigned char **bytes, size_t *size, const unsigned char *rgba, int width,
                int height, Err *err);

/* The same with the state string that makes the picture, as international text whose keyword is
 * PICTURE_STATE_KEYWORD. */
bool png_encode_about(unsigned char **bytes, size_t *size, const unsigned char *rgba, int width,
                      int height, const char *state, Err *err);

#endif
