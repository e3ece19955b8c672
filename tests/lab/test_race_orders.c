/* The sequences that a race trains on, and those that it holds out. */
#include <string.h>

#include "lab/race.h"
#include "support/test.h"

#define T_MOST 12
#define DRAWS  2000

typedef struct Words {
    Arena arena;
    Mat words;
    RaceOrders orders;
} Words;

/* One letter a word. */
static Words words_of(const char *text, bool repeats) {
    Words w = {0};
    int T = (int)strlen(text);
    must(arena_reserve(&w.arena, mat_bytes(T, 1) + race_orders_bytes(T), &told));
    w.words = mat_push(&w.arena, T, 1);
    for (int i = 0; i < T; i++)
        mat_row(&w.words, i)[0] = (float)text[i];
    w.orders = race_orders_push(&w.arena, &w.words, repeats, 3);
    return w;
}

static bool is_held(const RaceOrders *o, const int *order) {
    bool held = false;
    for (int i = 0; i < o->held_count; i++)
        held = held || memcmp(race_order_held(o, i), order, (size_t)o->T * sizeof *order) == 0;
    return held;
}

TEST(no_held_out_order_is_trained_on) {
    static const char *const texts[] = {"ab", "abc", "abcd", "abcde", "abcdef", "theanimalxyz"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Words w = words_of(texts[k], false);
        int order[T_MOST];
        assert_true(is_held(&w.orders, w.orders.text));
        for (uint64_t n = 0; n < DRAWS; n++) {
            race_order_draw(order, &w.orders, 7, n);
            if (is_held(&w.orders, order))
                fail_msg("\"%s\": draw %d is held out", texts[k], (int)n);
        }
        arena_release(&w.arena);
    }
}

TEST(sixty_four_orders_are_held_out) {
    static const int counts[] = {1, 1, 2, 6, 24, 64, 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char text[] = "abcdefg";
        Words w = words_of(text + 6 - i, false);
        assert_int_equal(w.orders.held_count, counts[i]);
        arena_release(&w.arena);
    }
}

/* Each token once, or half of the different words twice. */
TEST(an_order_has_the_words_of_the_text) {
    for (int repeats = 0; repeats < 2; repeats++) {
        Words w = words_of("abcadefghijk", repeats);
        int order[T_MOST];
        for (uint64_t n = 0; n < DRAWS; n++) {
            int count[T_MOST] = {0}, words = 0;
            race_order_draw(order, &w.orders, 7, n);
            for (int i = 0; i < T_MOST; i++)
                words += count[order[i]]++ == 0;
            assert_int_equal(words, repeats ? 6 : 11);
            for (int i = 0; i < T_MOST; i++)
                assert_true(repeats ? count[i] % 2 == 0 : count[i] == (i == 0 ? 2 : i != 3));
        }
        arena_release(&w.arena);
    }
}

TEST(every_word_comes_to_every_place_alike) {
    Words w = words_of("abcdefgh", false);
    int count[8][8] = {{0}}, order[8];
    for (uint64_t n = 0; n < DRAWS; n++) {
        race_order_draw(order, &w.orders, 7, n);
        for (int i = 0; i < 8; i++)
            count[i][order[i]]++;
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            assert_in_range(count[i][j], DRAWS / 8 - 75, DRAWS / 8 + 75); /* five deviations */
    arena_release(&w.arena);
}

TEST(an_order_depends_on_its_seed_and_number_alone) {
    Words w = words_of("abcdefgh", false);
    int order[8], again[8], other[8];
    race_order_draw(order, &w.orders, 7, 5);
    race_order_draw(other, &w.orders, 8, 5);
    assert_memory_not_equal(order, other, sizeof order);
    race_order_draw(other, &w.orders, 7, 6);
    assert_memory_not_equal(order, other, sizeof order);
    race_order_draw(again, &w.orders, 7, 5);
    assert_memory_equal(order, again, sizeof order);
    arena_release(&w.arena);
}

TEST(a_text_of_one_word_is_its_only_order) {
    Words w = words_of("aaaaaaa", false);
    int order[7];
    race_order_draw(order, &w.orders, 7, 0);
    for (int i = 0; i < 7; i++)
        assert_int_equal(order[i], 0);
    arena_release(&w.arena);
}
