#include <math.h>

#include "model/attention/backward.h"
#include "model/layer.h"
#include "support/test.h"

TEST(closed_keys_weigh_nothing) {
    LAYER(layer,
          (AttnShape){
              .T = 11, .D = 8, .H = 3, .K = 4, .V = 5, .form = FORM_SEPARATE, .score_factor = 0.5F},
          MASK_CAUSAL, 6);
    layer_forward(&layer);
    for (int i = 0; i < 3 * 11; i++)
        for (int j = i % 11 + 1; j < 11; j++) {
            assert_true(mat_row(&layer.trace.A, i)[j] == 0);
            assert_true(mat_row(&layer.trace.S, i)[j] != 0); /* scores are kept from before */
        }
}

TEST(overflow_is_visible) {
    LAYER(layer,
          (AttnShape){
              .T = 6, .D = 8, .H = 2, .K = 4, .V = 4, .form = FORM_SEPARATE, .score_factor = 0.5F},
          MASK_CAUSAL, 9);
    mat_copy(&layer.params.p[ATTN_W_K], &layer.params.p[ATTN_W_Q]);
    for (int j = 0; j < 8; j++)
        mat_row(&layer.x, 4)[j] = 1e30F; /* its score with itself is a square past 1e38 */
    layer_forward(&layer);
    for (int h = 0; h < 2; h++) {
        Mat A = attn_head_scores(&layer.trace.A, &layer.shape, h);
        assert_true(isinf(mat_row(&layer.trace.S, h * 6 + 4)[4]));
        assert_true(isnan(mat_row(&A, 4)[0]));
        assert_true(mat_row(&A, 4)[5] == 0); /* closed, so 0 all the same */
    }
    assert_true(isnan(mat_row(&layer.trace.Y, 4)[0]));
}

TEST(largest_layer_is_counted_not_wrapped) {
    AttnShape shape = {.T = 4096,
                       .D = 4096,
                       .H = 64,
                       .K = 4096,
                       .V = 4096,
                       .form = FORM_MERGED,
                       .score_factor = 1};
    uint64_t scores = (uint64_t)64 * 4096 * 4096 * sizeof(float);
    assert_true(attn_trace_bytes(&shape) > 4 * scores); /* S, A, W_QK, XW */
    assert_true(attn_params_bytes(&shape) == 4 * scores);
    assert_true(attn_back_bytes(&shape) > 3 * scores);   /* S, A, XW */
    assert_true(attn_grads_bytes(&shape) == 3 * scores); /* W_QK, W_V, W_O */
    shape.rope = true;
    shape.bias = BIAS_ALL; /* more rows than an int counts */
    assert_true(attn_offset_bytes(&shape) > 8191 * scores);
    assert_true(attn_offset_gradient_bytes(&shape) > attn_offset_bytes(&shape));
}
