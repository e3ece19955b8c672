#include <stdlib.h>
#include <string.h>

#include "model/attention/mask.h"
#include "support/test.h"

static Arena arena;

static Mask push(int T, MaskKind kind) {
    must(arena_reserve(&arena, mask_bytes(T), &told));
    Mask mask = mask_push(&arena, T, kind, 0);
    assert_int_equal(arena.used, mask_bytes(T));
    return mask;
}

static void release(void) {
    arena_release(&arena);
}

TEST(none_opens_every_pair) {
    for (int T = 1; T < 20; T += 3) {
        Mask mask = push(T, MASK_NONE);
        for (int i = 0; i < T; i++)
            assert_int_equal(mask_open_keys(&mask, i), T);
    }
    release();
}

TEST(causal_opens_the_past_and_itself) {
    for (int T = 1; T < 20; T += 3) {
        Mask mask = push(T, MASK_CAUSAL);
        for (int i = 0; i < T; i++) {
            assert_int_equal(mask_open_keys(&mask, i), i + 1);
            for (int j = 0; j < T; j++)
                assert_int_equal(mask_row(&mask, i)[j], j <= i);
        }
    }
    release();
}

TEST(window_opens_both_sides_alike) {
    static const int widths[] = {0, 1, 3, 18, 19, 4096, 2147483647};
    for (int T = 1; T < 20; T += 3)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            must(arena_reserve(&arena, mask_bytes(T), &told));
            Mask mask = mask_push(&arena, T, MASK_WINDOW, widths[w]);
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++)
                    assert_int_equal(mask_row(&mask, i)[j], abs(i - j) <= widths[w]);
        }
    release();
}

/* Of every kind: a longer text does not change the earlier pairs. */
TEST(no_pair_depends_on_how_many_there_are) {
    for (MaskKind kind = 0; kind < MASK_KIND_COUNT; kind++)
        for (int T = 1; T < 12; T++) {
            uint8_t shorter[12 * 12];
            Mask mask = push(T, kind);
            memcpy(shorter, mask.open, (size_t)(T * T));
            mask = push(T + 1, kind);
            for (int i = 0; i < T; i++)
                assert_memory_equal(mask_row(&mask, i), shorter + i * T, (size_t)T);
        }
    release();
}

/* Of every kind: entries are 0 or 1, and all memory is overwritten. */
TEST(every_kind_fills_the_whole_table) {
    for (MaskKind kind = 0; kind < MASK_KIND_COUNT; kind++) {
        must(arena_reserve(&arena, mask_bytes(33), &told));
        memset(arena.bytes, 0xAA, arena.capacity);
        Mask mask = mask_push(&arena, 33, kind, 1);
        for (int e = 0; e < 33 * 33; e++)
            assert_in_range(mask.open[e], 0, 1);
    }
    release();
}

TEST(open_keys_counts_any_table) {
    uint8_t open[9] = {0, 0, 0, 1, 0, 1, 1, 1, 1};
    Mask mask = {open, 3};
    assert_int_equal(mask_open_keys(&mask, 0), 0);
    assert_int_equal(mask_open_keys(&mask, 1), 2);
    assert_int_equal(mask_open_keys(&mask, 2), 3);
}

TEST(registry_lists_the_contracts_ids) {
    assert_int_equal(registry_find(&MASKS, "none", 4), MASK_NONE);
    assert_int_equal(registry_find(&MASKS, "causal", 6), MASK_CAUSAL);
    for (int i = 0; i < MASKS.count; i++) {
        assert_true(registry_entry(&MASKS, i)->label[0] != '\0');
        assert_true(registry_entry(&MASKS, i)->help[0] != '\0');
    }
}
