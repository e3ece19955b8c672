#include <math.h>

#include "draw/curve.h"
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
        assert_true(curve_distance(&arc.curve, on, 1) < 1);
    }
    assert_float_equal(curve_distance(&arc.curve, (Vec2){300, 100}, 200), 100, 1e-3);
    assert_true(curve_distance(&arc.curve, (Vec2){400, 400}, 40) > 50);
    DrawCurve dot = {{5, 5}, {5, 5}, {5, 5}, {5, 5}, 1, 1, 0, 0, INK, INK};
    assert_float_equal(curve_distance(&dot, (Vec2){8, 9}, 5), 5, 1e-5);
}

static float apart(Vec2 a, Vec2 b) {
    return hypotf(a.x - b.x, a.y - b.y);
}

TEST(an_arrow_joins_the_edges_of_its_discs) {
    for (int turn = 0; turn < 16; turn++) {
        float angle = 0.4f * (float)turn;
        Disc from = {{100, 100}, 20}, to = {{100 + 300 * cosf(angle), 100 + 300 * sinf(angle)}, 30};
        Vec2 bend = {from.at.x + 150 * cosf(angle + 0.3f), from.at.y + 150 * sinf(angle + 0.3f)};
        Arc arc = arc_link(from, to, bend, bend, 4, 100, INK);
        assert_true(fabsf(apart(arc.curve.from, from.at) - from.radius) < 0.01f);
        assert_true(fabsf(apart(arc.head.a, to.at) - to.radius - 2) < 0.01f);
        assert_true(apart(arc.curve.to, arc.head.a) < arc_head_length(4));
        assert_true(apart(arc.head.b, arc.head.a) > apart(arc.curve.to, arc.head.a));
    }
}

TEST(close_discs_have_a_smaller_head) {
    Disc from = {{0, 0}, 10}, to = {{28, 0}, 10};
    Arc arc = arc_link(from, to, (Vec2){14, 0}, (Vec2){14, 0}, 13, 100, INK);
    assert_true(arc.curve.to.x > arc.curve.from.x);
    assert_true(apart(arc.head.a, arc.head.b) < arc_head_length(13));
    to.at.x = 300;
    arc = arc_link(from, to, (Vec2){14, 0}, (Vec2){14, 0}, 13, 5, INK);
    assert_true(fabsf(apart(arc.head.a, (Vec2){arc.head.b.x, 0}) - 5) < 0.01f);
    arc = arc_link(from, from, (Vec2){0, 0}, (Vec2){0, 0}, 13, 100, INK);
    assert_true(isfinite(arc.head.a.x + arc.head.b.y + arc.curve.to.x));
}

TEST(a_loop_of_a_disc_goes_out_and_comes_back) {
    Disc disc = {{50, 50}, 15};
    for (int turn = 0; turn < 8; turn++) {
        Vec2 out = {cosf((float)turn), sinf((float)turn)};
        Arc arc = arc_loop(disc, out, 40, 3, INK);
        assert_true(fabsf(apart(arc.curve.from, disc.at) - disc.radius) < 0.01f);
        assert_true(fabsf(apart(arc.head.a, disc.at) - disc.radius - 2) < 0.01f);
        float reach = (arc.middle.x - 50) * out.x + (arc.middle.y - 50) * out.y;
        assert_true(reach > disc.radius + 20 && reach < disc.radius + 60);
    }
}
