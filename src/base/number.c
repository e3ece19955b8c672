#include "base/number.h"

#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX     9  /* enough to distinguish any two float32 values */
#define NUMBER_MAX     64 /* maximum bytes of a number as text, with its terminating 0 */
#define MINUS          "\xE2\x88\x92"
#define PLAIN_DECIMALS 4    /* a small value that needs more decimals gets an exponent */
#define PLAIN_MAX      1e7  /* larger values with decimals get an exponent */
#define WHOLE_MAX      1e15 /* larger values without decimals get an exponent */

/* Copy text with ASCII minus signs. Return false if text is empty, too long, or has a byte that is
 * not allowed. */
static bool number_copy(char out[NUMBER_MAX], const char *text, size_t size, const char *allowed) {
    size_t used = 0;
    if (size >= NUMBER_MAX)
        return false;
    for (size_t i = 0; i < size; i++) {
        bool is_minus = size - i >= 3 && memcmp(text + i, MINUS, 3) == 0;
        if (!is_minus && (text[i] == '\0' || strchr(allowed, text[i]) == NULL))
            return false;
        out[used++] = is_minus ? '-' : text[i];
        i += is_minus ? 2 : 0;
    }
    out[used] = '\0';
    return used > 0;
}

bool number_parse_real(double *out, const char *text, size_t size) {
    char copy[NUMBER_MAX];
    if (!number_copy(copy, text, size, "+-.0123456789eE"))
        return false;
    char *point = strchr(copy, '.');
    if (point != NULL)
        *point = localeconv()->decimal_point[0];
    char *end;
    double value = strtod(copy, &end);
    if (end == copy || *end != '\0' || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool number_parse_int(long long *out, const char *text, size_t size) {
    char copy[NUMBER_MAX], *end;
    if (!number_copy(copy, text, size, "+-0123456789"))
        return false;
    errno = 0;
    long long value = strtoll(copy, &end, 10);
    if (errno != 0 || end == copy || *end != '\0')
        return false;
    *out = value;
    return true;
}

bool number_parse_u64(uint64_t *out, const char *text, size_t size) {
    char copy[NUMBER_MAX], *end;
    if (!number_copy(copy, text, size, "0123456789") || copy[0] == '-')
        return false;
    errno = 0;
    unsigned long long value = strtoull(copy, &end, 10);
    if (errno != 0 || end == copy || *end != '\0')
        return false;
    *out = value;
    return true;
}

static void use_point(char *text) {
    char local = localeconv()->decimal_point[0];
    char *at = local == '.' ? NULL : strchr(text, local);
    if (at != NULL)
        *at = '.';
}

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

/* True if the multiple of 10^power nearest to value reads back as the same float32. If rounding
 * errors of the double arithmetic could change the answer, ask printf and strtof. */
static bool reads_back(float value, int digits, int power) {
    double scaled = scale((double)value, -power), whole = nearbyint(scaled);
    double back = scale(whole, power);
    bool same = (float)(back * (1 - 1e-15)) == value;
    if (same == ((float)(back * (1 + 1e-15)) == value) && fabs(fabs(scaled - whole) - 0.5) > 1e-5)
        return same;
    char tried[NUMBER_EXACT_MAX];
    snprintf(tried, sizeof tried, "%.*g", digits, (double)value);
    return strtof(tried, NULL) == value;
}

size_t number_write_exact(char out[NUMBER_EXACT_MAX], float value) {
    char whole[NUMBER_EXACT_MAX];
    double size = fabs((double)value);
    int digits = 1, first = size > 0 && isfinite(size) ? (int)floor(log10(size)) : 0;
    while (digits < DIGITS_MAX && !reads_back(value, digits, first + 1 - digits))
        digits++;
    snprintf(out, NUMBER_EXACT_MAX, "%.*g", digits, (double)value);
    use_point(out);
    if (size >= 10 && size < 1e9 && strchr(out, 'e') != NULL &&
        snprintf(whole, sizeof whole, "%.0f", (double)value) < (int)strlen(out))
        memcpy(out, whole, sizeof whole);
    return strlen(out);
}

const char *number_format_exact(char *out, size_t capacity, float value) {
    char text[NUMBER_EXACT_MAX];
    number_write_exact(text, value);
    snprintf(out, capacity, "%s", text);
    return out;
}

/* Write ASCII digits with the sign and, if grouped, with commas in the whole part. */
static void write_signed(char *out, size_t capacity, bool negative, const char *digits,
                         bool grouped) {
    size_t whole = strcspn(digits, "."), used = 0;
    char text[128];
    if (negative)
        memcpy(text, MINUS, 3), used = 3;
    for (size_t i = 0; digits[i] != '\0' && used < sizeof text - 2; i++) {
        if (grouped && i > 0 && i < whole && (whole - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    snprintf(out, capacity, "%s", text);
}

static bool reads_as_zero(const char *digits) {
    return strspn(digits, "0.") == strlen(digits);
}

/* Write a magnitude that rounds to zero at this number of decimals, as "0.0004" or "4.2e−5". */
static void put_small(char *out, size_t capacity, double size, int decimals) {
    char digits[32];
    for (int more = decimals + 1; more <= PLAIN_DECIMALS; more++) {
        snprintf(out, capacity, "%.*f", more, size);
        use_point(out);
        if (!reads_as_zero(out))
            return;
    }
    snprintf(digits, sizeof digits, "%.*e", decimals > 2 ? 1 : 0, size);
    use_point(digits);
    char *power = strchr(digits, 'e');
    *power = '\0';
    snprintf(out, capacity, "%se" MINUS "%ld", digits, -strtol(power + 1, NULL, 10));
}

const char *number_format_fixed(char *out, size_t capacity, double value, int decimals) {
    if (!isfinite(value)) {
        snprintf(out, capacity, "%s", isnan(value) ? "×" : value < 0 ? MINUS "∞" : "∞");
        return out;
    }
    char digits[96];
    if (fabs(value) < (decimals > 0 ? PLAIN_MAX : WHOLE_MAX))
        snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    else
        snprintf(digits, sizeof digits, "%.*e", decimals, fabs(value));
    use_point(digits);
    if (value != 0 && reads_as_zero(digits))
        put_small(digits, sizeof digits, fabs(value), decimals);
    write_signed(out, capacity, value < 0, digits, false);
    return out;
}

const char *number_format_digits(char *out, size_t capacity, float value) {
    char text[NUMBER_EXACT_MAX], *power;
    if (!isfinite(value))
        return number_format_fixed(out, capacity, (double)value, 0);
    number_write_exact(text, value);
    bool negative = text[0] == '-';
    power = strstr(text, "e-");
    if (power != NULL)
        *power = '\0';
    snprintf(out, capacity, "%s%s%s%s", negative ? MINUS : "", text + negative,
             power != NULL ? "e" MINUS : "",
             power != NULL ? power + 2 + strspn(power + 2, "0") : "");
    return out;
}

const char *number_format_percent(char *out, size_t capacity, double share) {
    char number[NUMBER_MAX];
    number_format_fixed(number, sizeof number, share * 100, 0);
    snprintf(out, capacity, "%s %%", number);
    return out;
}

const char *number_format_grouped(char *out, size_t capacity, long long value) {
    char digits[32];
    unsigned long long size =
        value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    snprintf(digits, sizeof digits, "%llu", size);
    write_signed(out, capacity, value < 0, digits, true);
    return out;
}

const char *number_format_short(char *out, size_t capacity, double value) {
    if (fabs(value) >= 1000 && fabs(value) < WHOLE_MAX)
        return number_format_grouped(out, capacity, llround(value));
    return number_format_fixed(out, capacity, value, 3);
}
