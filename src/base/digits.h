/* digits.h: the digits of a float32, fast. Pure. */
#ifndef HEADLIGHT_BASE_DIGITS_H
#define HEADLIGHT_BASE_DIGITS_H

#define DIGITS_MAX 9 /* enough to tell any two float32 apart */

/* The fewest decimal digits that, with value rounded to so many, read back as value, for a finite
 * value > 0: value ≈ d.ddd × 10^*exponent. Writes them without an end and returns how many; 0 for
 * the few values where double arithmetic cannot tell, and powers of two, whose neighbours lie
 * unevenly. */
int digits_shortest(char digits[DIGITS_MAX], int *exponent, float value);

#endif
