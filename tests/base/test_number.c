#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "base/util.h"
#include "support/test.h"

static bool real(double *out, const char *text) {
    return number_parse_real(out, text, strlen(text));
}

TEST(reals_are_read) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"0", 0},         {"1.5", 1.5},    {"-2.25", -2.25},
                 {"−2.25", -2.25}, {"+7", 7},       {".5", 0.5},
                 {"5.", 5},        {"1e-3", 0.001}, {"1E+2", 100},
                 {"007", 7},       {"0.1", 0.1},    {"1e308", 1e308},
                 {"-0", -0.0},     {"1e-400", 0},   {"123456789", 123456789}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        double value = 99;
        assert_true(real(&value, cases[i].text));
        assert_true(value == cases[i].value);
    }
}

TEST(what_is_no_real_is_refused) {
    static const char *const texts[] = {
        "",      " ", " 1",  "1 ",    "1\n", "1,5",  "1.5.2", "--1", "−−1",  "−",   "-",
        "+",     ".", "e5",  "1e",    "1e+", "0x10", "0x1p3", "inf", "-inf", "nan", "NaN",
        "1e999", "∞", "1_0", "1'000", "1f",  "½",    "1d",    "1-",  "- 1",  "٣",   "infinity"};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        double value = 99;
        assert_false(real(&value, texts[i]));
        assert_true(value == 99);
    }
    double value = 99;
    assert_false(number_parse_real(&value,
                                   "1\0"
                                   "2",
                                   3));
    char endless[5000];
    memset(endless, '1', sizeof endless);
    assert_false(number_parse_real(&value, endless, sizeof endless));
}

/* The number may lie inside a longer text, without a NUL after it. */
TEST(only_the_given_bytes_are_read) {
    double value;
    long long whole;
    uint64_t seed;
    assert_true(number_parse_real(&value, "12.55", 4) && value == 12.5);
    assert_true(number_parse_int(&whole, "123", 2) && whole == 12);
    assert_true(number_parse_u64(&seed, "987", 1) && seed == 9);
    assert_false(number_parse_int(&whole, "123", 0));
}

TEST(integers_are_read_to_their_ends) {
    long long value = 5;
    uint64_t seed = 5;
    assert_true(number_parse_int(&value, "9223372036854775807", 19) && value == LLONG_MAX);
    assert_true(number_parse_int(&value, "-9223372036854775808", 20) && value == LLONG_MIN);
    assert_true(number_parse_int(&value, "−12", 5) && value == -12);
    assert_false(number_parse_int(&value, "9223372036854775808", 19));
    assert_true(number_parse_u64(&seed, "18446744073709551615", 20) && seed == UINT64_MAX);
    assert_false(number_parse_u64(&seed, "18446744073709551616", 20));
    assert_int_equal(value, -12);
    assert_true(seed == UINT64_MAX);
}

TEST(what_is_no_integer_is_refused) {
    static const char *const texts[] = {"",    " 1", "1 ", "1.0", "1e3", "0x1F", "--1",
                                        "+-1", "-",  "−",  "a",   "1a",  "²",    "1,000"};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        long long value = 5;
        uint64_t seed = 5;
        assert_false(number_parse_int(&value, texts[i], strlen(texts[i])));
        assert_false(number_parse_u64(&seed, texts[i], strlen(texts[i])));
        assert_true(value == 5 && seed == 5);
    }
    uint64_t seed = 5;
    assert_false(number_parse_u64(&seed, "-1", 2));
    assert_false(number_parse_u64(&seed, "−1", 4));
    assert_false(number_parse_u64(&seed, "-0", 2));
}

/* The definition: the shortest text among 1 to 9 digits of printf's %g that read back; the fewest
 * digits if two are equally short. */
static void exact_by_definition(char out[32], float value) {
    char tried[32];
    out[0] = '\0';
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(tried, sizeof tried, "%.*g", digits, (double)value);
        bool same = strtof(tried, NULL) == value;
        if (same && (out[0] == '\0' || strlen(tried) < strlen(out)))
            memcpy(out, tried, sizeof tried);
    }
}

static void assert_as_defined(float value) {
    char text[NUMBER_EXACT_MAX], defined[32];
    exact_by_definition(defined, value);
    assert_int_equal(number_write_exact(text, value), strlen(defined));
    assert_string_equal(text, defined);
    double back;
    assert_true(real(&back, text) && (float)back == value);
}

/* Random bits, values near those that a person types, and the neighbours of every power of two and
 * ten. */
TEST(exact_text_is_as_defined) {
    Rng rng = rng_stream(6, 0);
    for (uint64_t i = 0; i < 60000; i++) {
        uint32_t bits = (uint32_t)rng_bits(rng, i);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_as_defined(value);
        assert_as_defined((float)(int32_t)bits / (float)(1 + (bits & 1023)));
        assert_as_defined((float)((bits >> 8) % 100000) / 1000);
    }
    for (int power = -149; power < 128; power++)
        for (int side = -1; side <= 1; side++) {
            float two = ldexpf(1, power), ten = (float)pow(10, power / 4);
            assert_as_defined(side == 0 ? two : nextafterf(two, side < 0 ? 0 : 3e38F));
            assert_as_defined(side == 0 ? ten : nextafterf(ten, side < 0 ? 0 : 3e38F));
        }
    assert_as_defined(0);
    assert_as_defined(-0.0F);
    assert_as_defined(FLT_MAX);
}

/* Texts for the screen. */
TEST(numbers_are_for_reading) {
    const char *const cases[][2] = {
        {FIXED(1234.5678, 2), "1234.57"},
        {FIXED(-0.5, 2), "−0.50"},
        {FIXED(-0.0, 0), "0"},
        {FIXED(2, 0), "2"},
        {FIXED((double)NAN, 2), "×"},
        {FIXED((double)INFINITY, 2), "∞"},
        {FIXED((double)-INFINITY, 2), "−∞"},
        {FIXED(1e15, 2), "1.00e+15"},
        {FIXED(-DBL_MAX, 1), "−1.8e+308"},
        {FIXED(9999999, 1), "9999999.0"},
        {FIXED(10000000, 1), "1.0e+07"}, /* a float has no more digits */
        {FIXED(999999999999999.0, 0), "999999999999999"},
        {FIXED(1e15, 0), "1e+15"},
        {FIXED(-0.001, 2), "−0.001"}, /* only 0 reads as 0 */
        {FIXED(0.4, 0), "0.4"},
        {FIXED(0.0004, 3), "0.0004"},
        {FIXED(1.2e-20, 3), "1.2e−20"},
        {FIXED(-4.04e-7, 2), "−4e−7"},
        {FIXED(9.96e-6, 2), "1e−5"},
        {FIXED(0, 3), "0.000"},
        {FIXED(-0.0, 3), "0.000"},
        {DIGITS(0), "0"}, /* the digits of number_format_exact, with the screen's minus */
        {DIGITS(-2.5F), "−2.5"},
        {DIGITS(1.0F / 3), "0.33333334"},
        {DIGITS(-FLT_MAX), "−3.4028235e+38"},
        {DIGITS(-1e-20F), "−1e−20"},
        {DIGITS(INFINITY), "∞"},
        {DIGITS(NAN), "×"},
        {PERCENT(0.4321), "43 %"},
        {PERCENT(0.004), "0.4 %"},
        {PERCENT(0), "0 %"},
        {PERCENT((double)NAN), "× %"},
        {GROUPED(0), "0"},
        {GROUPED(999), "999"},
        {GROUPED(1000), "1,000"},
        {GROUPED(-1234567), "−1,234,567"},
        {GROUPED(100000), "100,000"},
        {GROUPED(LLONG_MAX), "9,223,372,036,854,775,807"},
        {GROUPED(LLONG_MIN), "−9,223,372,036,854,775,808"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_string_equal(cases[i][0], cases[i][1]);
}

TEST(only_zero_reads_as_zero) {
    for (double value = DBL_MIN; value < 1e6; value *= 1.37)
        for (int decimals = 0; decimals <= 6; decimals++) {
            char text[64];
            number_format_fixed(text, sizeof text, -value, decimals);
            if (strpbrk(text, "123456789") == NULL || strncmp(text, "−", strlen("−")) != 0)
                fail_msg("%g with %d decimals: %s", -value, decimals, text);
            assert_true(strlen(text) < sizeof "−1.2e−300" || value > 1);
        }
}

TEST(small_buffers_are_kept_to) {
    for (size_t capacity = 1; capacity < 12; capacity++) {
        char text[3][16];
        memset(text, 'z', sizeof text);
        number_format_exact(text[0], capacity, -0.12345678F);
        number_format_fixed(text[1], capacity, -1234.5, 3);
        number_format_grouped(text[2], capacity, -1234567);
        for (int t = 0; t < 3; t++) {
            assert_true(strlen(text[t]) < capacity);
            for (size_t i = capacity; i < 16; i++)
                assert_int_equal(text[t][i], 'z');
        }
    }
}

/* A library may set a locale without our knowledge. */
TEST(a_decimal_comma_changes_nothing) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "sv_SE.UTF-8"};
    const char *got = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(names) && got == NULL; i++)
        got = setlocale(LC_NUMERIC, names[i]);
    double value = 0;
    bool read = real(&value, "1.5"), comma = real(&value, "2,5");
    char exact[32], fixed[32];
    number_format_exact(exact, sizeof exact, 0.25F);
    number_format_fixed(fixed, sizeof fixed, 3.75, 2);
    setlocale(LC_NUMERIC, "C");
    assert_true(read && value == 1.5 && !comma);
    assert_string_equal(exact, "0.25");
    assert_string_equal(fixed, "3.75");
    if (got == NULL)
        print_message("# no locale with a decimal comma is installed: tested in C\n");
}
