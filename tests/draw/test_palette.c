#include <math.h>
#include <string.h>

#include "draw/palette.h"
#include "draw/theme.h"
#include "support/test.h"

static int distance(Colour a, Colour b) {
    int most = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        int apart = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        apart = apart < 0 ? -apart : apart;
        most = apart > most ? apart : most;
    }
    return most;
}

/* Return CIE L* (CIE 15, 8.2.1.1) of a colour: grows with luminance, perceptually even. */
static double lightness(Colour colour) {
    double luminance = (double)colour_contrast(colour, COLOUR_RGB(0)) * 0.05 - 0.05;
    return luminance > 216.0 / 24389 ? 116 * cbrt(luminance) - 16 : luminance * 24389 / 27;
}

TEST(every_stop_is_met_exactly) {
    for (int p = 0; p < PALETTE_COUNT; p++) {
        const Palette *palette = &PALETTES[p];
        assert_in_range(palette->stop_count, 2, PALETTE_STOPS_MAX);
        for (int i = 0; i < palette->stop_count; i++) {
            float t = (float)i / (float)(palette->stop_count - 1);
            if (distance(palette_colour(p, t), palette->stops[i]) > 0)
                fail_msg("%s, stop %d", palette->entry.id, i);
            assert_int_equal(palette->stops[i] & 255, 255);
        }
    }
}

TEST(between_two_stops_it_is_halfway) {
    for (int p = 0; p < PALETTE_COUNT; p++) {
        float step = 1 / (float)(PALETTES[p].stop_count - 1);
        for (int i = 0; i + 1 < PALETTES[p].stop_count; i++) {
            Colour middle = colour_mix(PALETTES[p].stops[i], PALETTES[p].stops[i + 1], 0.5f);
            assert_true(distance(palette_colour(p, ((float)i + 0.5f) * step), middle) <= 1);
        }
    }
}

TEST(beyond_the_ends_it_stays) {
    for (int p = 0; p < PALETTE_COUNT; p++) {
        Colour first = PALETTES[p].stops[0], last = PALETTES[p].stops[PALETTES[p].stop_count - 1];
        assert_int_equal(palette_colour(p, -3), first);
        assert_int_equal(palette_colour(p, -INFINITY), first);
        assert_int_equal(palette_colour(p, NAN), first);
        assert_int_equal(palette_colour(p, 1.0001f), last);
        assert_int_equal(palette_colour(p, INFINITY), last);
        assert_int_equal(palette_colour(p, nextafterf(1, 0)), last);
    }
}

TEST(palettes_for_weights_only_get_lighter) {
    for (int p = 0; p < PALETTE_COUNT; p++) {
        double before = -1;
        for (int i = 0; !PALETTES[p].is_signed && i <= 256; i++) {
            double l = lightness(palette_colour(p, (float)i / 256));
            if (l < before - 0.2) /* less than one step of 8 bits a channel */
                fail_msg("%s is darker at %d/256", PALETTES[p].entry.id, i);
            before = l;
        }
    }
    assert_true(lightness(palette_colour(PALETTE_CIVIDIS, 0)) < 15);
    assert_true(lightness(palette_colour(PALETTE_CIVIDIS, 1)) > 90);
}

TEST(signed_palettes_turn_at_zero) {
    for (int p = 0; p < PALETTE_COUNT; p++) {
        if (!PALETTES[p].is_signed)
            continue;
        assert_int_equal(PALETTES[p].stop_count % 2, 1);
        double zero = lightness(palette_colour(p, 0.5f));
        bool on_dark = zero < 50;
        double low = zero, high = zero;
        for (int i = 1; i <= 32; i++) {
            double minus = lightness(palette_colour(p, 0.5f - (float)i / 64));
            double plus = lightness(palette_colour(p, 0.5f + (float)i / 64));
            assert_true(on_dark ? minus > low - 0.2 && plus > high - 0.2
                                : minus < low + 0.2 && plus < high + 0.2);
            low = minus, high = plus;
        }
    }
}

/* Negative and positive values are equally light, as far as the published scales permit: the ends
 * of PuOr differ by 24 L*. */
TEST(signed_palettes_are_even_about_zero) {
    for (int p = 0; p < PALETTE_COUNT; p++)
        for (int i = 0; PALETTES[p].is_signed && i <= 32; i++) {
            double minus = lightness(palette_colour(p, 0.5f - (float)i / 64));
            double plus = lightness(palette_colour(p, 0.5f + (float)i / 64));
            if (fabs(minus - plus) > 24)
                fail_msg("%s at %d/32: L* %.1f and %.1f", PALETTES[p].entry.id, i, minus, plus);
        }
}

/* From 60 % of the scale on, the dash has the contrast of a mark (WCAG 2.1, 1.4.11) on every
 * ground. Nearer to zero it has as much as the pale end of the scale permits. */
TEST(the_dash_of_a_minus_is_seen_without_colour) {
    for (int t = 0; t < THEME_COUNT; t++)
        for (int c = 0; c < SIGNED_PALETTE_REGISTRY.count; c++) {
            int p = signed_palette_of(c, THEMES[t].signed_palette);
            for (int i = 12; i <= 100; i++) {
                Colour cell = palette_colour(p, 0.5f - (float)i / 200);
                Colour dash = palette_dash(p, cell, THEMES[t].canvas);
                float least = i >= 60 ? 3 : 1.15f, got = colour_contrast(cell, dash);
                if (!(got >= least))
                    fail_msg("%s on %s at %d %%: %.2f", PALETTES[p].entry.id, THEMES[t].entry.id, i,
                             (double)got);
            }
        }
}

TEST(a_choice_of_signed_palette_holds_in_every_theme) {
    for (int c = 0; c < SIGNED_PALETTE_REGISTRY.count; c++) {
        int dark = signed_palette_of(c, PALETTE_SIGNED_DARK);
        int light = signed_palette_of(c, PALETTE_SIGNED_LIGHT);
        assert_true(PALETTES[dark].is_signed && PALETTES[light].is_signed);
        const char *id = registry_entry(&SIGNED_PALETTE_REGISTRY, c)->id;
        bool is_own = strcmp(id, "theme") == 0;
        assert_int_equal(dark != light, is_own);
        if (!is_own)
            assert_string_equal(PALETTES[dark].entry.id, id);
    }
}

TEST(the_weights_registry_has_no_signed_palette) {
    assert_int_equal(PALETTE_REGISTRY.count, PALETTE_WEIGHTS_COUNT);
    for (int p = 0; p < PALETTE_COUNT; p++)
        assert_int_equal(PALETTES[p].is_signed, p >= PALETTE_REGISTRY.count);
    assert_int_equal(registry_find(&PALETTE_REGISTRY, "cividis", strlen("cividis")),
                     PALETTE_CIVIDIS);
}
