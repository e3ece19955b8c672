#include <string.h>

#include "model/attention/form.h"
#include "support/test.h"

TEST(separate_by_hand) {
    AttnShape s = {
        .T = 5, .D = 8, .H = 2, .K = 3, .V = 4, .form = FORM_SEPARATE, .score_factor = 1};
    Cost scores = cost_of_scores(&s), all = cost_of(&s);
    assert_int_equal(scores.parameters, 2 * (2 * 8 * 3));
    assert_int_equal(scores.multiply_adds, 2 * (2 * 5 * 8 * 3 + 5 * 5 * 3));
    assert_int_equal(all.parameters, scores.parameters + 8 * 8 + 8 * 8);
    assert_int_equal(all.multiply_adds, scores.multiply_adds + 5 * 8 * 8 + 5 * 5 * 8 + 5 * 8 * 8);
}

TEST(merged_by_hand) {
    AttnShape s = {.T = 5, .D = 8, .H = 2, .K = 3, .V = 4, .form = FORM_MERGED, .score_factor = 1};
    Cost scores = cost_of_scores(&s);
    assert_int_equal(scores.parameters, 2 * 8 * 8);
    assert_int_equal(scores.multiply_adds, 2 * (5 * 8 * 8 + 5 * 5 * 8));
}

/* Merging saves weights if d_k > D/2, and adds weights if it is smaller. */
TEST(forms_cross_at_half_the_width) {
    for (int K = 1; K <= 32; K++) {
        AttnShape
            s = {.T = 5, .D = 32, .H = 4, .K = K, .V = 8, .form = FORM_SEPARATE, .score_factor = 1},
            m = s;
        m.form = FORM_MERGED;
        long long more = cost_of(&m).parameters - cost_of(&s).parameters;
        assert_true(K == 16 ? more == 0 : (more > 0) == (K < 16));
    }
}

TEST(the_largest_layer_fits) {
    for (AttnForm form = 0; form < FORM_COUNT; form++) {
        AttnShape s = {
            .T = 4096, .D = 4096, .H = 64, .K = 4096, .V = 4096, .form = form, .score_factor = 1};
        Cost cost = cost_of(&s);
        assert_true(cost.parameters > 1LL << 31 && cost.multiply_adds > 1LL << 42);
    }
}

/* Two of four heads have no weights of their own for keys and values. */
TEST(shared_weights_count_once) {
    AttnShape
        s = {.T = 5, .D = 8, .H = 4, .K = 3, .V = 7, .form = FORM_SEPARATE, .score_factor = 1},
        shared = s;
    shared.traits.key_heads = 2;
    assert_int_equal(cost_of(&s).parameters - cost_of(&shared).parameters, 2 * 8 * (3 + 7));
    shared.form = s.form = FORM_MERGED; /* W_QK is another matrix for each head */
    assert_int_equal(cost_of(&s).parameters - cost_of(&shared).parameters, 2 * 8 * 7);
}
