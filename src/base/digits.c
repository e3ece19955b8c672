#include "base/digits.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A scaled value closer than this to a whole number, or to the middle between two multiples, may
 * lie on either side of it. Scaled values are below 1e10, and three roundings of a double are off
 * by at most 3·2⁻⁵³·1e10 < 4e-6. */
#define UNSURE 1e-5

/* Return value * 10^power, |power| < 56. The power of ten and the result are each rounded once. */
static double scale(double value, int power) {
    static const double powers[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
        1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27,
        1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41,
        1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50, 1e51, 1e52, 1e53, 1e54, 1e55};
    assert(power > -56 && power < 56);
    return power < 0 ? value / powers[-power] : value * powers[power];
}

/* Return floor(log10(value)), or one less if value is just above a power of ten. */
static int power_below(double value) {
    int two;
    frexp(value, &two);
    return (int)floor((two - 1) * 0.30102999566398120);
}

static bool is_sure(double scaled) {
    return fabs(scaled - nearbyint(scaled)) > UNSURE;
}

static void write_digits(char *digits, int count, uint32_t number) {
    for (int i = count - 1; i >= 0; i--, number /= 10)
        digits[i] = (char)('0' + number % 10);
}

/* Set *nearest to the multiple of step nearest to `at`. Return false if rounding errors could
 * change the choice between two multiples. */
static bool round_to(double *nearest, double at, double step) {
    double whole = floor(at / step), rest = at - whole * step;
    *nearest = (rest < step / 2 ? whole : whole + 1) * step;
    return fabs(rest - step / 2) > UNSURE;
}

/* The decimals that read back as value lie between the midpoints to its neighbours. A double holds
 * these midpoints exactly. The function gives up on powers of two, because their two neighbours are
 * not equally far. For every other value, if the nearest multiple of a power of ten reads back, so
 * does the nearest multiple of any smaller power. */
int digits_shortest(char digits[DIGITS_MAX], int *exponent, float value) {
    assert(isfinite(value) && value > 0);
    double middle = (double)value, low = ((double)nextafterf(value, 0) + middle) / 2;
    double high = middle + (middle - low), nearest, best = 0;
    int power = power_below(middle), zeros = -1, two;
    if (frexp(middle, &two) == 0.5)
        return 0;
    if (scale(middle, DIGITS_MAX - 1 - power) >= 1e9)
        power++;
    int shift = DIGITS_MAX - 1 - power; /* value·10^shift has nine digits before the point */
    double from = scale(low, shift), at = scale(middle, shift), to = scale(high, shift), step = 1;
    if (!is_sure(from) || !is_sure(to))
        return 0;
    for (; zeros < 9; step *= 10, zeros++, best = nearest) { /* step is 10^(zeros + 1) */
        if (!round_to(&nearest, at, step))
            return 0;
        if (nearest <= from || nearest >= to)
            break;
    }
    if (zeros < 0)
        return 0;
    bool carried = best >= 1e9;
    int count = DIGITS_MAX + carried - zeros;
    write_digits(digits, count, (uint32_t)(best / (step / 10)));
    *exponent = power + carried;
    return count;
}
