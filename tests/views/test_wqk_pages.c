/* The pages below the product: their matrices, costs and words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

static void open_page(Script *s, const char *more) {
    char state[256];
    snprintf(state, sizeof state, "view=wqk%s", more);
    script_begin(s, state, 1920, 1080);
}

/* Matrices next to each other on a page have one scale, up to the largest of their entries. */
TEST(what_is_compared_has_one_scale) {
    static const struct {
        const char *more;
        int count;
    } pages[] = {{"&wqk-page=training", 3},
                 {"&wqk-page=parts", 2},
                 {"&wqk-page=parts&init=identity&d-model=16", 2}};
    for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
        LOCAL(script_end) Script s;
        float most = 0;
        open_page(&s, pages[i].more);
        int cells = drawn_cells_count(&s.list);
        for (int k = cells - pages[i].count; k < cells; k++) {
            const DrawCells *m = drawn_cells(&s.list, k);
            for (int at = 0; at < m->rows * m->cols; at++)
                most = fmaxf(most, fabsf(m->values[(at / m->cols) * m->stride + at % m->cols]));
        }
        assert_true(most > 0);
        for (int k = cells - pages[i].count; k < cells; k++) {
            assert_true(drawn_cells(&s.list, k)->hi == most);
            assert_true(drawn_cells(&s.list, k)->lo == -most);
        }
    }
}

/* However large the numbers beside it become in a drag, the mark where both forms hold as much
 * stays in sight, and the column of the form in use. */
TEST(the_crossover_stays) {
    static const struct {
        const char *more;
        bool has_curve, has_nested;
    } cases[] = {{"", true, true},
                 {"&wqk-n=1377&wqk-p=634&wqk-m=464", true, false},
                 {"&wqk-n=4096&wqk-p=4096&wqk-m=4096", true, false},
                 {"&form=nested&wqk-n=4096&wqk-p=4096", false, true}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        LOCAL(script_end) Script s;
        char more[128];
        snprintf(more, sizeof more, "view=wqk&wqk-page=cost%s", cases[i].more);
        script_begin_typical(&s, more, 1440, 900);
        assert_true((drawn_text(&s.list, "equal", 0) != NULL) == cases[i].has_curve);
        assert_true((drawn_text(&s.list, "Nested", 0) != NULL) == cases[i].has_nested);
    }
}

static void check_said(const char *more, const char *words) {
    LOCAL(script_end) Script s;
    open_page(&s, more);
    if (drawn_text(&s.list, words, 0) == NULL)
        fail_msg("%s: “%s” is not said", more, words);
}

/* With biases a head's factors and its product have a row more, which what they cost, what a cut of
 * d_k holds and what the layer counts have alike. */
TEST(biases_are_counted_everywhere) {
    check_said("&bias=all", "2,080"); /* 2·65·16 */
    check_said("&bias=all", "4,225");
    check_said("&bias=all&wqk-page=cost", "4,128"); /* nested: 2·(64²/4 + 65·16) */
    check_said("&bias=all&wqk-rank=16", "27,264");
    check_said("&bias=all&wqk-page=cost&positions=rope", "97,175");             /* 23·65² */
    check_said("&bias=all&wqk-page=cost&wqk-product=ov", "2,048");              /* weights alone */
    check_said("&bias=all&wqk-page=parts&wqk-product=ov&wqk-rank=16", "2,064"); /* (65 + 64)·16 */
}

/* The sizes under What if belong to the page Cost. */
TEST(what_if_stays_on_its_page) {
    check_said("&wqk-page=rank&wqk-n=512&wqk-p=100&wqk-m=99", "2,048"); /* 2·64·16 */
    check_said("&wqk-page=cost&wqk-n=512&wqk-m=99", "101,376");         /* 2·512·99 */
}

static int triangles(const char *more) {
    Script s;
    int count = 0;
    open_page(&s, more);
    for (size_t i = 0; i < s.list.command_count; i++)
        count += s.list.commands[i].kind == DRAW_TRIANGLE;
    script_end(&s);
    return count;
}

/* With few ranks a saturated softmax loses more than the chart holds: that ends in an arrow. */
TEST(what_is_lost_beyond_the_chart_has_an_arrow) {
    assert_int_equal(triangles("&init=normal"), triangles("") + 1);
}

/* All six words of the question whether W_Q and W_K are the embedding have their cosines and what
 * the head makes of them, while its words are still there. */
TEST(likeness_and_attention_have_room_for_all_words) {
    LOCAL(script_end) Script s;
    int pairs = 0;
    script_begin_typical(&s, "", 1440, 900);
    script_keys(&s, "Ctrl+K 'question embedding' Enter");
    assert_non_null(drawn_beginning(&s.list, "No: the embedding"));
    assert_non_null(drawn_text(&s.list, "Cosine of rows of X → attention", 0));
    while (drawn_text(&s.list, "→", pairs) != NULL)
        pairs++;
    assert_int_equal(pairs, 6 * 6);
}

static double a_clock(void) {
    static double now_s;
    return now_s += 1e-6;
}

/* Both crossovers: of 64, 16 and 12 tokens parameters are equal at m = 32, multiply-adds at
 * 64·76/140. */
TEST(each_count_has_its_own_crossover) {
    LOCAL(script_end) Script s;
    open_page(&s, "&wqk-page=rank");
    assert_non_null(drawn_text(&s.list, "32.0", 0));
    assert_non_null(drawn_text(&s.list, "34.7", 0));
}

/* Each product's page names its own matrix and width. */
TEST(the_training_page_names_its_product) {
    static const char *const products[] = {"&wqk-page=training",
                                           "&wqk-page=training&wqk-product=ov"};
    static const char *const names[] = {"QK", "OV"};
    for (int i = 0; i < 2; i++) {
        LOCAL(script_end) Script s;
        open_page(&s, products[i]);
        int here = 0, there = 0;
        while (drawn_text(&s.list, names[i], here) != NULL)
            here++;
        while (drawn_text(&s.list, names[1 - i], there) != NULL)
            there++;
        assert_true(here > there); /* the other form occurs at most in the title */
    }
}

/* Of V·O the page sets the cosine of two rows of X before that of their rows of Y. Equal words
 * under no mask and without positions stay equal; under a causal mask they read other words. */
TEST(equal_words_come_apart_in_y) {
    for (int causal = 0; causal < 2; causal++) {
        LOCAL(script_end) Script s;
        open_page(&s, causal ? "&wqk-page=plain&wqk-product=ov&text=a%20b%20a&positions=none"
                               "&mask=causal"
                             : "&wqk-page=plain&wqk-product=ov&text=a%20b%20a&positions=none");
        assert_non_null(drawn_text(&s.list, "Cosine of rows of X → of Y", 0));
        int ones = 0; /* of nine pairs with two numbers each, and the temperature */
        while (drawn_text(&s.list, "1.00", ones) != NULL)
            ones++;
        assert_int_equal(ones, causal ? 9 : 11);
    }
}

/* A measurement that would delay a frame is not made, and the page says so. */
TEST(times_are_measured_or_said_to_take_too_long) {
    static const AppResources with_clock = {.now_s = a_clock};
    for (int is_large = 0; is_large < 2; is_large++) {
        LOCAL(script_end) Script s;
        script_begin_given(
            &s, is_large ? "view=wqk&wqk-page=cost&wqk-n=4096" : "view=wqk&wqk-page=cost",
            &with_clock);
        assert_non_null(drawn_text(&s.list, "µs measured", 0));
        assert_true((drawn_text(&s.list, "too long", 1) != NULL) == (is_large == 1));
    }
}
