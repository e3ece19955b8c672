/* Any bytes as a number: the result is finite, and its text reads back as the same number. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "check.h"

#define TEXT_MAX 128

/* Every number is shown as text that is not empty, and an infinite or missing one, too. */
static void check_shown(double value, int decimals) {
    char text[TEXT_MAX];
    number_format_fixed(text, sizeof text, value, decimals);
    check(text[0] != '\0' && utf8_first_invalid(text, strlen(text)) == strlen(text));
    number_format_digits(text, sizeof text, (float)value);
    check(text[0] != '\0' && strlen(text) < TEXT_MAX - 1);
    number_format_percent(text, sizeof text, value);
    check(text[0] != '\0');
}

static void check_exact(float value) {
    char text[NUMBER_EXACT_MAX];
    double again;
    if (!isfinite(value))
        return;
    check(number_write_exact(text, value) == strlen(text));
    check(number_parse_real(&again, text, strlen(text)) && (float)again == value);
    number_format_digits(text, sizeof text, value);
    check(strlen(text) >= sizeof text - 1 ||
          (number_parse_real(&again, text, strlen(text)) && (float)again == value) ||
          strstr(text, "e\u2212") != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    char text[TEXT_MAX];
    double real = 0;
    float bits = 0;
    long long whole = 0;
    uint64_t natural = 0;
    if (number_parse_real(&real, bytes, size))
        check(isfinite(real));
    if (number_parse_int(&whole, bytes, size))
        check(number_parse_real(&real, bytes, size));
    if (number_parse_u64(&natural, bytes, size))
        check(size > 0 && bytes[0] != '-');
    memcpy(&bits, data, size < sizeof bits ? size : sizeof bits);
    check_exact(bits);
    check_shown((double)bits, size > 4 ? data[4] % 5 : 2);
    check_shown(real, size > 4 ? data[4] % 5 : 2);
    number_format_grouped(text, sizeof text,
                          size > 8 ? (long long)(data[1] * UINT64_C(0x9E3779B97F4A7C15)) : whole);
    check(text[0] != '\0');
    return 0;
}
