#include <math.h>

#include "gfx/canvas.h"
#include "support/test.h"

CANVAS_TESTS

static DrawCells cells_of(const float *values, int rows, int cols, float side, int palette) {
    return (DrawCells){.rect = {20, 20, (float)cols * side, (float)rows * side},
                       .rows = rows,
                       .cols = cols,
                       .stride = cols,
                       .values = values,
                       .lo = PALETTES[palette].is_signed ? -1 : 0,
                       .hi = 1,
                       .palette = palette,
                       .ground = CANVAS_GROUND,
                       .masked = COLOUR_RGB(0x171A1F),
                       .masked_stroke = COLOUR_RGB(0x727C89),
                       .wrong = COLOUR_RGB(0xFF8A5B)};
}

CANVAS_TEST(cells_have_the_palettes_colours) {
    const float values[] = {0, 0.1f, 0.35f, 0.5f, 0.77f, 1, 2, -3};
    DrawCells cells = cells_of(values, 2, 4, 20, PALETTE_CIVIDIS);
    draw_cells(canvas_list(canvas, 1), &cells);
    canvas_draw(canvas);
    for (int i = 0; i < 8; i++)
        assert_pixel(canvas, 30 + 20 * (i % 4), 30 + 20 * (i / 4),
                     palette_colour(PALETTE_CIVIDIS, values[i]), 1);
}

CANVAS_TEST(cells_of_other_values_are_other_cells) {
    float values[] = {0, 1};
    for (int turn = 0; turn < 2; turn++) {
        DrawCells cells = cells_of(values, 1, 2, 20, PALETTE_VIRIDIS);
        draw_cells(canvas_list(canvas, 1), &cells);
        canvas_draw(canvas);
        for (int i = 0; i < 2; i++)
            assert_pixel(canvas, 30 + 20 * i, 30, palette_colour(PALETTE_VIRIDIS, values[i]), 1);
        values[0] = 1, values[1] = 0.25f;
    }
}

/* On a dark ground a pale cell's dash is the ground's, a dark one's that of zero. */
CANVAS_TEST(a_minus_has_a_dash_that_is_told_from_it) {
    const float values[] = {-0.2f, -1, -0.5f};
    DrawCells cells = cells_of(values, 1, 3, 20, PALETTE_PUOR);
    draw_cells(canvas_list(canvas, 1), &cells);
    canvas_draw(canvas);
    for (int i = 0; i < 3; i++) {
        Colour cell = palette_colour(PALETTE_PUOR, (values[i] + 1) / 2);
        assert_pixel(canvas, 30 + 20 * i, 26, cell, 1);
        assert_pixel(canvas, 30 + 20 * i, 30, palette_dash(PALETTE_PUOR, cell, CANVAS_GROUND), 1);
    }
    assert_int_equal(palette_dash(PALETTE_PUOR, PALETTES[PALETTE_PUOR].stops[0], CANVAS_GROUND),
                     PALETTES[PALETTE_PUOR].stops[5]);
}

CANVAS_TEST(cells_with_a_stride_skip_it) {
    const float values[] = {0, 1, 0.5f, 1, 0, 0.5f};
    DrawCells cells = cells_of(values, 2, 2, 20, PALETTE_CIVIDIS);
    cells.stride = 3;
    draw_cells(canvas_list(canvas, 1), &cells);
    canvas_draw(canvas);
    assert_pixel(canvas, 30, 50, palette_colour(PALETTE_CIVIDIS, 1), 1);
    assert_pixel(canvas, 50, 50, palette_colour(PALETTE_CIVIDIS, 0), 1);
}

CANVAS_TEST(cell_borders_are_whole_pixels) {
    float values[49];
    for (int i = 0; i < 49; i++)
        values[i] = (float)(i % 2);
    DrawCells cells = cells_of(values, 7, 7, 13.37f, PALETTE_CIVIDIS);
    cells.gap = 1;
    draw_cells(canvas_list(canvas, 1.11f), &cells);
    canvas_draw(canvas);
    Colour low = palette_colour(PALETTE_CIVIDIS, 0), high = palette_colour(PALETTE_CIVIDIS, 1);
    int gaps = 0;
    for (int x = 22; x < 126; x++) {
        bool is_gap = canvas_is(canvas, x, 30, CANVAS_GROUND, 0);
        gaps += is_gap;
        assert_true(is_gap || canvas_is(canvas, x, 30, low, 1) ||
                    canvas_is(canvas, x, 30, high, 1));
    }
    assert_int_equal(gaps, 6);
}

CANVAS_TEST(masked_and_wrong_cells_differ_from_values) {
    const float values[] = {DRAW_CELL_MASKED, NAN, INFINITY, 0.5f};
    DrawCells cells = cells_of(values, 1, 4, 24, PALETTE_CIVIDIS);
    draw_cells(canvas_list(canvas, 1), &cells);
    canvas_draw(canvas);
    assert_pixel(canvas, 22, 22, cells.masked, 0);
    assert_pixel(canvas, 32, 31, cells.masked_stroke, 12);
    assert_pixel(canvas, 26, 26, cells.masked, 0);
    for (int i = 1; i <= 2; i++) {
        assert_pixel(canvas, 22 + 24 * i, 22, CANVAS_GROUND, 0);
        assert_pixel(canvas, 32 + 24 * i, 32, cells.wrong, 12);
        assert_pixel(canvas, 28 + 24 * i, 28, cells.wrong, 40);
        assert_pixel(canvas, 28 + 24 * i, 35, cells.wrong, 40);
    }
    assert_pixel(canvas, 22 + 72, 22, palette_colour(PALETTE_CIVIDIS, 0.5f), 1);
}

CANVAS_TEST(a_large_minus_carries_a_dash) {
    const float values[] = {-0.8f, 0.8f, -0.05f};
    DrawCells cells = cells_of(values, 1, 3, 20, PALETTE_SIGNED_DARK);
    draw_cells(canvas_list(canvas, 1), &cells);
    canvas_draw(canvas);
    assert_pixel(canvas, 30, 30, CANVAS_GROUND, 0);
    assert_pixel(canvas, 30, 26, palette_colour(PALETTE_SIGNED_DARK, 0.1f), 1);
    assert_pixel(canvas, 23, 30, palette_colour(PALETTE_SIGNED_DARK, 0.1f), 1);
    assert_pixel(canvas, 50, 30, palette_colour(PALETTE_SIGNED_DARK, 0.9f), 1);
    assert_pixel(canvas, 70, 30, palette_colour(PALETTE_SIGNED_DARK, 0.475f), 1);
}

/* It would strike the number through, which has a minus of its own. */
CANVAS_TEST(a_minus_with_its_number_has_no_dash) {
    const float values[] = {-0.8f};
    for (int side = 8; side <= 40; side += 32) {
        DrawCells cells = cells_of(values, 1, 1, (float)side, PALETTE_SIGNED_DARK);
        cells.has_numbers = true;
        draw_cells(canvas_list(canvas, 1), &cells);
        canvas_draw(canvas);
        for (int at = 0; at < side; at++)
            assert_pixel(canvas, 20 + at, 20 + at, palette_colour(PALETTE_SIGNED_DARK, 0.1f), 1);
    }
}

CANVAS_TEST(a_small_minus_has_half_its_height) {
    const float values[] = {-0.8f, 0.8f};
    DrawCells cells = cells_of(values, 1, 2, 8, PALETTE_SIGNED_DARK);
    draw_cells(canvas_list(canvas, 1), &cells);
    canvas_draw(canvas);
    int drawn[2] = {0};
    for (int y = 20; y < 28; y++)
        for (int i = 0; i < 2; i++)
            drawn[i] += !canvas_is(canvas, 24 + 8 * i, y, CANVAS_GROUND, 2);
    assert_int_equal(drawn[0], 4);
    assert_int_equal(drawn[1], 8);
}

CANVAS_TEST(more_matrices_than_are_kept_are_drawn) {
    static float values[700];
    DrawList *list = canvas_list(canvas, 1);
    for (int i = 0; i < 700; i++) {
        values[i] = (float)i / 700;
        DrawCells cells = cells_of(&values[i], 1, 1, 4, PALETTE_CIVIDIS);
        cells.rect.x = (float)(4 * (i % 50));
        cells.rect.y = (float)(4 * (i / 50));
        draw_cells(list, &cells);
    }
    canvas_draw(canvas);
    for (int i = 0; i < 700; i += 23)
        assert_pixel(canvas, 4 * (i % 50) + 2, 4 * (i / 50) + 2,
                     palette_colour(PALETTE_CIVIDIS, values[i]), 1);
}
