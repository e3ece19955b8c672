/* Axes: their range, their ticks and the numbers of the ticks. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "ui/axis.h"

static const float HARD[] = {-INFINITY, -FLT_MAX, -3, -1e-30f, 0,       FLT_MIN,  1e-30f, 1e-3f,
                             1,         2.5f,     7,  1e10f,   FLT_MAX, INFINITY, NAN};

/* For any values: the axis holds those that it can, and its ticks are few, rising and inside. */
static void check_axis(const float *values, int count, bool logarithmic) {
    Axis axis = axis_of(values, count, logarithmic);
    assert_true(axis.lo < axis.hi && (!logarithmic || axis.lo > 0));
    if (!isfinite(axis.hi - axis.lo))
        return; /* wider than a float: no promise about its ticks */
    for (int i = 0; i < count; i++) {
        bool held = isfinite(values[i]) && (!logarithmic || values[i] > 0);
        float at = axis_at(&axis, values[i]);
        assert_true(!held || (at >= -1e-3f && at <= 1.001f));
    }
    float ticks[AXIS_TICKS_MAX];
    int ticked = axis_ticks(ticks, &axis, 6);
    assert_in_range(ticked, 1, 6);
    for (int i = 0; i < ticked; i++) {
        float at = axis_at(&axis, ticks[i]);
        char text[48];
        assert_true(at >= -1e-2f && at <= 1.01f && (i == 0 || ticks[i] > ticks[i - 1]));
        axis_tick_markup(text, sizeof text, &axis, ticks[i]);
        assert_true(strlen(text) > 0 && strlen(text) < 40);
    }
}

TEST(an_axis_holds_its_values) {
    for (size_t i = 0; i < ARRAY_COUNT(HARD); i++)
        for (size_t k = 0; k < ARRAY_COUNT(HARD); k++) {
            float pair[] = {HARD[i], HARD[k]};
            bool wild = fabsf(HARD[i]) > 1e30f || fabsf(HARD[k]) > 1e30f;
            bool tiny = fabsf(HARD[i]) < 1e-28f || fabsf(HARD[k]) < 1e-28f;
            if (!wild)
                check_axis(pair, 2, false);
            if (!wild && !tiny)
                check_axis(pair, 2, true);
        }
    check_axis(NULL, 0, false);
    check_axis(NULL, 0, true);
}

TEST(a_place_on_an_axis_is_its_value_again) {
    const Axis axes[] = {{-3, 9, false, false}, {1e-4f, 1e5f, true, false}};
    for (size_t a = 0; a < ARRAY_COUNT(axes); a++)
        for (float t = 0; t <= 1; t += 0.05f)
            assert_float_equal(axis_at(&axes[a], axis_value(&axes[a], t)), t, 1e-4);
    assert_true(isinf(axis_at(&axes[1], 0)) && axis_at(&axes[1], -2) < 0);
}

TEST(numbers_read_as_a_person_writes_them) {
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0, "0.00"},         {0.68f, "0.680"},        {2930, "2,930"},
                 {0.011f, "0.0110"},  {3.3e-7f, "3.30e−7"},    {INFINITY, "∞"},
                 {-1.5f, "−1.50"},    {4.2e9f, "4.20e9"},      {0.9996f, "1.00"},
                 {0.09996f, "0.100"}, {9.9996e-5f, "1.00e−4"}, {0.9994f, "0.999"},
                 {-0.9996f, "−1.00"}, {9.996e7f, "1.00e8"}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        char text[32];
        axis_value_text(text, sizeof text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
    char text[48];
    axis_tick_markup(text, sizeof text, &(Axis){1e-2f, 1e4f, true, false}, 1e4f);
    assert_string_equal(text, "10^{4}");
    axis_tick_markup(text, sizeof text, &(Axis){1e-2f, 1e4f, true, false}, 1e-2f);
    assert_string_equal(text, "10^{−2}");
    axis_tick_markup(text, sizeof text, &(Axis){1e-2f, 1e4f, true, false}, 1);
    assert_string_equal(text, "1");
}

/* The number of a tick is the value at its place. */
TEST(ticks_say_where_they_are) {
    static const float ends[] = {0.9f, 7, 24, 1.9e4f, 1.9e6f, 1.7e7f, 9.1e6f, 3.4e9f, 6e-5f};
    for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
        float values[] = {0, ends[i]}, ticks[AXIS_TICKS_MAX];
        Axis axis = axis_of(values, 2, false);
        int count = axis_ticks(ticks, &axis, 6);
        for (int k = 0; k < count; k++) {
            char text[48], plain[48];
            double digits = 1;
            int power = 0, used = 0;
            axis_tick_markup(text, sizeof text, &axis, ticks[k]);
            for (const char *c = text; *c != '\0'; c++)
                if (strncmp(c, "−", strlen("−")) == 0)
                    plain[used++] = '-', c += strlen("−") - 1;
                else if (*c != ',')
                    plain[used++] = *c;
            plain[used] = '\0';
            if (sscanf(plain, "10^{%d}", &power) != 1 &&
                sscanf(plain, "%lf·10^{%d}", &digits, &power) < 1)
                fail_msg("“%s” is no number", text);
            double said = digits * pow(10, power), is = (double)ticks[k];
            if (fabs(said - is) > 2e-3 * fabs(is))
                fail_msg("%g is written “%s”", is, text);
        }
    }
}
