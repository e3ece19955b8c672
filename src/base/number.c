#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

#define NUMBER_MAX     64 /* most bytes of a number as text, with its terminating 0 */
#define MINUS          "\xE2\x88\x92"
#define PLAIN_DECIMALS 4    /* most decimals of a small value; with more it gets an exponent */
#define PLAIN_MAX      1e7  /* larger values with decimals get an exponent */
#define WHOLE_MAX      1e15 /* larger values without decimals get an exponent */

/* Copy text into a C string, with ASCII minus signs. Return false if text is empty, too long, or
 * has a byte that is not allowed. */
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

/* Find the shortest digits with printf, for the values that digits_shortest cannot decide. */
static int digits_by_trial(char digits[DIGITS_MAX], int *exponent, float value) {
    char tried[32];
    for (int count = 1; count <= DIGITS_MAX; count++) {
        snprintf(tried, sizeof tried, "%.*e", count - 1, (double)value);
        if (strtof(tried, NULL) != value && count < DIGITS_MAX)
            continue;
        for (int i = 0; i < count; i++)
            digits[i] = tried[i > 0 ? i + 1 : 0];
        *exponent = (int)strtol(strchr(tried, 'e') + 1, NULL, 10);
        return count;
    }
    return 0;
}

/* Write "1.5e+10": one digit before the point, at least two in the exponent. */
static size_t put_scientific(char *out, const char *digits, int count, int exponent) {
    size_t used = 0;
    unsigned power = (unsigned)abs(exponent);
    out[used++] = digits[0];
    if (count > 1)
        out[used++] = '.';
    for (int i = 1; i < count; i++)
        out[used++] = digits[i];
    out[used++] = 'e';
    out[used++] = exponent < 0 ? '-' : '+';
    out[used++] = (char)('0' + power / 10);
    out[used++] = (char)('0' + power % 10);
    return used;
}

/* Write digits with a point among them or zeros before them; exponent is from -4 to count - 1. */
static size_t put_plain(char *out, const char *digits, int count, int exponent) {
    size_t used = 0;
    if (exponent < 0)
        out[used++] = '0';
    for (int place = exponent < 0 ? -1 : exponent, i = 0; i < count; place--) {
        if (place == -1)
            out[used++] = '.';
        out[used++] = place > exponent ? '0' : digits[i++];
    }
    return used;
}

/* Write all digits of a whole number below 1e9 whose shortest digits do not reach its decimal
 * point. */
static size_t put_whole(char *out, float value) {
    char reversed[16];
    size_t used = 0;
    for (unsigned long whole = (unsigned long)value; whole > 0; whole /= 10)
        reversed[used++] = (char)('0' + whole % 10);
    for (size_t i = 0; i < used; i++)
        out[i] = reversed[used - 1 - i];
    return used;
}

static size_t put_size(char *out, float size) {
    char digits[DIGITS_MAX];
    int exponent = 0, count = digits_shortest(digits, &exponent, size);
    if (count == 0)
        count = digits_by_trial(digits, &exponent, size);
    if (exponent >= -4 && exponent < count)
        return put_plain(out, digits, count, exponent);
    size_t used = put_scientific(out, digits, count, exponent);
    if (exponent < -4 || exponent >= DIGITS_MAX || (size_t)exponent + 1 >= used)
        return used;
    return put_whole(out, size);
}

size_t number_write_exact(char out[NUMBER_EXACT_MAX], float value) {
    size_t used = 0;
    if (!isfinite(value)) {
        int wrote = snprintf(out, NUMBER_EXACT_MAX, "%g", (double)value);
        return wrote > 0 ? (size_t)wrote : 0;
    }
    if (signbit(value))
        out[used++] = '-';
    if (value == 0)
        out[used++] = '0';
    else
        used += put_size(out + used, fabsf(value));
    out[used] = '\0';
    return used;
}

void number_format_exact(char *out, size_t capacity, float value) {
    char text[NUMBER_EXACT_MAX];
    number_write_exact(text, value);
    snprintf(out, capacity, "%s", text);
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
