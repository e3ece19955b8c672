/* The facts that the status line, the inspector and Steps report about the layer. */
#include <stdio.h>

#include "support/script.h"
#include "support/test.h"

static void begin(Script *s, const char *state) {
    script_begin_typical(s, state, 1920, 1080);
}

/* Rounding of large scores is not reported as a difference. */
TEST(rounding_is_no_difference) {
    for (int seed = 1; seed <= 40; seed++) {
        char text[64];
        LOCAL(script_end) Script s;
        snprintf(text, sizeof text, "init=normal&seed=%d", seed);
        begin(&s, text);
        assert_null(drawn_text(&s.list, "forms differ", 0));
        assert_non_null(drawn_text(&s.list, "Both forms agree", 0));
    }
    LOCAL(script_end) Script s;
    begin(&s, "init=he_uniform&d-model=512&scale=none");
    assert_null(drawn_text(&s.list, "forms differ", 0));
}

/* A truncation changes A, and the message says that this is expected. */
TEST(a_cut_differs_as_expected) {
    LOCAL(script_end) Script s;
    begin(&s, "form=rank:8");
    assert_non_null(drawn_text(&s.list, "differs, as expected: rank 8 of 16", 0));
}

/* Four heads: 64² or 2·64·8 for W_QK, and 8,192 for values and output. */
TEST(a_cut_has_two_counts) {
    Script s;
    begin(&s, "form=rank:8");
    assert_non_null(drawn_text(&s.list, "24,576 (12,288 as factors)", 0));
    script_end(&s);
    begin(&s, "form=rank:40"); /* factors that save nothing */
    assert_non_null(drawn_text(&s.list, "24,576", 0));
    script_end(&s);
}

/* Heads and Steps explain a weight in the same way: the row's largest score is subtracted. */
TEST(a_weight_is_explained_in_one_way) {
    static const char *const views[] = {"heads", "steps&steps-step=4"};
    for (int i = 0; i < 2; i++) {
        char text[96];
        LOCAL(script_end) Script s;
        snprintf(text, sizeof text, "text=dog&init=normal&seed=3&head=3&pin=1,1&view=%s", views[i]);
        begin(&s, text);
        assert_non_null(
            drawn_text(&s.list, i == 0 ? "1.000 / 1.000 = 1.000" : "= 1.000 / 1.000", 0));
    }
}

/* One score has no standard deviation and no expectation. */
TEST(one_number_has_no_spread) {
    Script s;
    begin(&s, "text=dog&statistics=show");
    assert_non_null(drawn_text(&s.list, "Entropy", 0));
    assert_null(drawn_text(&s.list, "Std of scores", 0));
    assert_null(drawn_beginning(&s.list, "expected"));
    script_end(&s);
    begin(&s, "text=two%20dogs&statistics=show");
    assert_non_null(drawn_text(&s.list, "Std of scores", 0));
    script_end(&s);
}
