#include <string.h>

#include "model/layer.h"
#include "support/test.h"

TEST(sizes_follow_the_shape) {
    AttnShape s = {
        .T = 5, .D = 7, .H = 3, .K = 4, .V = 6, .form = FORM_SEPARATE, .score_factor = 1};
    assert_int_equal(param_axis_size(AXIS_D, &s), 7);
    assert_int_equal(param_axis_size(AXIS_HK, &s), 12);
    assert_int_equal(param_axis_size(AXIS_HV, &s), 18);
}

/* Every row is allocated as the table says, and no two share an entry. */
static void check_allocation(AttnForm form, AttnBias bias) {
    AttnShape shape = {.T = 5, .D = 7, .H = 3, .K = 4, .V = 6, .form = form, .rank = 2};
    shape.bias = bias;
    LAYER(layer, shape, MASK_NONE, 1);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        Mat *w = &layer.params.p[p];
        assert_int_equal(w->rows > 0, param_used(p, &layer.shape));
        if (w->rows == 0)
            continue;
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
}

TEST(allocation_follows_the_table) {
    for (int f = 0; f < (int)FORM_COUNT * (int)BIAS_COUNT; f++)
        check_allocation((AttnForm)(f / BIAS_COUNT), (AttnBias)(f % BIAS_COUNT));
}

TEST(names_are_the_contracts) {
    static const char *const names[] = {"W_Q",      "W_K",      "W_V",      "W_O",      "b_Q",
                                        "b_K",      "b_V",      "b_O",      "W_Q_full", "W_K_full",
                                        "W_V_full", "W_Q_head", "W_K_head", "W_V_head", "W_QK"};
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        assert_int_equal(registry_find(&PARAM_REGISTRY, names[p], strlen(names[p])), p);
        assert_true(PARAMS[p].entry.formula[0] != '\0' && PARAMS[p].entry.help[0] != '\0');
        assert_true(PARAMS[p].like < ATTN_WEIGHT_COUNT);
    }
}
