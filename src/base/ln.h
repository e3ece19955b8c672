/* ln.h: natural logarithm without branches, calls or integer conversions, so that the compiler can
 * vectorise loops that use it. Pure. */
#ifndef HEADLIGHT_BASE_LN_H
#define HEADLIGHT_BASE_LN_H

#include <stdint.h>
#include <string.h>

/* Return ln x for a positive normal x. With x = 2ⁿ·m, m in [√½, √2) and s = (m − 1)/(m + 1): ln m =
 * 2·(s + s³/3 + s⁵/5 + …). The omitted terms sum to less than 3e-17. */
static inline double ln_normal(double x) {
    const uint64_t root_half = 0x3FE6A09E667F3BCDu, one = 0x3FF0000000000000u;
    const uint64_t mantissa = 0x000FFFFFFFFFFFFFu, two_52 = 0x4330000000000000u;
    uint64_t bits, exponent;
    memcpy(&bits, &x, sizeof bits);
    bits += one - root_half;
    exponent = (bits >> 52) | two_52;
    bits = (bits & mantissa) + root_half;
    double m, n;
    memcpy(&m, &bits, sizeof m);
    memcpy(&n, &exponent, sizeof n);
    n -= 0x1p52 + 1023;
    double s = (m - 1) / (m + 1), square = s * s, sum = 1.0 / 21;
    for (int term = 19; term >= 1; term -= 2)
        sum = sum * square + 1.0 / term;
    return n * 0.69314718055994530942 + 2 * s * sum;
}

#endif
