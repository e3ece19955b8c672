/* number.h: converts numbers to and from text, independent of the locale. Pure. */
#ifndef HEADLIGHT_BASE_NUMBER_H
#define HEADLIGHT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parse all of text[0..size) as a decimal number; U+2212 also counts as minus. Return false for
 * blanks, hexadecimal, "inf", "nan", overflow or trailing characters. */
bool number_parse_real(double *out, const char *text, size_t size);
bool number_parse_int(long long *out, const char *text, size_t size);
bool number_parse_u64(uint64_t *out, const char *text, size_t size);

/* Write the shortest decimal that reads back as the same float32, for files and state strings. */
const char *number_format_exact(char *out, size_t capacity, float value);

/* Like number_format_exact, and return the length. */
#define NUMBER_EXACT_MAX 20
size_t number_write_exact(char out[NUMBER_EXACT_MAX], float value);

/* Format for the screen with fixed decimals and U+2212 as minus, and return out. A value that would
 * round to 0 gets more digits or an exponent (0.004, 4e−7); a value too large to show decimals gets
 * an exponent (6.40e+08). NaN gives "×", infinities "∞" and "−∞". */
const char *number_format_fixed(char *out, size_t capacity, double value, int decimals);

/* Format for the screen with the digits of number_format_exact. */
const char *number_format_digits(char *out, size_t capacity, float value);

/* Format a share such as 0.43 as "43 %". */
const char *number_format_percent(char *out, size_t capacity, double share);

/* Format with three decimals, or from 1,000 on without decimals and with commas. */
const char *number_format_short(char *out, size_t capacity, double value);

/* Format with a comma between thousands. */
const char *number_format_grouped(char *out, size_t capacity, long long value);

/* The functions above as expressions for printf. The text lives to the end of the enclosing block.
 */
#define NUMBER_TEXT 32
#define FIXED(value, decimals)                                                                     \
    number_format_fixed((char[NUMBER_TEXT]){0}, NUMBER_TEXT, value, decimals)
#define GROUPED(value) number_format_grouped((char[NUMBER_TEXT]){0}, NUMBER_TEXT, value)
#define PERCENT(share) number_format_percent((char[NUMBER_TEXT]){0}, NUMBER_TEXT, share)
#define SHORT(value)   number_format_short((char[NUMBER_TEXT]){0}, NUMBER_TEXT, value)
#define EXACT(value)   number_format_exact((char[NUMBER_TEXT]){0}, NUMBER_TEXT, value)
#define DIGITS(value)  number_format_digits((char[NUMBER_TEXT]){0}, NUMBER_TEXT, value)

#endif
