#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "gfx/ink.h"

#define W 200
#define H 150

static const PixelRect WHOLE = {0, 0, W, H};

static DrawCurve line(float x0, float y0, float x1, float y1, float width) {
    return (DrawCurve){.from = {x0, y0},
                       .control_1 = {x0 + (x1 - x0) / 3, y0 + (y1 - y0) / 3},
                       .control_2 = {x1 - (x1 - x0) / 3, y1 - (y1 - y0) / 3},
                       .to = {x1, y1},
                       .width_from = width,
                       .width_to = width,
                       .colour_from = 0xFFFFFFFFu,
                       .colour_to = 0xFFFFFFFFu};
}

static void begin(Ink *ink) {
    assert_true(ink_begin(ink, &WHOLE));
}

static float at(const Ink *ink, int x, int y) {
    return ink->cover[y * W + x];
}

/* All that is covered: of a straight line its length times its width. */
static double total(const Ink *ink) {
    double sum = 0;
    for (int i = 0; i < W * H; i++)
        sum += (double)ink->cover[i];
    return sum;
}

static void a_level_line_fills_its_pixels(void **state) {
    (void)state;
    Ink ink = {0};
    begin(&ink);
    DrawCurve c = line(10, 20, 110, 20, 2);
    ink_curve(&ink, &c);
    for (int x = 10; x < 110; x++) {
        assert_true(at(&ink, x, 19) == 1 && at(&ink, x, 20) == 1);
        assert_true(at(&ink, x, 18) == 0 && at(&ink, x, 21) == 0);
    }
    assert_true(at(&ink, 9, 20) == 0 && at(&ink, 110, 20) == 0);
    ink_end(&ink);
    assert_int_equal(ink.coverage[19 * W + 50], 255);
    ink_release(&ink);
}

static void lines_at_any_angle_cover_their_area(void **state) {
    (void)state;
    const float widths[] = {0.3f, 1, 2, 3.7f};
    for (int turn = 0; turn < 48; turn++)
        for (int w = 0; w < 4; w++) {
            Ink ink = {0};
            float angle = 0.1308f * (float)turn, dx = 55 * cosf(angle), dy = 55 * sinf(angle);
            begin(&ink);
            DrawCurve c = line(100 - dx, 75 - dy, 100 + dx, 75 + dy, widths[w]);
            ink_curve(&ink, &c);
            double area = 110.0 * (double)widths[w];
            if (fabs(total(&ink) - area) >=
                0.12 * area + 1.5) /* at 45° the samples keep their phase */
                fail_msg("turn %d, width %.1f: %.2f for %.2f", turn, (double)widths[w], total(&ink),
                         area);
            ink_release(&ink);
        }
}

static void a_thinner_line_is_a_fainter_one_and_alpha_counts(void **state) {
    (void)state;
    Ink ink = {0};
    begin(&ink);
    DrawCurve c = line(10, 20.5f, 110, 20.5f, 0.25f);
    c.colour_from = 0xFFFFFF80u;
    ink_curve(&ink, &c);
    assert_true(fabsf(at(&ink, 50, 20) - 0.25f * 128 / 255) < 1e-4f);
    ink_curve(&ink, &c);
    float once = 0.25f * 128 / 255;
    assert_true(fabsf(at(&ink, 50, 20) - (1 - (1 - once) * (1 - once))) < 1e-4f);
    ink_release(&ink);
}

static void curves_cover_alike_in_any_order(void **state) {
    (void)state;
    enum { COUNT = 60 };
    DrawCurve curves[COUNT];
    for (int i = 0; i < COUNT; i++) {
        float r[8];
        for (int k = 0; k < 8; k++)
            r[k] = (float)rng_uniform(rng_stream(9, 0), (uint64_t)(8 * i + k));
        curves[i] = (DrawCurve){.from = {W * r[0], H * r[1]},
                                .control_1 = {W * r[2], H * r[3]},
                                .control_2 = {W * r[4], H * r[5]},
                                .to = {W * r[6], H * r[7]},
                                .width_from = 1.5f,
                                .width_to = 1.5f,
                                .colour_from = 0x11223340u,
                                .colour_to = 0x11223340u};
    }
    Ink forth = {0}, back = {0};
    begin(&forth);
    begin(&back);
    for (int i = 0; i < COUNT; i++) {
        ink_curve(&forth, &curves[i]);
        ink_curve(&back, &curves[COUNT - 1 - i]);
    }
    for (int i = 0; i < W * H; i++)
        assert_true(fabsf(forth.cover[i] - back.cover[i]) < 1e-5f);
    ink_release(&forth);
    ink_release(&back);
}

/* Of an area the same pixels are drawn, to the bit, as of all the frame. */
static void an_area_is_a_part_of_the_whole(void **state) {
    (void)state;
    Ink whole = {0}, part = {0};
    PixelRect area = {40, 30, 90, 60};
    DrawCurve curves[] = {line(-50, -20, 300, 200, 3),  line(-1e6f, 45, 1e6f, 46, 2),
                          line(60, -1e5f, 61, 1e5f, 2), line(0, 0, 0, 0, 3),
                          line(NAN, 0, 50, 50, 2),      line(0, INFINITY, 50, 50, 2)};
    begin(&whole);
    assert_true(ink_begin(&part, &area));
    for (int i = 0; i < 6; i++) {
        ink_curve(&whole, &curves[i]);
        ink_curve(&part, &curves[i]);
    }
    for (uint64_t i = 0; i < 300; i++) { /* most of them within the area or across its edges */
        float r[5];
        for (uint64_t k = 0; k < 5; k++)
            r[k] = (float)rng_uniform(rng_stream(3, 0), 5 * i + k);
        DrawCurve c = line(30 + 70 * r[0], 20 + 50 * r[1], 30 + 70 * r[2], 20 + 50 * r[3],
                           INK_WIDTH_MAX * r[4]);
        c.colour_from = 0xFFFFFF50u;
        ink_curve(&whole, &c);
        ink_curve(&part, &c);
    }
    for (int y = area.top; y < area.bottom; y++)
        for (int x = area.left; x < area.right; x++) {
            float cover = part.cover[(y - area.top) * (area.right - area.left) + x - area.left];
            assert_true(cover == at(&whole, x, y) && cover >= 0 && cover <= 1);
        }
    ink_release(&whole);
    ink_release(&part);
}

static void nothing_is_drawn_beyond_the_reach(void **state) {
    (void)state;
    const DrawCurve curves[] = {line(20, 30, 90, 35, 3), line(100, 10, 101, 140, 0.4f),
                                line(-40, -40, 30, 20, 4), line(150, 100, 400, 300, 2)};
    for (int i = 0; i < 4; i++) {
        Ink ink = {0};
        PixelRect reach = ink_reach(&curves[i], &WHOLE);
        begin(&ink);
        ink_curve(&ink, &curves[i]);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool inside =
                    x >= reach.left && x < reach.right && y >= reach.top && y < reach.bottom;
                assert_true(inside || at(&ink, x, y) == 0);
            }
        ink_release(&ink);
    }
    DrawCurve nowhere = line(NAN, 0, 50, 50, 2), beyond = line(300, 10, 400, 20, 2);
    PixelRect none = ink_reach(&nowhere, &WHOLE), outside = ink_reach(&beyond, &WHOLE);
    assert_true(none.right <= none.left && outside.right <= outside.left);
}

static void a_new_picture_is_empty(void **state) {
    (void)state;
    Ink ink = {0};
    begin(&ink);
    DrawCurve c = line(0, 0, W, H, 4);
    ink_curve(&ink, &c);
    assert_true(total(&ink) > 100);
    begin(&ink);
    assert_true(total(&ink) == 0);
    ink_release(&ink);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_line_fills_its_pixels),
        cmocka_unit_test(lines_at_any_angle_cover_their_area),
        cmocka_unit_test(a_thinner_line_is_a_fainter_one_and_alpha_counts),
        cmocka_unit_test(curves_cover_alike_in_any_order),
        cmocka_unit_test(an_area_is_a_part_of_the_whole),
        cmocka_unit_test(nothing_is_drawn_beyond_the_reach),
        cmocka_unit_test(a_new_picture_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
