/* utf8.h: UTF-8 as bytes with known character borders. Pure. */
#ifndef HEADLIGHT_BASE_UTF8_H
#define HEADLIGHT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xFFFDu

/* The code point at text[at] (at < size) and, in *length, its bytes. A malformed sequence, an
 * overlong form, a surrogate or a value past U+10FFFF gives UTF8_REPLACEMENT and *length 1. */
uint32_t utf8_decode(const char *text, size_t size, size_t at, size_t *length);

/* Write code_point into out (4 bytes of room) and return the bytes written, 0 if it is none. */
size_t utf8_encode(char out[4], uint32_t code_point);

/* The offset of the first byte that is not valid UTF-8, or size when all is. */
size_t utf8_first_invalid(const char *text, size_t size);

/* The largest character border at or below at. */
size_t utf8_floor(const char *text, size_t size, size_t at);

/* The borders next to at, at 0 and size at the ends. */
size_t utf8_next(const char *text, size_t size, size_t at);
size_t utf8_previous(const char *text, size_t size, size_t at);

/* Copy text into out, each malformed byte and each NUL as U+FFFD; returns the bytes written,
 * which end at a whole character within capacity. *repairs counts the replacements. */
size_t utf8_repair(char *out, size_t capacity, const char *text, size_t size, size_t *repairs);

#endif
