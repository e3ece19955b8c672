#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "gfx/batch.h"

#define SIDE 640

static void begin_frame(Batcher *batcher) {
    const PixelRect frame = {0, 0, SIDE, SIDE};
    batcher_begin(batcher, SIDE, SIDE, &frame, 1);
}

static int begin(void **state) {
    Batcher *batcher = malloc(sizeof *batcher);
    *state = batcher;
    if (batcher == NULL || !batcher_create(batcher))
        return -1;
    begin_frame(batcher);
    return 0;
}

static int end(void **state) {
    batcher_release(*state);
    free(*state);
    return 0;
}

/* Add an instance whose words all are tag. */
static void add(Batcher *batcher, Pipeline pipeline, Rect bounds, uint32_t tag) {
    uint32_t words[20];
    for (int i = 0; i < 20; i++)
        words[i] = tag;
    BatchKey key = {.pipeline = pipeline, .bounds = bounds};
    batcher_add(batcher, &key, words);
}

static void neighbours_of_a_kind_share_a_batch(void **state) {
    Batcher *batcher = *state;
    for (uint32_t i = 0; i < 5; i++)
        add(batcher, PIPELINE_BOX, (Rect){10, 10, 50, 50}, i);
    assert_int_equal(batcher->batch_count, 1);
    assert_int_equal(batcher->batches[0].count[0], 5);
}

static void what_is_apart_joins_an_earlier_batch(void **state) {
    Batcher *batcher = *state;
    for (uint32_t i = 0; i < 8; i++) {
        float x = 80 * (float)i;
        add(batcher, PIPELINE_BOX, (Rect){x, 10, 50, 30}, i);
        add(batcher, PIPELINE_TEXT, (Rect){x + 5, 15, 40, 20}, 100 + i);
    }
    assert_int_equal(batcher->batch_count, 2);
    batcher_order(batcher);
    assert_int_equal(batcher->batches[1].first[0], 8 * PIPELINE_TEXELS[PIPELINE_BOX]);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(batcher->ordered[16 * i], i);
        assert_int_equal(batcher->ordered[16 * (8 + i) + 15], 100 + i);
    }
}

static void what_lies_on_top_stays_on_top(void **state) {
    Batcher *batcher = *state;
    add(batcher, PIPELINE_BOX, (Rect){0, 0, 100, 100}, 1);
    add(batcher, PIPELINE_TEXT, (Rect){20, 20, 50, 20}, 2);
    add(batcher, PIPELINE_BOX, (Rect){30, 0, 100, 100}, 3);
    assert_int_equal(batcher->batch_count, 3);
    add(batcher, PIPELINE_TEXT, (Rect){20, 20, 50, 20}, 4); /* over the second box */
    assert_int_equal(batcher->batch_count, 4);
    add(batcher, PIPELINE_TEXT, (Rect){400, 400, 50, 20}, 5);
    assert_int_equal(batcher->batches[1].count[0], 2); /* the earliest that it may join */
}

static void scissors_and_textures_keep_apart(void **state) {
    Batcher *batcher = *state;
    uint32_t words[20] = {0};
    BatchKey key = {.pipeline = PIPELINE_CELLS, .texture = 1, .bounds = {0, 0, 10, 10}};
    batcher_add(batcher, &key, words);
    key.texture = 2;
    batcher_add(batcher, &key, words);
    key.is_clipped = true;
    key.scissor = (PixelRect){0, 0, 5, 5};
    batcher_add(batcher, &key, words);
    key.scissor.right = 6;
    batcher_add(batcher, &key, words);
    assert_int_equal(batcher->batch_count, 4);
}

static void room_is_told_before_it_runs_out(void **state) {
    Batcher *batcher = *state;
    int added = 0;
    while (batcher_has_room(batcher)) {
        float at = (float)(added % 2 * 300);
        add(batcher, added % 3 ? PIPELINE_TRIANGLE : PIPELINE_BOX, (Rect){at, at, 9, 9}, 7);
        added++;
    }
    assert_true(added > 1000);
    assert_true(batcher->word_count <= BATCH_WORDS_MAX);
    batcher_order(batcher);
    assert_int_equal(batcher->ordered_count, batcher->word_count);
    assert_int_equal(batcher->ordered[batcher->ordered_count - 1], 7);
    begin_frame(batcher);
    assert_true(batcher_has_room(batcher));
}

static void bounds_outside_the_frame_are_harmless(void **state) {
    Batcher *batcher = *state;
    add(batcher, PIPELINE_BOX, (Rect){-1e6f, -1e6f, 3e6f, 3e6f}, 1);
    add(batcher, PIPELINE_TEXT, (Rect){639.99f, 639.99f, 5, 5}, 2);
    add(batcher, PIPELINE_BOX, (Rect){0, 0, 1, 1}, 3);
    assert_int_equal(batcher->batches[0].count[0], 2);
}

static void an_instance_is_drawn_in_the_regions_that_it_touches(void **state) {
    Batcher *batcher = *state;
    const PixelRect regions[] = {{0, 0, 100, 100}, {200, 0, 300, 100}};
    batcher_begin(batcher, SIDE, SIDE, regions, 2);
    add(batcher, PIPELINE_BOX, (Rect){10, 10, 30, 30}, 1);
    add(batcher, PIPELINE_BOX, (Rect){50, 50, 200, 20}, 2);
    add(batcher, PIPELINE_BOX, (Rect){100, 0, 100, 100}, 3); /* between the two, touching */
    add(batcher, PIPELINE_TEXT, (Rect){400, 400, 30, 30}, 4);
    assert_int_equal(batcher->batch_count, 1);
    batcher_order(batcher);
    const Batch *batch = &batcher->batches[0];
    assert_int_equal(batch->count[0], 2);
    assert_int_equal(batch->count[1], 1);
    assert_int_equal(batcher->ordered[4 * batch->first[0]], 1);
    assert_int_equal(batcher->ordered[4 * (batch->first[0] + PIPELINE_TEXELS[PIPELINE_BOX])], 2);
    assert_int_equal(batcher->ordered[4 * batch->first[1]], 2);
}

static bool overlap(Rect a, Rect b) {
    Rect both = rect_intersect(a, b);
    return both.w > 0 && both.h > 0;
}

/* Of random instances of three kinds: every pair that overlaps is drawn in the order of adding. */
static void what_overlaps_keeps_its_order(void **state) {
    enum { COUNT = 400 };
    static Rect bounds[COUNT];
    static size_t drawn[COUNT];
    Batcher *batcher = *state;
    uint32_t seed = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        float at[4];
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            at[k] = (float)(seed >> 8) / (float)(1 << 24);
        }
        bounds[i] = (Rect){at[0] * SIDE, at[1] * SIDE, at[2] * 60, at[3] * 60};
        add(batcher, (Pipeline[]){PIPELINE_BOX, PIPELINE_TEXT, PIPELINE_CURVE}[(seed >> 16) % 3],
            bounds[i], i);
    }
    batcher_order(batcher);
    assert_true(batcher->batch_count < COUNT / 4);
    for (size_t i = 0; i < COUNT; i++)
        drawn[batcher->ordered[16 * i]] = i; /* each kind has four texels */
    for (int i = 0; i < COUNT; i++)
        for (int j = i + 1; j < COUNT; j++)
            if (overlap(bounds[i], bounds[j]))
                assert_true(drawn[i] < drawn[j]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(neighbours_of_a_kind_share_a_batch, begin, end),
        cmocka_unit_test_setup_teardown(what_is_apart_joins_an_earlier_batch, begin, end),
        cmocka_unit_test_setup_teardown(what_lies_on_top_stays_on_top, begin, end),
        cmocka_unit_test_setup_teardown(scissors_and_textures_keep_apart, begin, end),
        cmocka_unit_test_setup_teardown(room_is_told_before_it_runs_out, begin, end),
        cmocka_unit_test_setup_teardown(an_instance_is_drawn_in_the_regions_that_it_touches, begin,
                                        end),
        cmocka_unit_test_setup_teardown(what_overlaps_keeps_its_order, begin, end),
        cmocka_unit_test_setup_teardown(bounds_outside_the_frame_are_harmless, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
