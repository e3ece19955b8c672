/* What the status line says of the layer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/script.h"

static void begin(Script *s, const char *state) {
    script_begin_typical(s, state, 1920, 1080);
}

/* Rounding of large scores is no difference between forms. */
static void rounding_is_no_difference(void **state) {
    (void)state;
    for (int seed = 1; seed <= 40; seed++) {
        char text[64];
        Script s;
        snprintf(text, sizeof text, "init=normal&seed=%d", seed);
        begin(&s, text);
        assert_null(drawn_text(&s.list, "forms differ", 0));
        assert_non_null(drawn_text(&s.list, "separate vs merged", 0));
        script_end(&s);
    }
    Script s;
    begin(&s, "init=he_uniform&d-model=512&scale=none");
    assert_null(drawn_text(&s.list, "forms differ", 0));
    script_end(&s);
}

/* A cut is a real difference, and said to be expected. */
static void a_cut_differs_as_expected(void **state) {
    (void)state;
    Script s;
    begin(&s, "form=rank:8");
    assert_non_null(drawn_text(&s.list, "differs, as expected: rank 8 of 16", 0));
    script_end(&s);
}

/* Four heads: 64² or 2·64·8 for W_QK, and 8,192 for values and output. */
static void a_cut_has_two_counts(void **state) {
    (void)state;
    Script s;
    begin(&s, "form=rank:8");
    assert_non_null(drawn_text(&s.list, "24,576 (12,288 as factors)", 0));
    script_end(&s);
    begin(&s, "form=rank:40"); /* factors that save nothing */
    assert_non_null(drawn_text(&s.list, "24,576", 0));
    script_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_no_difference),
        cmocka_unit_test(a_cut_differs_as_expected),
        cmocka_unit_test(a_cut_has_two_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
