/* The list of a lecture without a pin. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "support/script.h"
#include "support/test.h"

static void open_lecture(Script *s, const char *state, float width, float height) {
    script_begin_typical(s, state, width, height);
    script_key(s, 'l', 0);
    assert_true(s->app->lecture.is_on);
}

/* Without a focused cell, each token has the largest weight of its row. */
TEST(without_a_pin_each_token_has_what_it_reads_most) {
    LOCAL(script_end) Script s;
    char share[32];
    open_lecture(&s, "focus=nothing", 1366, 768);
    Mat A = results_weights(&s.app->run, 0, 0);
    for (int i = 0; i < A.rows; i++) {
        float most = 0;
        for (int j = 0; j < A.cols; j++)
            most = fmaxf(most, mat_row(&A, i)[j]);
        snprintf(share, sizeof share, "%.2f", (double)most);
        assert_non_null(drawn_text(&s.list, share + 1, 0));
    }
    script_click_text(&s, "it", 2); /* the name in the list, after those of the matrix */
    assert_non_null(strstr(script_state(&s), "pin=9,"));
}
