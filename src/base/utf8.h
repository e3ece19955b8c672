/* utf8.h: reads, writes, cuts and repairs UTF-8. Pure. */
#ifndef HEADLIGHT_BASE_UTF8_H
#define HEADLIGHT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xFFFDu

/* Return the code point at text[at] (at < size) and set *length to its bytes. Malformed or overlong
 * sequences, surrogates and values above U+10FFFF give UTF8_REPLACEMENT and length 1. */
uint32_t utf8_decode(const char *text, size_t size, size_t at, size_t *length);

/* Write code_point and return the number of bytes; 0 if it is not a code point. */
size_t utf8_encode(char out[4], uint32_t code_point);

bool utf8_is_ascii(const char *text, size_t size);

/* Return the offset of the first invalid byte, or size if text is valid UTF-8. */
size_t utf8_first_invalid(const char *text, size_t size);

/* Return the largest character boundary at or before `at`. */
size_t utf8_floor(const char *text, size_t size, size_t at);

/* Return the next or previous character boundary; size or 0 at the ends. */
size_t utf8_next(const char *text, size_t size, size_t at);
size_t utf8_previous(const char *text, size_t size, size_t at);

/* Copy text, with U+FFFD for each malformed byte and each NUL; *repairs counts these. Stop at a
 * whole character within capacity. Return the number of bytes written. */
size_t utf8_repair(char *out, size_t capacity, const char *text, size_t size, size_t *repairs);

/* Like snprintf, but cut at a whole character, and return out. PRINT does this as an expression,
 * with PRINT_MAX bytes that live to the end of the enclosing block. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
const char *
utf8_print(char *out, size_t capacity, const char *format, ...);
#define PRINT_MAX  256
#define PRINT(...) utf8_print((char[PRINT_MAX]){0}, PRINT_MAX, __VA_ARGS__)

/* True for C0, DEL and C1, which control a terminal instead of being shown. */
static inline bool is_control(uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

#endif
