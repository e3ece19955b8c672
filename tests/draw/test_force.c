#include <math.h>
#include <string.h>

#include "draw/force.h"
#include "support/test.h"

#define COUNT_MAX 600
#define LAID_MAX  200 /* nodes in the largest layout tested */

static Vec2 places[COUNT_MAX];

static void lay_out(int count, const ForceLink *links, int link_count) {
    ARENA(arena, force_scratch_bytes(count));
    force_layout(places, count, links, link_count, &arena);
}

static float apart(int a, int b) {
    return hypotf(places[a].x - places[b].x, places[a].y - places[b].y);
}

TEST(what_is_joined_stands_near) {
    ForceLink links[40];
    int count = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++)
                links[count++] = (ForceLink){side * 5 + i, side * 5 + j, 1};
    lay_out(10, links, count);
    float within = 0, between = 0;
    for (int i = 0; i < 10; i++)
        for (int j = i + 1; j < 10; j++)
            *((i < 5) == (j < 5) ? &within : &between) += apart(i, j);
    assert_true(within / 20 < 0.7f * between / 25);
}

TEST(nodes_fill_the_square_and_keep_apart) {
    for (int count = 2; count <= LAID_MAX; count += 33) {
        lay_out(count, NULL, 0);
        float most = 0;
        for (int i = 0; i < count; i++) {
            assert_true(fabsf(places[i].x) <= 1.0001f && fabsf(places[i].y) <= 1.0001f);
            most = fmaxf(most, fmaxf(fabsf(places[i].x), fabsf(places[i].y)));
            for (int j = 0; j < i; j++)
                assert_true(apart(i, j) > 0.3f / sqrtf((float)count));
        }
        assert_true(most > 0.999f);
    }
}

TEST(the_same_graph_is_laid_out_alike) {
    static Vec2 before[COUNT_MAX];
    ForceLink link = {0, 7, 0.5f};
    lay_out(20, &link, 1);
    memcpy(before, places, sizeof before);
    lay_out(20, &link, 1);
    assert_memory_equal(before, places, sizeof before);
}

TEST(one_and_none) {
    places[0] = (Vec2){9, 9};
    lay_out(0, NULL, 0);
    lay_out(1, NULL, 0);
    assert_true(places[0].x == 0 && places[0].y == 0);
    ForceLink self = {0, 0, 1};
    lay_out(1, &self, 1);
    ForceLink both[2] = {{0, 0, 1}, {0, 1, 1e6f}};
    lay_out(2, both, 2);
    assert_true(isfinite(places[0].x + places[1].y));
}

static void settle(const Vec2 *rest, const bool *is_fixed, int count, const ForceLink *links,
                   int link_count) {
    LOCAL(arena_release) Arena arena = {0};
    must(arena_reserve(&arena, 2 * force_scratch_bytes(count), &told));
    force_settle(places, rest, is_fixed, count, links, link_count, &arena);
}

/* Move one node of a chain. It stays there, its neighbours follow, the far end hardly moves.
 * Without a moved node nothing moves. */
TEST(the_others_settle_around_what_is_fixed) {
    enum { CHAIN = 12 };
    static Vec2 rest[CHAIN];
    ForceLink links[CHAIN - 1];
    bool is_fixed[CHAIN] = {false};
    for (int i = 0; i + 1 < CHAIN; i++)
        links[i] = (ForceLink){i, i + 1, 1};
    lay_out(CHAIN, links, CHAIN - 1);
    memcpy(rest, places, sizeof rest);
    settle(rest, is_fixed, CHAIN, links, CHAIN - 1);
    for (int i = 0; i < CHAIN; i++)
        assert_true(hypotf(places[i].x - rest[i].x, places[i].y - rest[i].y) < 1e-3f);
    Vec2 put = {-rest[0].x, -rest[0].y};
    places[0] = put;
    is_fixed[0] = true;
    float before = apart(0, 1);
    settle(rest, is_fixed, CHAIN, links, CHAIN - 1);
    assert_true(places[0].x == put.x && places[0].y == put.y);
    assert_true(apart(0, 1) < 0.7f * before);
    for (int i = 0; i < CHAIN; i++)
        assert_true(fabsf(places[i].x) <= 1 && fabsf(places[i].y) <= 1);
}

TEST(boxes_are_parted_inside_their_bounds) {
    enum { BOXES = 40 };
    ForceBox boxes[BOXES];
    bool is_fixed[BOXES] = {[3] = true};
    Rect bounds = {-300, -200, 600, 400};
    for (int i = 0; i < BOXES; i++) {
        boxes[i] = (ForceBox){{20 + (float)(i % 5), 12}, (float)(i % 7)};
        places[i] = (Vec2){(float)(i % 9), (float)(i % 4)}; /* some share a place */
    }
    Vec2 kept = places[3];
    force_part(places, boxes, is_fixed, BOXES, bounds);
    assert_true(places[3].x == kept.x && places[3].y == kept.y);
    for (int i = 0; i < BOXES; i++) {
        const ForceBox *a = &boxes[i];
        float y = places[i].y + a->down;
        assert_true(fabsf(places[i].x) <= 300 - a->half.x + 0.01f);
        assert_true(fabsf(y) <= 200 - a->half.y + 0.01f);
        for (int j = 0; j < i; j++) {
            const ForceBox *b = &boxes[j];
            float over_x = a->half.x + b->half.x - fabsf(places[i].x - places[j].x);
            float over_y = a->half.y + b->half.y - fabsf(y - places[j].y - b->down);
            assert_true(fminf(over_x, over_y) < 1);
        }
    }
}

static bool lie_on_each_other(const ForceBox *box, int i, int j) {
    return fabsf(places[i].x - places[j].x) < 2 * box->half.x - 0.01f &&
           fabsf(places[i].y - places[j].y) < 2 * box->half.y - 0.01f;
}

/* Boxes in the way of a fixed one move and push those that they meet. All others stay, even if they
 * overlap. */
TEST(many_make_room_where_it_is_needed) {
    enum { SIDE = 24, COUNT = SIDE * SIDE };
    static ForceBox boxes[COUNT];
    static Vec2 rest[COUNT];
    static bool is_fixed[COUNT];
    const Rect bounds = {-600, -400, 1200, 800};
    for (int i = 0; i < COUNT; i++) {
        boxes[i] = (ForceBox){{10, 10}, 0};
        rest[i] = (Vec2){-400 + 25 * (float)(i % SIDE), -300 + 25 * (float)(i / SIDE)};
    }
    int dragged = 3, far = COUNT - 1;
    rest[far - 1] = rest[far];
    memcpy(places, rest, sizeof rest);
    places[dragged] = (Vec2){rest[COUNT / 2].x + 4, rest[COUNT / 2].y + 3};
    is_fixed[dragged] = true;
    Vec2 put = places[dragged];
    ARENA(scratch, force_scratch_bytes(COUNT));
    force_make_room(places, boxes, is_fixed, COUNT, bounds, &scratch);
    int moved = 0;
    for (int i = 0; i < COUNT; i++) {
        bool stays = places[i].x == rest[i].x && places[i].y == rest[i].y;
        moved += !stays && i != dragged;
        assert_true(i == dragged || !lie_on_each_other(&boxes[0], i, dragged));
        assert_true(i == far - 1 || i == far || stays ||
                    hypotf(places[i].x - put.x, places[i].y - put.y) < 300);
    }
    assert_true(places[dragged].x == put.x && places[dragged].y == put.y);
    assert_true(places[far].x == rest[far].x && places[far - 1].x == rest[far].x);
    assert_true(moved > 0 && moved < COUNT / 4);
}
