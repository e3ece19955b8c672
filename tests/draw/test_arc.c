#include <math.h>

#include "draw/arc.h"
#include "support/test.h"

static const Colour INK = 0x336699FFu;

TEST(width_grows_with_weight_and_is_clamped) {
    assert_float_equal(arc_width(0), 0.8, 1e-6);
    assert_float_equal(arc_width(0.5f), 7.3, 1e-5);
    assert_float_equal(arc_width(1), 13.8, 1e-5);
    assert_float_equal(arc_width(2), 13.8, 1e-5);
    assert_float_equal(arc_width(-1), 0.8, 1e-6);
    assert_true(isfinite(arc_width(NAN)));
}

static void check_arc(float from_y, float to_y, float bulge) {
    float x = 100, width = 5, side = bulge < 0 ? -1 : 1;
    Arc arc = arc_between(x, from_y, to_y, bulge, width, INK);
    assert_float_equal(arc.curve.from.x, x, 1e-4);
    assert_float_equal(arc.curve.from.y, from_y, 1e-4);
    assert_float_equal(arc.head.a.x, x, 1e-4);
    assert_float_equal(arc.head.a.y, to_y, 1e-4);
    /* The curve ends inside the head's base, so that no gap shows. */
    assert_float_equal(arc.curve.to.y, to_y, 1e-4);
    assert_true((arc.curve.to.x - x) * side > 0);
    assert_true(fabsf(arc.curve.to.x - x) < fabsf(arc.head.b.x - x));
    assert_true((arc.head.b.x - x) * side > 0 && (arc.head.c.x - x) * side > 0);
    assert_float_equal(arc.head.b.y + arc.head.c.y, 2 * to_y, 1e-3);
    /* It bulges by the requested distance, within the length of the head. */
    float reach = 0;
    for (int i = 0; i <= 100; i++)
        reach = fmaxf(reach, (curve_point(&arc.curve, (float)i / 100).x - x) * side);
    assert_true(fabsf(reach - fabsf(bulge)) < 12);
    assert_float_equal(arc.middle.x, curve_point(&arc.curve, 0.5f).x, 1e-3);
    assert_int_equal(arc.curve.colour_from, INK);
    assert_int_equal(arc.head.colour_c, INK);
}

TEST(arrows_go_from_query_to_key_on_their_side) {
    check_arc(50, 250, 80);
    check_arc(250, 50, 80);
    check_arc(50, 250, -80);
    check_arc(250, 50, -80);
    check_arc(50, 51, 40);
}

TEST(a_loop_leaves_and_comes_back) {
    Arc arc = arc_between(100, 200, 200, 30, 4, INK);
    assert_true(arc.curve.from.y < 200 && arc.head.a.y > 200);
    assert_float_equal(arc.curve.from.y + arc.head.a.y, 400, 1e-3);
    assert_true(curve_point(&arc.curve, 0.5f).x > 115);
}

TEST(a_curve_begins_and_ends_where_it_should) {
    DrawCurve curve = {.from = {1, 2}, .control_1 = {3, 9}, .control_2 = {7, -4}, .to = {8, 5}};
    Vec2 from = curve_point(&curve, 0), to = curve_point(&curve, 1);
    Vec2 middle = curve_point(&curve, 0.5f);
    assert_true(from.x == 1 && from.y == 2 && to.x == 8 && to.y == 5);
    assert_float_equal(middle.x, (1 + 3 * 3 + 3 * 7 + 8) / 8.0, 1e-5);
    assert_float_equal(middle.y, (2 + 3 * 9 + 3 * -4 + 5) / 8.0, 1e-5);
}

TEST(distance_is_0_on_the_curve_and_grows_off_it) {
    Arc arc = arc_between(400, 100, 700, 300, 3, INK);
    for (int i = 0; i <= 1000; i++) {
        Vec2 on = curve_point(&arc.curve, (float)i / 1000);
        assert_true(curve_distance(&arc.curve, on) < 1);
    }
    assert_float_equal(curve_distance(&arc.curve, (Vec2){300, 100}), 100, 1e-3);
    assert_true(curve_distance(&arc.curve, (Vec2){400, 400}) > 50);
    DrawCurve dot = {{5, 5}, {5, 5}, {5, 5}, {5, 5}, 1, 1, 0, 0, INK, INK};
    assert_float_equal(curve_distance(&dot, (Vec2){8, 9}), 5, 1e-5);
}
