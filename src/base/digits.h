/* digits.h: the shortest decimal digits of a float32. Pure. */
#ifndef HEADLIGHT_BASE_DIGITS_H
#define HEADLIGHT_BASE_DIGITS_H

#define DIGITS_MAX 9 /* enough to distinguish any two float32 values */

/* Write the fewest decimal digits that read back as value, and return their number.
 * value is finite and > 0; value ≈ d.ddd × 10^*exponent. digits has no terminating NUL.
 * Return 0 for powers of two, and for the few values that double arithmetic cannot decide. */
int digits_shortest(char digits[DIGITS_MAX], int *exponent, float value);

#endif
