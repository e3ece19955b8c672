#include <math.h>
#include <string.h>

#include "base/util.h"
#include "draw/curve.h"
#include "gfx/canvas.h"
#include "support/test.h"

CANVAS_TESTS

#define RED   COLOUR_RGB(0xE02020)
#define GREEN COLOUR_RGB(0x20C040)
#define WHITE COLOUR_RGB(0xFFFFFF)

static void add_text(DrawList *list, Vec2 at, float size, float angle_rad, Colour colour,
                     const char *text) {
    DrawText style = {.at = at, .size = size, .angle_rad = angle_rad, .colour = colour};
    draw_text_run(list, &style, text, strlen(text));
}

CANVAS_TEST(ground_is_opaque) {
    canvas_list(canvas, 1)->ground = 0x10203000;
    canvas_draw(canvas);
    assert_int_equal(canvas_pixel(canvas, 5, 5), CANVAS_GROUND);
}

CANVAS_TEST(box_fills_whole_pixels) {
    draw_fill(canvas_list(canvas, 1), (Rect){10, 20, 30, 12}, 0, RED);
    canvas_draw(canvas);
    assert_int_equal(canvas_pixel(canvas, 10, 20), RED);
    assert_int_equal(canvas_pixel(canvas, 39, 31), RED);
    assert_int_equal(canvas_pixel(canvas, 9, 20), CANVAS_GROUND);
    assert_int_equal(canvas_pixel(canvas, 40, 31), CANVAS_GROUND);
    assert_int_equal(canvas_pixel(canvas, 10, 32), CANVAS_GROUND);
}

CANVAS_TEST(box_edges_are_crisp_at_any_scale) {
    const float scales[] = {0.83f, 1, 1.11f, 1.5f, 2};
    for (size_t i = 0; i < ARRAY_COUNT(scales); i++) {
        DrawList *list = canvas_list(canvas, scales[i]);
        draw_fill(list, (Rect){7.3f, 9.7f, 33.4f, 1}, 0, RED);
        draw_box(list,
                 &(DrawBox){.rect = {7, 31, 40, 20}, .radius = 4, .fill = RED, .fill_right = RED});
        canvas_draw(canvas);
        int middle = (int)(20 * scales[i]);
        for (int y = 0; y < CANVAS_HEIGHT; y++) {
            Colour pixel = canvas_pixel(canvas, middle, y);
            assert_true(pixel == RED || pixel == CANVAS_GROUND);
        }
    }
}

CANVAS_TEST(a_hairline_box_is_fainter) {
    draw_fill(canvas_list(canvas, 1), (Rect){10, 20, 30, 0.25f}, 0, WHITE);
    canvas_draw(canvas);
    int sum = 0;
    for (int y = 15; y < 25; y++)
        sum += (int)(canvas_pixel(canvas, 20, y) >> 24) - 0x10;
    assert_in_range(sum, 50, 70); /* a quarter of 255 - 16 */
}

CANVAS_TEST(large_boxes_are_whole) {
    DrawBox box = {.rect = {8, 8, 200, 120},
                   .radius = 12,
                   .border = 3,
                   .fill = RED,
                   .fill_right = RED,
                   .stroke = WHITE};
    draw_box(canvas_list(canvas, 1), &box);
    canvas_draw(canvas);
    for (int x = 11; x < 205; x++)
        assert_pixel(canvas, x, 60, RED, 0);
    for (int y = 11; y < 125; y++)
        assert_pixel(canvas, 100, y, RED, 0);
    assert_pixel(canvas, 8, 60, WHITE, 0);
    assert_pixel(canvas, 207, 60, WHITE, 0);
    assert_pixel(canvas, 100, 127, WHITE, 0);
    assert_pixel(canvas, 8, 8, CANVAS_GROUND, 1);
    assert_pixel(canvas, 207, 127, CANVAS_GROUND, 1);
}

CANVAS_TEST(border_lies_inside) {
    draw_ring(canvas_list(canvas, 1), (Rect){20, 20, 24, 24}, 0, 2, WHITE);
    canvas_draw(canvas);
    CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_int_equal(ink.left, 20);
    assert_int_equal(ink.bottom, 44);
    assert_int_equal(ink.count, 24 * 24 - 20 * 20);
}

CANVAS_TEST(a_circle_has_its_area) {
    draw_fill(canvas_list(canvas, 1), (Rect){30.3f, 30.6f, 40, 40}, 20, COLOUR_RGB(0xFFFFFF));
    canvas_draw(canvas);
    double covered = 0;
    for (int y = 0; y < CANVAS_HEIGHT; y++)
        for (int x = 0; x < CANVAS_WIDTH; x++)
            covered += ((double)(canvas_pixel(canvas, x, y) >> 24) - 16) / (255 - 16);
    assert_true(fabs(covered - 3.14159265 * 400) < 12);
}

CANVAS_TEST(gradient_runs_from_left_to_right) {
    DrawBox box = {.rect = {20, 20, 101, 10}, .fill = RED, .fill_right = GREEN};
    draw_box(canvas_list(canvas, 1), &box);
    canvas_draw(canvas);
    assert_pixel(canvas, 20, 25, RED, 3);
    assert_pixel(canvas, 120, 25, GREEN, 3);
    assert_pixel(canvas, 70, 25, colour_mix(RED, GREEN, 0.5f), 2);
}

CANVAS_TEST(dashes_leave_gaps) {
    DrawBox box = {.rect = {20, 20, 120, 60},
                   .radius = 8,
                   .border = 2,
                   .dash_on = 5,
                   .dash_off = 4,
                   .stroke = WHITE};
    draw_box(canvas_list(canvas, 1), &box);
    canvas_draw(canvas);
    int drawn = 0;
    for (int x = 30; x < 130; x++)
        drawn += canvas_is(canvas, x, 20, WHITE, 90);
    assert_in_range(drawn, 45, 66); /* 5 of 9 */
    assert_pixel(canvas, 80, 20, WHITE, 8);
}

CANVAS_TEST(alpha_blends_straight) {
    draw_fill(canvas_list(canvas, 1), (Rect){10, 10, 100, 100}, 0, 0xFFFFFF80);
    canvas_draw(canvas);
    assert_pixel(canvas, 50, 50, colour_mix(CANVAS_GROUND, WHITE, 128 / 255.0f), 1);
    assert_int_equal(canvas_pixel(canvas, 50, 50) & 255, 255);
}

CANVAS_TEST(straight_line_covers_its_width) {
    draw_line(canvas_list(canvas, 1), (Vec2){20, 50}, (Vec2){120, 50}, 6, WHITE);
    canvas_draw(canvas);
    CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_int_equal(ink.top, 47);
    assert_int_equal(ink.bottom, 53);
    assert_int_equal(ink.left, 20); /* butt ends */
    assert_int_equal(ink.right, 120);
    assert_pixel(canvas, 60, 50, WHITE, 0);
}

CANVAS_TEST(level_lines_are_crisp_at_any_scale) {
    for (float scale = 0.83f; scale < 2; scale += 0.07f) {
        draw_line(canvas_list(canvas, scale), (Vec2){10.3f, 33.3f}, (Vec2){100, 33.3f}, 1 / scale,
                  WHITE);
        canvas_draw(canvas);
        CanvasInk ink = canvas_ink(canvas, 40, 0, 60, CANVAS_HEIGHT);
        assert_int_equal(ink.bottom - ink.top, 1);
        assert_pixel(canvas, 50, ink.top, WHITE, 1);
    }
}

CANVAS_TEST(curve_follows_its_formula) {
    DrawCurve curve = {.from = {20, 130},
                       .control_1 = {40, 10},
                       .control_2 = {160, 10},
                       .to = {200, 130},
                       .width_from = 4,
                       .width_to = 4,
                       .colour_from = RED,
                       .colour_to = GREEN};
    draw_curve(canvas_list(canvas, 1), &curve);
    canvas_draw(canvas);
    for (float t = 0.05f; t < 1; t += 0.05f) {
        float u = 1 - t;
        float x = u * u * u * 20 + 3 * u * u * t * 40 + 3 * u * t * t * 160 + t * t * t * 200;
        float y = 130 * (u * u * u + t * t * t) + 30 * u * t;
        assert_pixel(canvas, (int)x, (int)y, colour_mix(RED, GREEN, t), 6);
    }
    assert_pixel(canvas, 110, 100, CANVAS_GROUND, 0);
}

CANVAS_TEST(curve_dashes_by_length) {
    DrawCurve curve = {.from = {10, 40},
                       .control_1 = {10, 40},
                       .control_2 = {210, 40},
                       .to = {210, 40},
                       .width_from = 2,
                       .width_to = 2,
                       .dash_on = 10,
                       .dash_off = 10,
                       .colour_from = WHITE,
                       .colour_to = WHITE};
    draw_curve(canvas_list(canvas, 1), &curve);
    canvas_draw(canvas);
    for (int i = 0; i < 10; i++) {
        assert_pixel(canvas, 10 + 20 * i + 5, 40, WHITE, 2);
        assert_pixel(canvas, 10 + 20 * i + 15, 40, CANVAS_GROUND, 2);
    }
}

/* Its pieces meet without a gap or an overlap; otherwise their joints would be visible. */
CANVAS_TEST(a_faint_curve_is_even) {
    DrawCurve bow = {.from = {20, 140},
                     .control_1 = {40, 10},
                     .control_2 = {200, 10},
                     .to = {220, 140},
                     .width_from = 16,
                     .width_to = 16,
                     .colour_from = 0xFFFFFF40u,
                     .colour_to = 0xFFFFFF40u};
    draw_curve(canvas_list(canvas, 1), &bow);
    canvas_draw(canvas);
    for (int i = 10; i <= 90; i++) {
        Vec2 at = curve_point(&bow, (float)i / 100);
        for (int dx = -2; dx <= 2; dx++)
            assert_pixel(canvas, (int)at.x + dx, (int)at.y, 0x4C5864FFu, 1);
    }
}

CANVAS_TEST(triangle_is_filled) {
    DrawTriangle triangle = {{20, 20}, {120, 20}, {20, 120}, RED, RED, RED};
    draw_triangle(canvas_list(canvas, 1), &triangle);
    canvas_draw(canvas);
    assert_pixel(canvas, 30, 30, RED, 1);
    assert_pixel(canvas, 20, 60, RED, 1);
    assert_pixel(canvas, 19, 60, CANVAS_GROUND, 1);
    assert_pixel(canvas, 90, 90, CANVAS_GROUND, 0);
    assert_pixel(canvas, 69, 70, colour_mix(CANVAS_GROUND, RED, 0.5f), 8); /* on its edge */
}

CANVAS_TEST(triangles_that_share_an_edge_show_no_seam) {
    DrawList *list = canvas_list(canvas, 1);
    Colour half = colour_fade(WHITE, 0.5f);
    draw_triangle(list, &(DrawTriangle){{20, 20}, {120, 30}, {30, 120}, half, half, half});
    draw_triangle(list, &(DrawTriangle){{120, 30}, {30, 120}, {130, 130}, half, half, half});
    canvas_draw(canvas);
    Colour inside = canvas_pixel(canvas, 50, 50);
    for (int i = 0; i < 60; i++)
        for (int step = -1; step <= 1; step++)
            assert_int_equal(canvas_pixel(canvas, 45 + i, 104 - i + step), inside);
}

CANVAS_TEST(nothing_is_drawn_outside_the_clip) {
    const float values[] = {1};
    DrawList *list = canvas_list(canvas, 1);
    draw_clip(list, (Rect){60, 40, 50, 30});
    draw_fill(list, (Rect){0, 0, 90, 60}, 20, RED);
    draw_line(list, (Vec2){0, 0}, (Vec2){CANVAS_WIDTH, CANVAS_HEIGHT}, 20, RED);
    draw_triangle(list, &(DrawTriangle){{0, 0}, {200, 50}, {50, 150}, RED, RED, RED});
    draw_cells(list, &(DrawCells){.rect = {20, 20, 100, 100},
                                  .rows = 1,
                                  .cols = 1,
                                  .stride = 1,
                                  .values = values,
                                  .hi = 1});
    add_text(list, (Vec2){40, 60}, 40, 0, RED, "clipped text");
    add_text(list, (Vec2){40, 40}, 40, 0.5f, RED, "clipped text");
    canvas_draw(canvas);
    CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_true(ink.count > 500);
    assert_true(ink.left >= 60 && ink.top >= 40 && ink.right <= 110 && ink.bottom <= 70);
}

/* The old colour at the start, the new one at the end, each channel's mean in between; with a sweep
 * the left cells change first. */
CANVAS_TEST(cells_pass_from_one_picture_to_another) {
    const float now[] = {1, DRAW_CELL_MASKED, 0, 0.5f}, before[] = {0, 3, DRAW_CELL_MASKED, 2};
    DrawCells cells = {.rect = {20, 20, 80, 20},
                       .rows = 1,
                       .cols = 4,
                       .stride = 4,
                       .values = now,
                       .hi = 1,
                       .masked = RED};
    Colour from[4], to[4];
    DrawCells alone = cells;
    for (int turn = 0; turn < 2; turn++) {
        alone.values = turn == 0 ? before : now;
        alone.hi = turn == 0 ? 4 : 1;
        draw_cells(canvas_list(canvas, 1), &alone);
        canvas_draw(canvas);
        for (int j = 0; j < 4; j++)
            (turn == 0 ? from : to)[j] = canvas_pixel(canvas, 23 + 20 * j, 23);
    }
    cells.before = before;
    cells.before_hi = 4;
    for (int sweep = 0; sweep < 2; sweep++)
        for (int step = 0; step <= 4; step++) {
            cells.way = (float)step / 4;
            cells.sweep = 2 * (float)sweep;
            draw_cells(canvas_list(canvas, 1), &cells);
            canvas_draw(canvas);
            for (int j = 0; j < 4; j++) {
                float own = cell_way(cells.way, cells.sweep, j, 4);
                assert_pixel(canvas, 23 + 20 * j, 23, colour_mix(from[j], to[j], own), 1);
            }
        }
    assert_true(cell_way(0.4f, 2, 0, 4) > 0.9f && cell_way(0.4f, 2, 3, 4) == 0);
}

CANVAS_TEST(later_commands_lie_on_top) {
    DrawList *list = canvas_list(canvas, 1);
    for (int i = 0; i < 8; i++) { /* of kinds that are batched apart */
        float at = 10.0f + 20 * (float)i;
        draw_fill(list, (Rect){at, 10, 30, 30}, 5, i % 2 ? RED : GREEN);
        draw_line(list, (Vec2){at, 25}, (Vec2){at + 30, 25}, 4, i % 2 ? GREEN : RED);
    }
    canvas_draw(canvas);
    for (int i = 0; i < 7; i++) {
        assert_pixel(canvas, 36 + 20 * i, 16, i % 2 ? GREEN : RED, 0);
        assert_pixel(canvas, 36 + 20 * i, 25, i % 2 ? RED : GREEN, 0);
    }
}

CANVAS_TEST(higher_layers_lie_on_top) {
    DrawList *list = canvas_list(canvas, 1);
    list->layer = 2;
    draw_fill(list, (Rect){10, 10, 30, 30}, 0, RED);
    list->layer = 0;
    draw_fill(list, (Rect){20, 20, 30, 30}, 0, GREEN);
    canvas_draw(canvas);
    assert_int_equal(canvas_pixel(canvas, 25, 25), RED);
}

CANVAS_TEST(hostile_numbers_draw_nothing_and_harm_nothing) {
    const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f};
    DrawList *list = canvas_list(canvas, 1);
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        float n = odd[i];
        draw_fill(list, (Rect){n, 10, 20, 20}, 3, RED);
        draw_fill(list, (Rect){10, 10, 0, n}, 3, RED);
        draw_fill(list, (Rect){300, 10, 20, 20}, n, RED);
        draw_line(list, (Vec2){n, 300}, (Vec2){20, 300}, 3, RED);
        draw_line(list, (Vec2){300, n}, (Vec2){300, n}, 3, RED);
        draw_triangle(list, &(DrawTriangle){{n, 0}, {n, 5}, {n, n}, RED, RED, RED});
        add_text(list, (Vec2){n, 20}, 20, 0, RED, "text");
        add_text(list, (Vec2){20, n}, 20, n, RED, "text");
    }
    canvas_draw(canvas);
    assert_int_equal(canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT).count, 0);
}

CANVAS_TEST(many_curves_are_all_drawn) {
    DrawList *list = canvas_list(canvas, 1);
    for (int i = 0; i < 6000; i++) {
        float y = 10 + (float)(i % 100);
        draw_curve(list, &(DrawCurve){.from = {10, y},
                                      .control_1 = {80, y + 40},
                                      .control_2 = {150, y - 40},
                                      .to = {220, y},
                                      .width_from = 1,
                                      .width_to = 1,
                                      .colour_from = RED,
                                      .colour_to = RED});
    }
    draw_fill(list, (Rect){100, 40, 30, 30}, 0, GREEN);
    canvas_draw(canvas);
    assert_pixel(canvas, 115, 55, GREEN, 0);
    assert_pixel(canvas, 200, 100, RED, 8);
}

CANVAS_TEST(the_same_list_gives_the_same_pixels) {
    static unsigned char first[sizeof canvas->pixels];
    for (int turn = 0; turn < 2; turn++) {
        DrawList *list = canvas_list(canvas, 1.3f);
        add_text(list, (Vec2){20, 60}, 20, 0.7f, RED, "the same");
        draw_ring(list, (Rect){20, 20, 80, 40}, 12, 2, WHITE);
        canvas_draw(canvas);
        if (turn == 0)
            memcpy(first, canvas->pixels, sizeof first);
    }
    assert_memory_equal(first, canvas->pixels, sizeof first);
}

CANVAS_TEST(a_size_out_of_range_is_refused) {
    Err err = {0};
    draw_fill(canvas_list(canvas, 1), (Rect){10, 10, 30, 30}, 0, RED);
    draw_end(&canvas->list);
    assert_false(soft_draw(canvas->soft, &canvas->list, 0, 10, &err));
    assert_int_equal(err.kind, ERR_FAILED);
    assert_false(soft_draw(canvas->soft, &canvas->list, 10, SOFT_SIDE_MAX + 1, &err));
    canvas_draw(canvas);
    assert_int_equal(canvas_pixel(canvas, 20, 20), RED);
}
