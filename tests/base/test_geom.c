#include "base/geom.h"
#include "support/test.h"

static void assert_rect(Rect r, float x, float y, float w, float h) {
    assert_true(r.x == x && r.y == y && r.w == w && r.h == h);
}

TEST(edges_belong_to_one_side) {
    Rect r = {10, 20, 5, 5};
    assert_true(rect_contains(r, (Vec2){10, 20}));
    assert_false(rect_contains(r, (Vec2){15, 20}));
    assert_false(rect_contains(r, (Vec2){10, 25}));
    assert_false(rect_contains(r, (Vec2){9.99F, 22}));
    assert_false(rect_contains((Rect){0, 0, 0, 0}, (Vec2){0, 0}));
    Vec2 centre = rect_centre(r);
    assert_true(centre.x == 12.5F && centre.y == 22.5F);
}

TEST(inset_never_turns_inside_out) {
    Rect r = {10, 20, 40, 6};
    assert_rect(rect_inset(r, 5, 2), 15, 22, 30, 2);
    assert_rect(rect_inset(r, 5, 100), 15, 23, 30, 0);
    assert_rect(rect_inset(r, -5, -1), 5, 19, 50, 8);
}

TEST(intersections) {
    Rect r = {0, 0, 10, 10};
    assert_rect(rect_intersect(r, (Rect){5, -5, 10, 10}), 5, 0, 5, 5);
    assert_rect(rect_intersect(r, r), 0, 0, 10, 10);
    assert_rect(rect_intersect(r, (Rect){2, 3, 4, 5}), 2, 3, 4, 5);
    Rect apart = rect_intersect(r, (Rect){20, 20, 5, 5});
    assert_true(apart.w == 0 && apart.h == 0);
    Rect touching = rect_intersect(r, (Rect){10, 0, 5, 5});
    assert_true(touching.w == 0);
}

TEST(cuts_share_out_the_whole) {
    Rect r = {10, 20, 100, 50};
    assert_rect(rect_cut_left(&r, 30), 10, 20, 30, 50);
    assert_rect(rect_cut_right(&r, 20), 90, 20, 20, 50);
    assert_rect(rect_cut_top(&r, 5), 40, 20, 50, 5);
    assert_rect(rect_cut_bottom(&r, 15), 40, 55, 50, 15);
    assert_rect(r, 40, 25, 50, 30);
}

TEST(more_than_there_is_gives_all) {
    Rect (*const cuts[])(Rect *, float) = {rect_cut_left, rect_cut_right, rect_cut_top,
                                           rect_cut_bottom};
    for (int c = 0; c < 4; c++) {
        Rect r = {1, 2, 3, 4}, whole = r;
        Rect piece = cuts[c](&r, 1e9F);
        assert_rect(piece, whole.x, whole.y, whole.w, whole.h);
        assert_true(c < 2 ? r.w == 0 : r.h == 0);
        Rect again = cuts[c](&r, 5);
        assert_true(c < 2 ? again.w == 0 : again.h == 0);
    }
}

TEST(a_negative_cut_takes_nothing) {
    Rect (*const cuts[])(Rect *, float) = {rect_cut_left, rect_cut_right, rect_cut_top,
                                           rect_cut_bottom};
    for (int c = 0; c < 4; c++) {
        Rect r = {1, 2, 3, 4};
        Rect piece = cuts[c](&r, -7);
        assert_true(c < 2 ? piece.w == 0 : piece.h == 0);
        assert_rect(r, 1, 2, 3, 4);
    }
}

TEST(a_rectangle_moves_into_another_as_far_as_it_fits) {
    Rect area = {10, 10, 100, 50};
    assert_rect(rect_within((Rect){0, 30, 20, 20}, area), 10, 30, 20, 20);
    assert_rect(rect_within((Rect){100, 55, 20, 20}, area), 90, 40, 20, 20);
    assert_rect(rect_within((Rect){50, 0, 200, 60}, area), 10, 10, 200, 60);
}
