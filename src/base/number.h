/* number.h: numbers as text, independent of the locale. Pure. */
#ifndef HEADLIGHT_BASE_NUMBER_H
#define HEADLIGHT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text[0..size) as a number. Accepts what C accepts in decimal with a point, and
 * U+2212 for each minus; refuses blanks, hexadecimal, "inf", "nan", overflow and anything left
 * over. */
bool number_parse_real(double *out, const char *text, size_t size);
bool number_parse_int(long long *out, const char *text, size_t size);
bool number_parse_u64(uint64_t *out, const char *text, size_t size);

/* The shortest decimal that reads back as the same float32 (for files and state strings). */
void number_format_exact(char *out, size_t capacity, float value);

/* The same, ended by NUL, without the cost of a copy; returns the length. */
#define NUMBER_EXACT_MAX 20
size_t number_write_exact(char out[NUMBER_EXACT_MAX], float value);

/* For the screen: fixed decimals, U+2212 for minus, thousands with commas when grouped. What so
 * many decimals would make a zero of has one digit more than zeros, or an exponent: 0.004, 4e−7,
 * so that only 0 reads as 0; so has what is too large for a float to have decimals: 6.40e+08. Not
 * a number gives "×"; infinities "∞" and "−∞". */
void number_format_fixed(char *out, size_t capacity, double value, int decimals);

/* For the screen, too: every digit that number_format_exact has. */
void number_format_digits(char *out, size_t capacity, float value);

/* A share of 1 as "43 %". */
void number_format_percent(char *out, size_t capacity, double share);
void number_format_grouped(char *out, size_t capacity, long long value);

#endif
