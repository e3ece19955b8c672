#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/attention/backward.h"
#include "model/layer.h"
#include "support/test.h"

#define TOLERANCE 1e-5 /* of the largest value */

/* One layer in double, by loops that share nothing with the program. Shapes as AttnTrace has them
 * in the separate form. */
typedef struct Naive {
    double *Q, *K, *V, *S, *A, *Z, *Y;
} Naive;

static double *doubles(int rows, int cols) {
    double *at = calloc((size_t)rows * (size_t)cols, sizeof *at);
    assert_non_null(at);
    return at;
}

static double *naive_product(const Mat *x, const Mat *w) {
    double *out = doubles(x->rows, w->cols);
    for (int i = 0; i < x->rows; i++)
        for (int j = 0; j < w->cols; j++)
            for (int p = 0; p < x->cols; p++)
                out[i * w->cols + j] += (double)mat_row(x, i)[p] * (double)mat_row(w, p)[j];
    return out;
}

static void naive_softmax(double *weights, const double *scores, const uint8_t *open, int count) {
    double largest = -INFINITY, sum = 0;
    for (int j = 0; j < count; j++)
        largest = open[j] ? fmax(largest, scores[j]) : largest;
    for (int j = 0; j < count; j++) {
        weights[j] = open[j] ? exp(scores[j] - largest) : 0;
        sum += weights[j];
    }
    for (int j = 0; j < count; j++)
        weights[j] = sum > 0 ? weights[j] / sum : 0;
}

static void naive_head(Naive *n, const Layer *layer, int h) {
    const AttnShape *s = &layer->shape;
    int HK = s->H * s->K, HV = s->H * s->V;
    for (int i = 0; i < s->T; i++) {
        double *S = n->S + (h * s->T + i) * s->T, *A = n->A + (h * s->T + i) * s->T;
        for (int j = 0; j < s->T; j++) {
            for (int k = 0; k < s->K; k++)
                S[j] += n->Q[i * HK + h * s->K + k] * n->K[j * HK + h * s->K + k];
            S[j] *= (double)s->score_factor;
        }
        naive_softmax(A, S, mask_row(&layer->mask, i), s->T);
        for (int j = 0; j < s->T; j++)
            for (int v = 0; v < s->V; v++)
                n->Z[i * HV + h * s->V + v] += A[j] * n->V[j * HV + h * s->V + v];
    }
}

static Naive naive_forward(const Layer *layer) {
    const AttnShape *s = &layer->shape;
    const Mat *W = layer->params.p;
    Naive n = {naive_product(&layer->x, &W[ATTN_W_Q]),
               naive_product(&layer->x, &W[ATTN_W_K]),
               naive_product(&layer->x, &W[ATTN_W_V]),
               doubles(s->H * s->T, s->T),
               doubles(s->H * s->T, s->T),
               doubles(s->T, s->H * s->V),
               doubles(s->T, s->D)};
    for (int h = 0; h < s->H; h++)
        naive_head(&n, layer, h);
    for (int i = 0; i < s->T; i++)
        for (int j = 0; j < s->D; j++)
            for (int p = 0; p < s->H * s->V; p++)
                n.Y[i * s->D + j] += n.Z[i * s->H * s->V + p] * (double)mat_row(&W[ATTN_W_O], p)[j];
    return n;
}

static void naive_release(Naive *n) {
    free(n->Q), free(n->K), free(n->V), free(n->S), free(n->A), free(n->Z), free(n->Y);
}

static void assert_trace(const Layer *layer, const Naive *n) {
    const AttnTrace *t = &layer->trace;
    if (layer->shape.form == FORM_SEPARATE) {
        layer_assert_close(&t->Q, n->Q, TOLERANCE, "Q");
        layer_assert_close(&t->K, n->K, TOLERANCE, "K");
    }
    layer_assert_close(&t->V, n->V, TOLERANCE, "V");
    layer_assert_close(&t->S, n->S, TOLERANCE, "S");
    layer_assert_close(&t->A, n->A, TOLERANCE, "A");
    layer_assert_close(&t->Z, n->Z, TOLERANCE, "Z");
    layer_assert_close(&t->Y, n->Y, TOLERANCE, "Y");
}

/* A number from 1 to most. */
static int roll(Rng rng, int *draws, int most) {
    return 1 + (int)(rng_bits(rng, (uint64_t)(*draws)++) % (uint64_t)most);
}

static Layer draw_layer(uint64_t seed, int round) {
    Rng rng = rng_stream(seed, (uint64_t)round);
    int draws = 0, wide = roll(rng, &draws, 8) == 1;
    AttnShape s = {.T = roll(rng, &draws, 45),
                   .D = roll(rng, &draws, wide ? 300 : 40),
                   .H = roll(rng, &draws, 5),
                   .K = roll(rng, &draws, 20),
                   .V = roll(rng, &draws, 20),
                   .form = FORM_SEPARATE,
                   .score_factor = 0};
    s.score_factor = (float)(1 / (sqrt(s.K) * roll(rng, &draws, 4) / 2));
    Layer layer;
    layer_init(&layer, s, round % 3 == 0 ? MASK_CAUSAL : MASK_NONE, seed + (uint64_t)round);
    if (round % 3 == 1)
        for (int e = 0; e < s.T * s.T; e++)
            layer.mask.open[e] = roll(rng, &draws, 3) == 1;
    return layer;
}

TEST(agrees_with_plain_loops) {
    const char *given = getenv("HEADLIGHT_TEST_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : 20240607;
    print_message("# HEADLIGHT_TEST_SEED=%llu\n", (unsigned long long)seed);
    for (int round = 0; round < 200; round++) {
        LOCAL(layer_release) Layer layer = draw_layer(seed, round);
        layer_forward(&layer);
        LOCAL(naive_release) Naive expected = naive_forward(&layer);
        assert_trace(&layer, &expected);
    }
}

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
