/* Traits of trained models' attention: RMSNorm, RoPE's base and width, QK-norm, soft caps.
 * The forward pass is compared with PyTorch's by tests/shell/test_checkpoints.sh; here the
 * gradient. */
#include <math.h>

#include "base/util.h"
#include "model/attention/backward.h"
#include "model/layer.h"
#include "support/test.h"

static const AttnTraits TRAITS[] = {
    {.norm = {.rms = true, .epsilon = 1e-3f}},
    {.norm = {.rms = false, .epsilon = 1e-2f}},
    {.rope = {.base = 50, .width = 4}},
    {.rope = {.base = 500, .factor = 8, .low = 1, .high = 4, .old = 64}},
    {.cap = 0.7f},
    {.qk_epsilon = 1e-3f},
    {.norm = {true, 1e-3f}, .rope = {.base = 50, .width = 4}, .cap = 2, .qk_epsilon = 1e-3f},
};

static double loss(Layer *layer, const Mat *G) {
    double sum = 0;
    layer_forward(layer);
    for (int t = 0; t < G->rows; t++)
        for (int j = 0; j < G->cols; j++)
            sum += (double)mat_row(G, t)[j] * (double)mat_row(&layer->trace.Y, t)[j];
    return sum;
}

/* Compare every fifth entry with a central difference. */
static void check_slopes(Layer *layer, const Mat *G, Mat *input, const Mat *gradient,
                         const char *name, size_t trait) {
    const float step = 4e-3f;
    double largest = (double)mat_largest(gradient);
    for (int e = 0; e < input->rows * input->cols; e += 5) {
        float *entry = mat_row(input, e / input->cols) + e % input->cols, kept = *entry;
        *entry = kept + step;
        double above = loss(layer, G);
        *entry = kept - step;
        double below = loss(layer, G);
        *entry = kept;
        double slope = (above - below) / (2 * (double)step);
        double got = (double)mat_row(gradient, e / input->cols)[e % input->cols];
        if (!(fabs(slope - got) <= 0.01 * largest + 2e-3))
            fail_msg("traits %zu: grad.%s[%d] is %g, and the slope %g", trait, name, e, got, slope);
    }
}

TEST(gradients_are_slopes) {
    for (size_t i = 0; i < ARRAY_COUNT(TRAITS); i++) {
        AttnShape s = {.T = 6, .D = 10, .H = 2, .K = 6, .V = 3, .score_factor = 0.5f};
        s.bias = BIAS_ALL;
        s.block = BLOCK_PRE_NORM;
        s.rope = TRAITS[i].rope.base > 0;
        s.traits = TRAITS[i];
        LAYER(layer, s, MASK_CAUSAL, 7 + i);
        for (int g = 0; g < 2 && s.traits.qk_epsilon > 0; g++)
            layer_draw(&layer.params.gain[g], 1, 7, 100 + (uint64_t)g);
        ARENA(arena, attn_grads_bytes(&s) + attn_back_bytes(&s) + mat_bytes(s.T, s.D));
        AttnParams grads = attn_grads_push(&arena, &s);
        AttnBack back = attn_back_push(&arena, &s);
        Mat G = mat_push(&arena, s.T, s.D);
        attn_output_gradient_draw(&G, 3);
        layer_forward(&layer);
        attn_backward(&grads, &back, &s, &layer.params, &layer.trace, &layer.x, &G);
        check_slopes(&layer, &G, &layer.x, &back.X, "X", i);
        check_slopes(&layer, &G, &layer.params.p[ATTN_W_Q], &grads.p[ATTN_W_Q], "W_Q", i);
        check_slopes(&layer, &G, &layer.params.p[ATTN_W_K], &grads.p[ATTN_W_K], "W_K", i);
        check_slopes(&layer, &G, &layer.params.p[ATTN_B_K], &grads.p[ATTN_B_K], "b_K", i);
    }
}

TEST(shapes_with_other_traits_differ) {
    AttnShape plain = {.T = 2, .D = 2, .H = 1, .K = 2, .V = 2};
    for (size_t i = 0; i < ARRAY_COUNT(TRAITS); i++) {
        AttnShape with = plain;
        with.traits = TRAITS[i];
        assert_false(attn_shape_equal(&plain, &with));
        assert_true(attn_shape_hash(&plain) != attn_shape_hash(&with));
    }
}

TEST(a_window_closes_far_keys) {
    ARENA(arena, mask_bytes(6));
    Mask mask = mask_push(&arena, 6, MASK_CAUSAL, 0);
    mask_limit(&mask, 0);
    assert_int_equal(mask_open_keys(&mask, 5), 6);
    mask_limit(&mask, 3);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            assert_int_equal(mask_row(&mask, i)[j], j <= i && i - j < 3);
}
