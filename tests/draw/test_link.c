#include <math.h>

#include "draw/link.h"
#include "support/test.h"

static float apart(Vec2 a, Vec2 b) {
    return hypotf(a.x - b.x, a.y - b.y);
}

TEST(an_arrow_joins_the_edges_of_its_discs) {
    for (int turn = 0; turn < 16; turn++) {
        float angle = 0.4f * (float)turn;
        Disc from = {{100, 100}, 20}, to = {{100 + 300 * cosf(angle), 100 + 300 * sinf(angle)}, 30};
        Vec2 bend = {from.at.x + 150 * cosf(angle + 0.3f), from.at.y + 150 * sinf(angle + 0.3f)};
        Arc arc = link_between(from, to, bend, bend, 4, 100, COLOUR_RGB(0xFFFFFF));
        assert_true(fabsf(apart(arc.curve.from, from.at) - from.radius) < 0.01f);
        assert_true(fabsf(apart(arc.head.a, to.at) - to.radius - 2) < 0.01f);
        assert_true(apart(arc.curve.to, arc.head.a) < arc_head_length(4));
        assert_true(apart(arc.head.b, arc.head.a) > apart(arc.curve.to, arc.head.a));
    }
}

TEST(close_discs_have_a_smaller_head) {
    Disc from = {{0, 0}, 10}, to = {{28, 0}, 10};
    Arc arc = link_between(from, to, (Vec2){14, 0}, (Vec2){14, 0}, 13, 100, COLOUR_RGB(0));
    assert_true(arc.curve.to.x > arc.curve.from.x);
    assert_true(apart(arc.head.a, arc.head.b) < arc_head_length(13));
    to.at.x = 300;
    arc = link_between(from, to, (Vec2){14, 0}, (Vec2){14, 0}, 13, 5, COLOUR_RGB(0));
    assert_true(fabsf(apart(arc.head.a, (Vec2){arc.head.b.x, 0}) - 5) < 0.01f);
    arc = link_between(from, from, (Vec2){0, 0}, (Vec2){0, 0}, 13, 100, COLOUR_RGB(0));
    assert_true(isfinite(arc.head.a.x + arc.head.b.y + arc.curve.to.x));
}

TEST(a_loop_goes_out_and_comes_back) {
    Disc disc = {{50, 50}, 15};
    for (int turn = 0; turn < 8; turn++) {
        Vec2 out = {cosf((float)turn), sinf((float)turn)};
        Arc arc = link_loop(disc, out, 40, 3, COLOUR_RGB(0));
        assert_true(fabsf(apart(arc.curve.from, disc.at) - disc.radius) < 0.01f);
        assert_true(fabsf(apart(arc.head.a, disc.at) - disc.radius - 2) < 0.01f);
        float reach = (arc.middle.x - 50) * out.x + (arc.middle.y - 50) * out.y;
        assert_true(reach > disc.radius + 20 && reach < disc.radius + 60);
    }
}
