#include <math.h>
#include <string.h>

#include "model/attention/backward.h"
#include "model/layer.h"
#include "support/test.h"

TEST(rows_of_A_sum_to_one) {
    for (int T = 1; T <= 40; T += 3) {
        LOCAL(layer_release) Layer layer;
        layer_init(
            &layer,
            (AttnShape){
                .T = T, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 3},
            MASK_CAUSAL, 5);
        layer_forward(&layer);
        for (int i = 0; i < 2 * T; i++) {
            double sum = 0;
            for (int j = 0; j < T; j++) {
                float weight = mat_row(&layer.trace.A, i)[j];
                assert_true(weight >= 0 && weight <= 1);
                sum += (double)weight;
            }
            assert_true(fabs(sum - 1) < 1e-6);
        }
    }
}

TEST(closed_keys_weigh_nothing) {
    LOCAL(layer_release) Layer layer;
    layer_init(
        &layer,
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

TEST(without_open_key_all_is_zero) {
    LOCAL(layer_release) Layer layer;
    layer_init(
        &layer,
        (AttnShape){
            .T = 5, .D = 8, .H = 2, .K = 4, .V = 4, .form = FORM_SEPARATE, .score_factor = 0.5F},
        MASK_NONE, 7);
    memset(layer.mask.open + 3 * 5, 0, 5);
    layer_forward(&layer);
    for (int h = 0; h < 2; h++) {
        Mat A = attn_head_scores(&layer.trace.A, &layer.shape, h);
        for (int j = 0; j < 5; j++)
            assert_true(mat_row(&A, 3)[j] == 0);
    }
    for (int j = 0; j < 8; j++) {
        assert_true(mat_row(&layer.trace.Z, 3)[j] == 0);
        assert_true(mat_row(&layer.trace.Y, 3)[j] == 0);
    }
}

TEST(forms_agree) {
    for (int K = 1; K <= 33; K += 8) {
        AttnShape shape = {.T = 12,
                           .D = 24,
                           .H = 3,
                           .K = K,
                           .V = 8,
                           .form = FORM_SEPARATE,
                           .score_factor = 1 / sqrtf((float)K)};
        Layer separate, merged;
        layer_init(&separate, shape, MASK_CAUSAL, 8);
        shape.form = FORM_MERGED;
        layer_init(&merged, shape, MASK_CAUSAL, 8);
        layer_forward(&separate);
        layer_forward(&merged);
        assert_true(mat_max_difference(&separate.trace.S, &merged.trace.S) < 2e-5F);
        assert_true(mat_max_difference(&separate.trace.A, &merged.trace.A) < 1e-5F);
        assert_true(mat_max_difference(&separate.trace.Y, &merged.trace.Y) < 2e-5F);
        assert_int_equal(merged.trace.Q.rows, 0);
        assert_int_equal(separate.trace.W_QK.rows, 0);
        layer_release(&separate);
        layer_release(&merged);
    }
}

TEST(overflow_is_visible) {
    LOCAL(layer_release) Layer layer;
    layer_init(
        &layer,
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

TEST(equal_tokens_share_alike) {
    LOCAL(layer_release) Layer layer;
    layer_init(
        &layer,
        (AttnShape){
            .T = 4, .D = 8, .H = 2, .K = 4, .V = 4, .form = FORM_SEPARATE, .score_factor = 0.5F},
        MASK_CAUSAL, 10);
    for (int i = 1; i < 4; i++)
        memcpy(mat_row(&layer.x, i), mat_row(&layer.x, 0), 8 * sizeof(float));
    layer_forward(&layer);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++)
            assert_float_equal(mat_row(&layer.trace.A, i)[j], 1.0F / (float)(i + 1), 1e-7F);
}

TEST(heads_are_views) {
    LOCAL(layer_release) Layer layer;
    layer_init(
        &layer,
        (AttnShape){.T = 3, .D = 8, .H = 2, .K = 5, .V = 4, .form = FORM_MERGED, .score_factor = 1},
        MASK_NONE, 11);
    Mat W_Q = attn_head_query(&layer.params.p[ATTN_W_Q], &layer.shape, 1);
    assert_int_equal(W_Q.rows, 8);
    assert_int_equal(W_Q.cols, 5);
    assert_ptr_equal(W_Q.at, layer.params.fused.at + 5);
    Mat S = attn_head_scores(&layer.trace.S, &layer.shape, 1);
    assert_ptr_equal(S.at, layer.trace.S.at + 9);
    Mat W_QK = attn_head_product(&layer.trace.W_QK, &layer.shape, 1);
    assert_int_equal(W_QK.cols, 8);
    assert_ptr_equal(W_QK.at, layer.trace.W_QK.at + 64);
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
