#include <math.h>

#include "base/rng.h"
#include "draw/space.h"
#include "support/test.h"

#define THINGS 400

static Arena arena;

static Space begin(Rect area, int most) {
    must(arena_reserve(&arena, space_bytes(most), &told));
    return space_begin(area, most, &arena);
}

static SpaceBox turned(float x, float y, float w, float h, float angle) {
    return (SpaceBox){{x, y}, {cosf(angle), sinf(angle)}, w / 2, h / 2};
}

TEST(boxes_and_discs_are_hit_where_they_are) {
    Space s = begin((Rect){0, 0, 800, 600}, 8);
    SpaceBox thing = space_box((Rect){100, 100, 50, 20});
    assert_non_null(space_take(&s, &thing, 1, 7));
    assert_non_null(space_take_disc(&s, (Vec2){400, 300}, 30, 2, 8));
    SpaceBox near = space_box((Rect){149, 119, 50, 50}),
             adjacent = space_box((Rect){150, 100, 9, 9});
    assert_int_equal(space_hit(&s, &near, 1, SPACE_BUT_NONE)->owner, 7);
    assert_null(space_hit(&s, &near, 1, 7));
    assert_null(space_hit(&s, &near, 2, SPACE_BUT_NONE));
    assert_null(space_hit(&s, &adjacent, 3, SPACE_BUT_NONE)); /* they only touch */
    SpaceBox corner = space_box((Rect){422, 322, 20, 20}), in = space_box((Rect){420, 320, 20, 20});
    assert_null(
        space_hit(&s, &corner, 2, SPACE_BUT_NONE)); /* overlaps the disc's square, not the disc */
    SpaceItem *disc = space_hit(&s, &in, 2, SPACE_BUT_NONE);
    assert_int_equal(disc->owner, 8);
    disc->is_gone = true;
    assert_null(space_hit(&s, &in, 2, SPACE_BUT_NONE));
}

TEST(turned_boxes_have_no_corners_of_their_own) {
    Space s = begin((Rect){0, 0, 800, 600}, 8);
    SpaceBox slope = turned(400, 300, 200, 20, 0.7853982f);
    space_take(&s, &slope, 1, 0);
    SpaceBox above = space_box((Rect){450, 240, 30, 30}), on = space_box((Rect){440, 340, 9, 9});
    assert_null(space_hit(&s, &above, 1, SPACE_BUT_NONE));
    assert_non_null(space_hit(&s, &on, 1, SPACE_BUT_NONE));
    Rect around = space_around(&slope);
    assert_true(fabsf(around.w - 220 * 0.7071068f) < 0.01f && fabsf(around.w - around.h) < 0.01f);
    assert_true(space_is_inside(&slope, around));
    assert_false(space_is_inside(&slope, (Rect){around.x + 1, around.y, around.w, around.h}));
}

TEST(what_is_outside_or_too_much_is_not_kept) {
    Space s = begin((Rect){0, 0, 100, 100}, 2);
    SpaceBox out = space_box((Rect){200, 0, 9, 9}), in = space_box((Rect){0, 0, 9, 9});
    SpaceBox none = space_box((Rect){NAN, NAN, 9, 9});
    assert_null(space_take(&s, &out, 1, 0));
    assert_null(space_take(&s, &none, 1, 0));
    assert_non_null(space_take(&s, &in, 1, 0));
    assert_non_null(space_take(&s, &in, 1, 1));
    assert_null(space_take(&s, &in, 1, 2));
    assert_null(space_hit(&s, &none, 1, SPACE_BUT_NONE));
}

static SpaceBox any_box(int which, bool large) {
    float u[5];
    for (int i = 0; i < 5; i++)
        u[i] = (float)rng_uniform(rng_stream(5, 0), (uint64_t)(5 * which + i));
    float w = (large ? 600.0f : 90.0f) * u[2], h = (large ? 400.0f : 30.0f) * u[3];
    return turned(900 * u[0] - 50, 700 * u[1] - 50, w, h, 6.3f * u[4]);
}

/* Assert that the grid finds the same items as one space for each item, at sizes of all kinds. */
TEST(the_grid_finds_what_looking_at_each_finds) {
    static SpaceBox boxes[THINGS];
    Rect area = {0, 0, 800, 600};
    Space s = begin(area, THINGS);
    for (int i = 0; i < THINGS; i++) {
        boxes[i] = any_box(i, i % 9 == 0);
        space_take(&s, &boxes[i], 1u << (i % 3), i);
    }
    int hits = 0, misses = 0;
    for (int q = 0; q < 600; q++) {
        SpaceBox asked = any_box(THINGS + q, q % 50 == 0);
        unsigned kind = 1u << (q % 3);
        bool is_hit = space_hit(&s, &asked, kind, q % THINGS) != NULL, expected = false;
        ARENA(one, space_bytes(1));
        for (int i = 0; i < THINGS && !expected; i++) {
            Arena scratch = one;
            Space alone = space_begin(area, 1, &scratch);
            if (1u << (i % 3) == kind && i != q % THINGS) {
                space_take(&alone, &boxes[i], 1, 0);
                expected = space_hit(&alone, &asked, 1, SPACE_BUT_NONE) != NULL;
            }
        }
        assert_int_equal(is_hit, expected);
        hits += is_hit;
        misses += !is_hit;
    }
    assert_true(hits > 50 && misses > 50);
}

TEST(a_picture_of_any_size_has_a_grid) {
    Space s = begin((Rect){0, 0, 1e6f, 9e5f}, 3);
    SpaceBox far = space_box((Rect){9e5f, 8e5f, 90, 20});
    assert_non_null(space_take(&s, &far, 1, 0));
    assert_non_null(space_hit(&s, &far, 1, SPACE_BUT_NONE));
    s = begin((Rect){0, 0, 0, 0}, 3);
    assert_null(space_take(&s, &far, 1, 0));
    arena_release(&arena);
}
