#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/layer.h"

static void sizes_follow_the_shape(void **state) {
    (void)state;
    AttnShape s = {5, 7, 3, 4, 6, FORM_SEPARATE, 1};
    assert_int_equal(param_axis_size(AXIS_D, &s), 7);
    assert_int_equal(param_axis_size(AXIS_HK, &s), 12);
    assert_int_equal(param_axis_size(AXIS_HV, &s), 18);
}

/* Every row is allocated as the table says, and no two share an entry. */
static void allocation_follows_the_table(void **state) {
    (void)state;
    Layer layer;
    layer_init(&layer, (AttnShape){5, 7, 3, 4, 6, FORM_MERGED, 1}, MASK_NONE, 1);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        Mat *w = &layer.params.p[p];
        assert_int_equal(w->rows, param_axis_size(PARAMS[p].rows, &layer.shape));
        assert_int_equal(w->cols, param_axis_size(PARAMS[p].cols, &layer.shape));
        for (int i = 0; i < w->rows; i++)
            for (int j = 0; j < w->cols; j++)
                mat_row(w, i)[j] = (float)p;
    }
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        for (int i = 0; i < layer.params.p[p].rows; i++)
            for (int j = 0; j < layer.params.p[p].cols; j++)
                assert_true(mat_row(&layer.params.p[p], i)[j] == (float)p);
    layer_release(&layer);
}

static void names_are_the_contracts(void **state) {
    (void)state;
    static const char *const names[] = {"W_Q", "W_K", "W_V", "W_O"};
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        assert_int_equal(registry_find(&PARAM_REGISTRY, names[p], 3), p);
        assert_true(PARAMS[p].entry.formula[0] != '\0' && PARAMS[p].entry.help[0] != '\0');
        assert_int_equal(PARAMS[p].heads_in_rows, p == ATTN_W_O);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_shape),
        cmocka_unit_test(allocation_follows_the_table),
        cmocka_unit_test(names_are_the_contracts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
