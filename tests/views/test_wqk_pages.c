/* What the pages below the product say: their matrices, costs and words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/script.h"

static void open_page(Script *s, const char *more) {
    char state[256];
    snprintf(state, sizeof state, "view=wqk%s", more);
    script_begin(s, state, 1920, 1080);
}

/* Matrices that a page sets beside each other have one scale, to the largest of their entries. */
static void what_is_compared_has_one_scale(void **state) {
    (void)state;
    static const struct {
        const char *more;
        int count;
    } pages[] = {{"&wqk-page=training", 3},
                 {"&wqk-page=parts", 2},
                 {"&wqk-page=parts&init=identity&d-model=16", 2}};
    for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
        Script s;
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
        script_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_compared_has_one_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
