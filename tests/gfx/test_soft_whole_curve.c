/* Whole curves drawn by the processor, white on black: a pixel is how much of it is covered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "gfx/soft_queue.h"

#define W     320
#define H     200
#define BLACK 0xFF000000u

static const PixelRect WHOLE = {0, 0, W, H};

typedef struct Sheet {
    uint32_t pixels[W * H];
} Sheet;

typedef struct Curve {
    uint32_t words[16];
} Curve;

static void clear(Sheet *sheet) {
    for (int i = 0; i < W * H; i++)
        sheet->pixels[i] = BLACK;
}

static SoftPicture picture_of(Sheet *sheet) {
    return (SoftPicture){sheet->pixels, W, H, NULL};
}

static Curve curve(const float at[8], float width, Colour colour) {
    Curve c = {{0}};
    for (int i = 0; i < 8; i++)
        c.words[i] = batch_word(at[i]);
    c.words[8] = batch_word(0.5f * width);
    c.words[9] = colour;
    return c;
}

static Curve line(float x0, float y0, float x1, float y1, float width) {
    const float at[8] = {
        x0, y0, x0 + (x1 - x0) / 3, y0 + (y1 - y0) / 3, x1 - (x1 - x0) / 3, y1 - (y1 - y0) / 3,
        x1, y1};
    return curve(at, width, 0xFFFFFFFFu);
}

static PaintItem item_of(const Curve *c) {
    return (PaintItem){.pipeline = PIPELINE_CURVE, .is_whole = true, .words = c->words};
}

static void lay(Sheet *sheet, const Curve *c, const PixelRect *clip) {
    SoftPicture picture = picture_of(sheet);
    PaintItem item = item_of(c);
    soft_draw(&picture, clip, &item);
}

static int at(const Sheet *sheet, int x, int y) {
    return (int)(sheet->pixels[y * W + x] & 255);
}

static double total(const Sheet *sheet) {
    double sum = 0;
    for (int i = 0; i < W * H; i++)
        sum += (double)(sheet->pixels[i] & 255) / 255;
    return sum;
}

/* The next of a sequence of curves all over the sheet and beyond. */
static Curve some_curve(uint64_t i) {
    float r[10], points[8];
    for (uint64_t k = 0; k < 10; k++)
        r[k] = (float)rng_uniform(rng_stream(9, 0), 10 * i + k);
    for (int k = 0; k < 8; k++)
        points[k] = (k % 2 == 0 ? W : H) * (1.6f * r[k] - 0.3f);
    Curve c = curve(points, 6 * r[8], 0x55AAFF00u | (Colour)(20 + 235 * r[9]));
    if (i % 3 == 0) { /* dashed */
        c.words[10] = batch_word(1 + 9 * r[9]);
        c.words[11] = batch_word(5 * r[8]);
    }
    return c;
}

static void a_level_line_fills_its_pixels(void **state) {
    (void)state;
    Sheet sheet;
    clear(&sheet);
    Curve c = line(10, 20, 110, 20, 2);
    lay(&sheet, &c, &WHOLE);
    for (int x = 10; x < 110; x++) {
        assert_true(at(&sheet, x, 19) == 255 && at(&sheet, x, 20) == 255);
        assert_true(at(&sheet, x, 18) == 0 && at(&sheet, x, 21) == 0);
    }
    assert_true(at(&sheet, 9, 20) == 0 && at(&sheet, 110, 20) == 0);
}

static void lines_at_any_angle_cover_their_area(void **state) {
    (void)state;
    const float widths[] = {0.3f, 1, 2, 3.7f, 9};
    for (int turn = 0; turn < 48; turn++)
        for (int w = 0; w < 5; w++) {
            Sheet sheet;
            clear(&sheet);
            float angle = 0.1308f * (float)turn, dx = 55 * cosf(angle), dy = 55 * sinf(angle);
            Curve c = line(100 - dx, 75 - dy, 100 + dx, 75 + dy, widths[w]);
            lay(&sheet, &c, &WHOLE);
            double area = 110.0 * (double)widths[w];
            if (fabs(total(&sheet) - area) >= 0.12 * area + 1.5) /* at 45° samples keep in step */
                fail_msg("turn %d, width %.1f: %.2f for %.2f", turn, (double)widths[w],
                         total(&sheet), area);
        }
}

static void a_bend_is_covered_once(void **state) {
    (void)state;
    for (int turn = 0; turn < 24; turn++) { /* a half circle, at half the strength */
        Sheet sheet;
        clear(&sheet);
        float angle = 0.2618f * (float)turn, c = 50 * cosf(angle), s = 50 * sinf(angle);
        const float points[8] = {100 + c,
                                 75 + s,
                                 100 + c - s * 4 / 3,
                                 75 + s + c * 4 / 3,
                                 100 - c - s * 4 / 3,
                                 75 - s + c * 4 / 3,
                                 100 - c,
                                 75 - s};
        Curve half = curve(points, 3, 0xFFFFFF80u);
        lay(&sheet, &half, &WHOLE);
        for (int i = 0; i < W * H; i++)
            assert_true((sheet.pixels[i] & 255) <= 129);
        assert_true(fabs(total(&sheet) - 157 * 3 * 0.502) < 8);
    }
}

/* The ends of wide curves are square to them, so that what meets leaves no gap. */
static void wide_arcs_that_meet_leave_no_gap(void **state) {
    (void)state;
    Sheet sheet;
    clear(&sheet);
    const float k = 55.228f; /* quarters of a circle about 110, 100 */
    const float right[8] = {110, 0, 110 + k, 0, 210, 100 - k, 210, 100};
    const float left[8] = {110, 0, 110 - k, 0, 10, 100 - k, 10, 100};
    Curve arcs[] = {curve(right, 60, 0xFFFFFF80u), curve(left, 60, 0xFFFFFF80u)};
    lay(&sheet, &arcs[0], &WHOLE);
    lay(&sheet, &arcs[1], &WHOLE);
    for (int y = 0; y < 29; y++)
        for (int x = 100; x < 120; x++)
            assert_true(abs(at(&sheet, x, y) - 128) < 20);
}

static void a_thinner_line_is_a_fainter_one_and_alpha_counts(void **state) {
    (void)state;
    Sheet sheet;
    clear(&sheet);
    Curve c = line(10, 20.5f, 110, 20.5f, 0.25f);
    c.words[9] = 0xFFFFFF80u;
    lay(&sheet, &c, &WHOLE);
    assert_int_equal(at(&sheet, 50, 20), 32); /* a quarter of 128 */
    lay(&sheet, &c, &WHOLE);
    assert_int_equal(at(&sheet, 50, 20), 60); /* and as much of what is left */
}

static void dashes_are_as_long_as_they_say(void **state) {
    (void)state;
    Sheet sheet;
    clear(&sheet);
    Curve c = line(10, 20, 110, 20, 2);
    c.words[10] = batch_word(6);
    c.words[11] = batch_word(4);
    lay(&sheet, &c, &WHOLE);
    for (int x = 10; x < 110; x++)
        assert_true(abs(at(&sheet, x, 20) - ((x - 10) % 10 < 6 ? 255 : 0)) <= 1);
}

/* Dashes are counted from the start of a curve, whatever pieces it is drawn in. */
static void dashes_go_round_a_bend(void **state) {
    (void)state;
    Sheet sheet;
    clear(&sheet);
    const float k = 100 - 55.228f; /* a quarter of a circle about 150, 150 */
    const float points[8] = {50, 150, 50, 50 + k, 50 + k, 50, 150, 50};
    Curve c = curve(points, 3, 0xFFFFFFFFu);
    c.words[10] = batch_word(6);
    c.words[11] = batch_word(6);
    lay(&sheet, &c, &WHOLE);
    int seen = 0;
    for (float along = 0; along < 156; along += 0.1f) {
        float angle = along / 100, at_dash = fmodf(along, 12);
        int lit = at(&sheet, (int)(150 - 100 * cosf(angle)), (int)(150 - 100 * sinf(angle)));
        if (at_dash > 2 && at_dash < 4)
            assert_true(lit > 200);
        if (at_dash > 8 && at_dash < 10)
            assert_true(lit < 20);
        seen += lit > 200;
    }
    assert_true(seen > 300);
}

/* Of a part the same pixels are drawn, to the bit, as of the whole, and no other. */
static void a_part_is_as_in_the_whole(void **state) {
    (void)state;
    const PixelRect parts[] = {
        {40, 30, 90, 60}, {0, 0, 3, H}, {W - 5, 7, W, 90}, {13, 61, 180, 62}};
    for (int p = 0; p < 4; p++) {
        Sheet whole, part;
        clear(&whole);
        clear(&part);
        for (uint64_t i = 0; i < 300; i++) {
            Curve c = some_curve(i);
            lay(&whole, &c, &WHOLE);
            lay(&part, &c, &parts[p]);
        }
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool inside = x >= parts[p].left && x < parts[p].right && y >= parts[p].top &&
                              y < parts[p].bottom;
                assert_int_equal(part.pixels[y * W + x], inside ? whole.pixels[y * W + x] : BLACK);
            }
    }
}

/* In strips by several threads. */
static void a_queue_draws_what_its_items_do(void **state) {
    (void)state;
    Sheet whole, queued;
    SoftQueue queue = {.step_count = 0};
    assert_true(soft_queue_create(&queue));
    queue.picture = picture_of(&queued);
    for (int round = 0; round < 5; round++) {
        clear(&whole);
        clear(&queued);
        for (uint64_t i = 0; i < 200; i++) {
            Curve c = some_curve(i);
            PaintItem item = item_of(&c);
            lay(&whole, &c, &WHOLE);
            soft_queue_draw(&queue, &WHOLE, &item);
        }
        soft_queue_run(&queue);
        assert_memory_equal(whole.pixels, queued.pixels, sizeof whole.pixels);
    }
    soft_queue_release(&queue);
}

static void what_is_nowhere_draws_nothing(void **state) {
    (void)state;
    Sheet sheet;
    clear(&sheet);
    const Curve curves[] = {line(NAN, 0, 50, 50, 2),      line(0, INFINITY, 50, 50, 2),
                            line(30, 30, 30, 30, 3),      line(400, 10, 500, 20, 2),
                            line(-1e30f, 5, 1e30f, 5, 0), line(10, 260, 190, 270, 4)};
    for (int i = 0; i < 6; i++)
        lay(&sheet, &curves[i], &WHOLE);
    assert_true(total(&sheet) == 0);
    Curve far = line(-1e6f, 45, 1e6f, 45, 2);
    lay(&sheet, &far, &WHOLE);
    assert_true(fabs(total(&sheet) - 2 * W) < 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_line_fills_its_pixels),
        cmocka_unit_test(lines_at_any_angle_cover_their_area),
        cmocka_unit_test(a_bend_is_covered_once),
        cmocka_unit_test(wide_arcs_that_meet_leave_no_gap),
        cmocka_unit_test(a_thinner_line_is_a_fainter_one_and_alpha_counts),
        cmocka_unit_test(dashes_are_as_long_as_they_say),
        cmocka_unit_test(dashes_go_round_a_bend),
        cmocka_unit_test(a_part_is_as_in_the_whole),
        cmocka_unit_test(a_queue_draws_what_its_items_do),
        cmocka_unit_test(what_is_nowhere_draws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
