/* The contrasts of every theme: WCAG 2.1. */
#include <math.h>

#include "base/util.h"
#include "draw/curve.h"
#include "draw/palette.h"
#include "draw/theme.h"
#include "support/test.h"

static Colour colour_at(const Theme *theme, size_t offset) {
    return *(const Colour *)(const void *)((const char *)theme + offset);
}

static void check_least(const Theme *theme, const char *what, Colour colour, Colour ground,
                        float least) {
    float got = colour_contrast(colour, ground);
    if (!(got >= least))
        fail_msg("%s, %s: %.2f is less than %.1f", theme->entry.id, what, (double)got,
                 (double)least);
}

TEST(faint_arrows_can_be_seen_and_grow_with_their_weight) {
    for (int i = 0; i < THEME_COUNT; i++)
        for (int head = 0; head < THEME_HEADS; head++) {
            const Theme *t = &THEMES[i];
            float least[2];
            for (int lit = 0; lit < 2; lit++) {
                Colour colour = arc_faint(t->heads[head], t->canvas, 0, lit);
                float alpha = (float)(colour & 0xFF) / 255;
                least[lit] =
                    colour_contrast(colour_mix(t->canvas, colour | 0xFF, alpha), t->canvas);
                assert_true(lit || arc_faint(t->heads[head], t->canvas, 1, lit) == t->heads[head]);
            }
            if (!(least[0] >= 2.9f && least[1] >= 1.9f && least[1] < least[0]))
                fail_msg("%s, head %d: %.2f and %.2f", t->entry.id, head + 1, (double)least[0],
                         (double)least[1]);
        }
}

TEST(every_text_can_be_read_on_every_ground) {
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = &THEMES[i];
        const Colour grounds[] = {t->canvas, t->chrome, t->raised};
        for (size_t g = 0; g < ARRAY_COUNT(grounds); g++) {
            check_least(t, "text 1", t->text_1, grounds[g], 7);
            check_least(t, "text 2", t->text_2, grounds[g], 7);
            check_least(t, "control", t->control, grounds[g], 3);
        }
        check_least(t, "text 1 on hover", t->text_1, t->hover, 7);
        check_least(t, "text 2 on hover", t->text_2, t->hover, 7);
        check_least(t, "text 3", t->text_3, t->canvas, 4.5f);
        check_least(t, "text 3", t->text_3, t->chrome, 4.5f);
        check_least(t, "text on fill", t->text_on_fill, t->fill, 7);
        check_least(t, "beam", t->beam, t->canvas, 3);
        check_least(t, "warn on raised", t->warn, t->raised, 4.5f);
        check_least(t, "warn", t->warn, t->canvas, 4.5f);
        check_least(t, "ok", t->ok, t->canvas, 4.5f);
        check_least(t, "ring", t->ring, t->canvas, 7);
        check_least(t, "ok on chrome", t->ok, t->chrome, 4.5f);
        check_least(t, "ring on its casing", t->ring, t->casing, 7);
    }
}

TEST(heads_stand_out_from_the_canvas) {
    static const float least[] = {[THEME_DARK] = 5, [THEME_LIGHT] = 3.2f, [THEME_PROJECTOR] = 4.5f};
    for (int i = 0; i < THEME_COUNT; i++)
        for (int head = 0; head < THEME_HEADS; head++) {
            const Theme *t = &THEMES[i];
            check_least(t, "head", t->heads[head], t->canvas, least[i] - 0.05f);
            /* A dot next to a word on a fill: the word has the same meaning. */
            for (int other = 0; other < head; other++)
                assert_int_not_equal(t->heads[head], t->heads[other]);
        }
}

static double linear(unsigned channel) {
    double c = (double)channel / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double lab_curve(double x) {
    return x > 216.0 / 24389 ? cbrt(x) : (24389.0 / 27 * x + 16) / 116;
}

/* Return CIE L*a*b* (D65) of a colour as seen without one kind of cones: Machado, Oliveira and
 * Fernandes 2009, severity 1, in linear sRGB. */
static void lab_seen(double lab[3], Colour colour, const double seen[3][3]) {
    static const double XYZ[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                     {0.2126729, 0.7151522, 0.0721750},
                                     {0.0193339, 0.1191920, 0.9503041}};
    static const double WHITE[3] = {0.95047, 1, 1.08883};
    double rgb[3] = {linear(colour >> 24), linear(colour >> 16 & 255), linear(colour >> 8 & 255)};
    double turned[3], f[3];
    for (int i = 0; i < 3; i++)
        turned[i] =
            fmin(fmax(seen[i][0] * rgb[0] + seen[i][1] * rgb[1] + seen[i][2] * rgb[2], 0), 1);
    for (int i = 0; i < 3; i++)
        f[i] = lab_curve((XYZ[i][0] * turned[0] + XYZ[i][1] * turned[1] + XYZ[i][2] * turned[2]) /
                         WHITE[i]);
    lab[0] = 116 * f[1] - 16, lab[1] = 500 * (f[0] - f[1]), lab[2] = 200 * (f[1] - f[2]);
}

static double apart(Colour a, Colour b, const double seen[3][3]) {
    double p[3], q[3];
    lab_seen(p, a, seen);
    lab_seen(q, b, seen);
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                (p[2] - q[2]) * (p[2] - q[2]));
}

/* The published ΔE*ab are 17.7, 22.7 and 16.0, from another simulation; ours is at most
 * 0.5 lower. */
TEST(heads_are_told_apart_by_every_eye) {
    static const double EYES[3][3][3] = {{{0.152286, 1.052583, -0.204868},
                                          {0.114503, 0.786281, 0.099216},
                                          {-0.003882, -0.048116, 1.051998}},
                                         {{0.367322, 0.860646, -0.227968},
                                          {0.280085, 0.672501, 0.047413},
                                          {-0.011820, 0.042940, 0.968881}},
                                         {{1.255528, -0.076749, -0.178779},
                                          {-0.078411, 0.930809, 0.147602},
                                          {0.004733, 0.691367, 0.303900}}};
    static const double least[] = {
        [THEME_DARK] = 17.7, [THEME_LIGHT] = 22.7, [THEME_PROJECTOR] = 16.0};
    for (int t = 0; t < THEME_COUNT; t++)
        for (int eye = 0; eye < 3; eye++)
            for (int a = 0; a < THEME_HEADS; a++)
                for (int b = 0; b < a; b++) {
                    double got = apart(THEMES[t].heads[a], THEMES[t].heads[b], EYES[eye]);
                    if (!(got >= least[t] - 0.5))
                        fail_msg("%s, heads %d and %d, eye %d: %.1f", THEMES[t].entry.id, b + 1,
                                 a + 1, eye, got);
                }
}

TEST(token_marks_stand_out_from_their_chips) {
    for (int i = 0; i < THEME_COUNT; i++)
        for (int token = 0; token < THEME_TOKENS; token++)
            check_least(&THEMES[i], "token", THEMES[i].tokens[token], THEMES[i].raised, 3);
}

TEST(grounds_are_told_apart_and_themes_are_whole) {
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = &THEMES[i];
        assert_int_not_equal(t->canvas, t->raised);
        assert_int_not_equal(t->raised, t->hover);
        assert_true(PALETTES[t->signed_palette].is_signed);
        for (size_t at = offsetof(Theme, canvas); at < offsetof(Theme, signed_palette);
             at += sizeof(Colour))
            assert_int_equal(colour_at(t, at) & 255, 255);
    }
}
