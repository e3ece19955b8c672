#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 64 /* bytes of the longest text worth reading as a number */
#define MINUS      "\xE2\x88\x92"

/* Copy into a C string with ASCII minus; false when it is empty, too long or has odd bytes. */
static bool number_copy(char out[NUMBER_MAX], const char *text, size_t size, const char *allowed) {
    size_t used = 0;
    if (size >= 3 && memcmp(text, MINUS, 3) == 0) {
        out[used++] = '-';
        text += 3, size -= 3;
    }
    if (size == 0 || size >= NUMBER_MAX - used)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\0' || strchr(allowed, text[i]) == NULL)
            return false;
        out[used++] = text[i];
    }
    out[used] = '\0';
    return true;
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

void number_format_exact(char *out, size_t capacity, float value) {
    char shortest[32] = "", tried[32];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(tried, sizeof tried, "%.*g", digits, (double)value);
        bool same = strtof(tried, NULL) == value;
        if (shortest[0] == '\0' ? same || digits == 9 : same && strlen(tried) < strlen(shortest))
            memcpy(shortest, tried, sizeof shortest);
    }
    use_point(shortest);
    snprintf(out, capacity, "%s", shortest);
}

/* digits is ASCII and unsigned; write it with the sign and, if grouped, commas in its whole part.
 */
static void number_dress(char *out, size_t capacity, bool negative, const char *digits,
                         bool grouped) {
    size_t whole = strcspn(digits, "."), used = 0;
    char dressed[128];
    if (negative)
        memcpy(dressed, MINUS, 3), used = 3;
    for (size_t i = 0; digits[i] != '\0' && used < sizeof dressed - 2; i++) {
        if (grouped && i > 0 && i < whole && (whole - i) % 3 == 0)
            dressed[used++] = ',';
        dressed[used++] = digits[i];
    }
    dressed[used] = '\0';
    snprintf(out, capacity, "%s", dressed);
}

void number_format_fixed(char *out, size_t capacity, double value, int decimals) {
    if (!isfinite(value)) {
        snprintf(out, capacity, "%s", isnan(value) ? "×" : value < 0 ? MINUS "∞" : "∞");
        return;
    }
    char digits[96];
    if (fabs(value) < 1e15)
        snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    else
        snprintf(digits, sizeof digits, "%.*e", decimals, fabs(value));
    use_point(digits);
    bool all_zero = strspn(digits, "0.") == strlen(digits);
    number_dress(out, capacity, value < 0 && !all_zero, digits, false);
}

void number_format_grouped(char *out, size_t capacity, long long value) {
    char digits[32];
    unsigned long long size =
        value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    snprintf(digits, sizeof digits, "%llu", size);
    number_dress(out, capacity, value < 0, digits, true);
}
