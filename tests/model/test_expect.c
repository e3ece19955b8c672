#include <math.h>
#include <string.h>

#include "base/util.h"
#include "math/decompose.h"
#include "model/analysis/spectrum.h"
#include "model/analysis/stats.h"
#include "model/attention/backward.h"
#include "model/layer.h"
#include "model/theory/expect.h"
#include "support/test.h"

static int scheme_named(const char *id) {
    int index = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_in_range(index, 0, SCHEME_REGISTRY.count - 1);
    return index;
}

/* Rows of a random direction whose mean square is 1. */
static void draw_input(Mat *x, uint64_t seed) {
    layer_draw(x, 1, seed, 1000);
    for (int i = 0; i < x->rows; i++) {
        double squares = 0;
        for (int j = 0; j < x->cols; j++)
            squares += (double)mat_row(x, i)[j] * (double)mat_row(x, i)[j];
        for (int j = 0; j < x->cols; j++)
            mat_row(x, i)[j] *= (float)sqrt(x->cols / squares);
    }
}

/* Sums of squares over many seeds; of S, only of pairs of different tokens. */
typedef struct Measured {
    double Q, K, V, S, Z, Y;
} Measured;

static double mean_square(const Mat *m, int block, bool diagonal) {
    double squares = 0, count = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            if (diagonal || i % block != j) {
                squares += (double)mat_row(m, i)[j] * (double)mat_row(m, i)[j];
                count++;
            }
    return squares / count;
}

/* The square of the study's figure, which excludes the mean over all entries. */
static double variance(const Mat *m) {
    return pow(stats_std(m), 2);
}

static Measured measure(AttnShape shape, SchemePlan plan, MaskKind mask, int seeds) {
    Measured sum = {0};
    Layer layer;
    layer_init(&layer, shape, mask, 1);
    for (plan.seed = 1; plan.seed <= (uint64_t)seeds; plan.seed++) {
        Err err;
        draw_input(&layer.x, plan.seed);
        assert_true(scheme_draw(&layer.params, &shape, &plan, &err));
        layer_forward(&layer);
        sum.Q += mean_square(&layer.trace.Q, 1, true) / seeds;
        sum.K += mean_square(&layer.trace.K, 1, true) / seeds;
        sum.V += mean_square(&layer.trace.V, 1, true) / seeds;
        sum.S += mean_square(&layer.trace.S, shape.T, false) / seeds;
        sum.Z += variance(&layer.trace.Z) / seeds;
        sum.Y += variance(&layer.trace.Y) / seeds;
    }
    layer_release(&layer);
    return sum;
}

static void assert_near(double mean_of_squares, double expected, double tolerance, const char *id,
                        const char *what) {
    if (!(fabs(sqrt(mean_of_squares) - expected) <= tolerance * expected))
        fail_msg("%s: %s is %.6g, expected %.6g", id, what, sqrt(mean_of_squares), expected);
}

/* D, H·K and H·V differ, so that swapped fans are found. */
static const AttnShape SHAPES[] = {
    {.T = 8, .D = 24, .H = 2, .K = 4, .V = 20, .form = FORM_SEPARATE, .score_factor = 0.5F},
    {.T = 8, .D = 10, .H = 3, .K = 8, .V = 2, .form = FORM_SEPARATE, .score_factor = 0.25F},
    {.T = 8, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 0.35355338F}};

TEST(every_scheme_does_as_expected) {
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++)
        for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
            const char *id = registry_entry(&SCHEME_REGISTRY, scheme)->id;
            SchemePlan plan = scheme_plan(scheme, 1, 0);
            Expected e = expect(&SHAPES[s], &plan, NULL);
            if (SCHEMES[scheme].law == SCHEME_PAIRED) {
                assert_true(isnan(e.Q) && isnan(e.K) && isnan(e.V) && isnan(e.S));
                continue;
            }
            Measured m = measure(SHAPES[s], plan, MASK_NONE, 600);
            assert_near(m.Q, e.Q, 0.03, id, "Q");
            assert_near(m.K, e.K, 0.03, id, "K");
            assert_near(m.V, e.V, 0.03, id, "V");
            if (SCHEMES[scheme].law == SCHEME_CENTRED)
                assert_near(m.S, e.S, 0.05, id, "S");
            else
                assert_true(isnan(e.S));
        }
}

/* Two to the power of -½ on each side of the product: half the deviation. A million scores. */
TEST(the_fused_matrix_halves_the_scores) {
    SchemePlan right = scheme_plan(scheme_named("xavier_uniform"), 1, 0);
    SchemePlan fused = scheme_plan(scheme_named("xavier_fused"), 1, 0);
    SchemePlan fixed = scheme_plan(scheme_named("xavier_fused_fixed"), 1, 0);
    const AttnShape *shape = &SHAPES[2];
    double whole = expect(shape, &right, NULL).S, half = expect(shape, &fused, NULL).S;
    assert_true(fabs(whole - 1) < 1e-6);
    assert_true(fabs(half - 0.5) < 1e-6);
    assert_true(fabs(expect(shape, &fixed, NULL).S - 1) < 1e-6);
    assert_near(measure(*shape, fused, MASK_NONE, 9000).S, half, 0.01, "xavier_fused", "S");
    assert_near(measure(*shape, right, MASK_NONE, 9000).S, whole, 0.01, "xavier_uniform", "S");
}

TEST(mixed_schemes_are_known_where_one_is_drawn) {
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
        SchemePlan plan = scheme_plan(scheme_named("identity"), 1, 0);
        plan.scheme[ATTN_W_K] = scheme_named("he_normal");
        assert_near(measure(SHAPES[s], plan, MASK_NONE, 2000).S, expect(&SHAPES[s], &plan, NULL).S,
                    0.03, "identity and he_normal", "S");
        plan.scheme[ATTN_W_Q] = scheme_named("orthogonal");
        assert_near(measure(SHAPES[s], plan, MASK_NONE, 2000).S, expect(&SHAPES[s], &plan, NULL).S,
                    0.03, "orthogonal and he_normal", "S");
    }
}

/* If all scores are 0, A is uniform over the open keys. */
TEST(outputs_are_known_without_scores) {
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++)
        for (int causal = 0; causal < 2; causal++) {
            MaskKind kind = causal ? MASK_CAUSAL : MASK_NONE;
            SchemePlan plan = scheme_plan(scheme_named("lecun_normal"), 1, 0);
            plan.scheme[ATTN_W_Q] = scheme_named("zeros");
            Layer layer;
            layer_init(&layer, SHAPES[s], kind, 1);
            Expected e = expect(&SHAPES[s], &plan, &layer.mask);
            layer_release(&layer);
            Measured m = measure(SHAPES[s], plan, kind, 1500);
            assert_true(e.S == 0 && m.S == 0);
            assert_near(m.Z, e.Z, 0.03, "without scores", "Z");
            assert_near(m.Y, e.Y, 0.03, "without scores", "Y");
        }
}

/* Sums of squares of the gradients of Σ G∘Y, with new X, G and weights for each seed. */
typedef struct Slopes {
    double Z, Y, X, W[ATTN_WEIGHT_COUNT], entropy, largest, saturation;
} Slopes;

static double saturation_of(const Layer *layer) {
    double sum = 0;
    for (int h = 0; h < layer->shape.H; h++) {
        HeadStats stats;
        Mat S = attn_head_scores(&layer->trace.S, &layer->shape, h);
        Mat A = attn_head_scores(&layer->trace.A, &layer->shape, h);
        stats_head(&stats, &S, &A, &layer->mask);
        sum += stats.saturation / layer->shape.H;
    }
    return sum;
}

static Slopes measure_slopes(AttnShape shape, SchemePlan plan, MaskKind mask, int seeds) {
    Slopes sum = {0};
    Layer layer;
    Arena arena = {0};
    Err err;
    layer_init(&layer, shape, mask, 1);
    assert_true(arena_reserve(
        &arena, attn_grads_bytes(&shape) + attn_back_bytes(&shape) + mat_bytes(shape.T, shape.D),
        &err));
    AttnParams grads = attn_grads_push(&arena, &shape);
    AttnBack back = attn_back_push(&arena, &shape);
    Mat G = mat_push(&arena, shape.T, shape.D);
    for (plan.seed = 1; plan.seed <= (uint64_t)seeds; plan.seed++) {
        draw_input(&layer.x, plan.seed);
        attn_output_gradient_draw(&G, plan.seed);
        assert_true(scheme_draw(&layer.params, &shape, &plan, &err));
        layer_forward(&layer);
        attn_backward(&grads, &back, &shape, &layer.params, &layer.trace, &layer.x, &G);
        sum.Z += variance(&layer.trace.Z) / seeds;
        sum.Y += variance(&layer.trace.Y) / seeds;
        sum.X += mean_square(&back.X, 1, true) / seeds;
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
            sum.W[p] += mean_square(&grads.p[p], 1, true) / seeds;
        sum.entropy += stats_mean_entropy(&layer.trace.A, &layer.mask) / seeds;
        sum.largest += stats_mean_largest(&layer.trace.A, &layer.mask) / seeds;
        sum.saturation += saturation_of(&layer) / seeds;
    }
    arena_release(&arena);
    layer_release(&layer);
    return sum;
}

TEST(gradients_are_known_without_scores) {
    static const AttnBlock blocks[] = {BLOCK_ATTENTION, BLOCK_RESIDUAL};
    for (int c = 0; c < 12; c++) {
        AttnShape shape = SHAPES[c % 3];
        shape.block = blocks[c / 3 % 2];
        MaskKind kind = c < 6 ? MASK_NONE : MASK_CAUSAL;
        SchemePlan plan = scheme_plan(scheme_named("lecun_normal"), 1, 0);
        plan.scheme[c % 2 == 0 ? ATTN_W_Q : ATTN_W_K] = scheme_named("zeros");
        Layer layer;
        layer_init(&layer, shape, kind, 1);
        Expected e = expect(&shape, &plan, &layer.mask);
        layer_release(&layer);
        Slopes m = measure_slopes(shape, plan, kind, 1500);
        assert_near(m.Y, e.Y, 0.03, "without scores", "Y");
        assert_near(m.X, e.grad_X, 0.03, "without scores", "gradient of X");
        assert_near(m.W[ATTN_W_V], e.grad_W[ATTN_W_V], 0.03, "without scores", "gradient of W_V");
        assert_near(m.W[ATTN_W_O], e.grad_W[ATTN_W_O], 0.03, "without scores", "gradient of W_O");
        AttnParam still = c % 2 == 0 ? ATTN_W_K : ATTN_W_Q;
        assert_true(e.grad_W[still] == 0 && m.W[still] == 0);
        AttnParam moved = still == ATTN_W_K ? ATTN_W_Q : ATTN_W_K;
        assert_near(m.W[moved], e.grad_W[moved], 0.05, "without scores", "gradient of W_Q or W_K");
        assert_true(fabs(m.entropy - e.entropy) < 1e-5 && fabs(m.largest - e.largest) < 1e-5);
    }
}

/* What follows from scores that are normal: of every scheme whose scores are known, soft and
 * saturated, with and without a mask. Saturated rows make gradients that a few draws have most of,
 * so that their squares need more seeds than a test has. */
TEST(softmax_and_gradients_are_known_with_scores) {
    static const AttnShape shape = {
        .T = 12, .D = 64, .H = 2, .K = 16, .V = 16, .form = FORM_SEPARATE, .score_factor = 0.25F};
    Layer layer;
    int known = 0;
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++)
        for (int causal = 0; causal < 2; causal++) {
            const char *id = registry_entry(&SCHEME_REGISTRY, scheme)->id;
            SchemePlan plan = scheme_plan(scheme, 1, 0);
            MaskKind kind = causal ? MASK_CAUSAL : MASK_NONE;
            layer_init(&layer, shape, kind, 1);
            Expected e = expect(&shape, &plan, &layer.mask);
            layer_release(&layer);
            if (SCHEMES[scheme].law != SCHEME_CENTRED || !(e.S > 0))
                continue;
            Slopes m = measure_slopes(shape, plan, kind, 150);
            known++;
            if (!(fabs(m.entropy / e.entropy - 1) < 0.02 || fabs(m.entropy - e.entropy) < 0.01))
                fail_msg("%s: entropy %.4g, expected %.4g", id, m.entropy, e.entropy);
            if (!(fabs(m.largest / e.largest - 1) < 0.015))
                fail_msg("%s: largest %.4g, expected %.4g", id, m.largest, e.largest);
            if (!(fabs(m.saturation - e.saturation) < 0.01))
                fail_msg("%s: saturation %.4g, expected %.4g", id, m.saturation, e.saturation);
            assert_near(m.Z, e.Z, 0.03, id, "Z");
            assert_near(m.Y, e.Y, 0.03, id, "Y");
            assert_near(m.W[ATTN_W_O], e.grad_W[ATTN_W_O], 0.03, id, "gradient of W_O");
            assert_near(m.W[ATTN_W_V], e.grad_W[ATTN_W_V], 0.03, id, "gradient of W_V");
            if (e.S > 8)
                continue;
            assert_near(m.W[ATTN_W_Q], e.grad_W[ATTN_W_Q], 0.08, id, "gradient of W_Q");
            assert_near(m.W[ATTN_W_K], e.grad_W[ATTN_W_K], 0.08, id, "gradient of W_K");
            assert_near(m.X, e.grad_X, 0.05, id, "gradient of X");
        }
    assert_true(known >= 30);
}

/* Mean effective ranks, of random and of orthonormal factors. */
TEST(ranks_are_known) {
    static const char *const pairs[][2] = {{"he_normal", "xavier_uniform"},
                                           {"orthogonal", "orthogonal"},
                                           {"orthogonal", "lecun_normal"},
                                           {"identity", "he_uniform"}};
    static const AttnShape shape = {.T = 2, .D = 64, .H = 4, .K = 16, .V = 2, .score_factor = 1};
    Layer layer;
    layer_init(&layer, shape, MASK_NONE, 1);
    for (size_t i = 0; i < ARRAY_COUNT(pairs); i++) {
        SchemePlan plan = scheme_plan(scheme_named(pairs[i][0]), 1, 0);
        plan.scheme[ATTN_W_K] = scheme_named(pairs[i][1]);
        double expected = expect(&shape, &plan, NULL).rank_W_QK, sum = 0;
        for (plan.seed = 1; plan.seed <= 20; plan.seed++) {
            double sigma[16];
            Err err;
            assert_true(scheme_draw(&layer.params, &shape, &plan, &err));
            Mat w_q = attn_head_query(&layer.params.p[ATTN_W_Q], &shape, 1);
            Mat w_k = attn_head_query(&layer.params.p[ATTN_W_K], &shape, 1);
            assert_true(decompose_product(NULL, sigma, NULL, &w_q, &w_k, &err));
            sum += spectrum_effective_rank(sigma, shape.K) / 20;
        }
        if (!(fabs(sum / expected - 1) < 0.015))
            fail_msg("%s: effective rank %.4g, expected %.4g", pairs[i][0], sum, expected);
    }
    layer_release(&layer);
    SchemePlan none = scheme_plan(scheme_named("zeros"), 1, 0);
    assert_true(expect(&shape, &none, NULL).rank_A == 1);
    assert_true(expect(&shape, &none, NULL).rank_W_QK == 0);
}

/* Quantities that are expected to be 0, or to pass only by the residual, do so. */
TEST(what_is_zero_stays_so) {
    static const AttnParam all[] = {ATTN_W_Q, ATTN_W_K, ATTN_W_V, ATTN_W_O};
    for (size_t w = 0; w < ARRAY_COUNT(all); w++)
        for (AttnBlock block = 0; block < BLOCK_COUNT; block++) {
            AttnShape shape = SHAPES[2];
            shape.block = block;
            SchemePlan plan = scheme_plan(scheme_named("he_uniform"), 1, 0);
            plan.scheme[all[w]] = scheme_named("zeros");
            Expected e = expect(&shape, &plan, NULL);
            Slopes m = measure_slopes(shape, plan, MASK_NONE, 60);
            int known = 0;
            for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
                if (e.grad_W[p] == 0) {
                    assert_true(m.W[p] == 0);
                    known++;
                }
            assert_true(known > 0);
            if (all[w] == ATTN_W_V || all[w] == ATTN_W_O) {
                double passed = block == BLOCK_ATTENTION ? 0 : 1;
                assert_true(block == BLOCK_POST_NORM ? isnan(e.grad_X) : e.grad_X == passed);
                assert_true(e.Y == passed);
                assert_near(m.Y, passed, 0.03, "zeros", "Y");
                if (block != BLOCK_POST_NORM)
                    assert_near(m.X, passed, 0.03, "zeros", "gradient of X");
            }
        }
}

/* Three deep with normalised rows: Q, K and V are as in one layer, of any X. */
TEST(normalised_stacks_are_known) {
    static const AttnBlock blocks[] = {BLOCK_PRE_NORM, BLOCK_POST_NORM};
    for (size_t b = 0; b < ARRAY_COUNT(blocks); b++) {
        AttnShape shape = SHAPES[0];
        shape.block = blocks[b];
        Measured sum = {0};
        Layer layers[3];
        SchemePlan plan = scheme_plan(scheme_named("he_normal"), 3, 0);
        Expected e = expect_in_stack(&shape, &plan, NULL, (StackPlace){2, 3});
        for (int l = 0; l < 3; l++)
            layer_init(&layers[l], shape, MASK_NONE, 1);
        for (int seed = 0; seed < 600; seed++) {
            draw_input(&layers[0].x, (uint64_t)seed);
            for (int l = 0; l < 3; l++) {
                Err err;
                plan.seed = (uint64_t)(3 * seed + l);
                assert_true(scheme_draw(&layers[l].params, &shape, &plan, &err));
                layer_forward(&layers[l]);
                if (l < 2)
                    mat_copy(&layers[l + 1].x, &layers[l].trace.Y);
            }
            sum.Q += mean_square(&layers[2].trace.Q, 1, true) / 600;
            sum.V += mean_square(&layers[2].trace.V, 1, true) / 600;
            sum.Y += mean_square(&layers[2].trace.Y, 1, true) / 600;
        }
        assert_near(sum.Q, e.Q, 0.03, "stack", "Q");
        assert_near(sum.V, e.V, 0.03, "stack", "V");
        assert_true(isnan(e.S)); /* the tokens share a mean */
        if (shape.block == BLOCK_POST_NORM)
            assert_near(sum.Y, e.Y, 1e-4, "stack", "Y");
        else
            assert_true(isnan(e.Y));
        for (int l = 0; l < 3; l++)
            layer_release(&layers[l]);
    }
    SchemePlan plan = scheme_plan(scheme_named("he_normal"), 3, 0);
    Expected above = expect_in_stack(&SHAPES[0], &plan, NULL, (StackPlace){1, 3});
    assert_true(isnan(above.Q) && isnan(above.S) && above.W[ATTN_W_Q] > 0);
}

TEST(nothing_comes_of_zeros) {
    SchemePlan plan = scheme_plan(scheme_named("xavier_normal"), 1, 0);
    assert_true(expect(&SHAPES[0], &plan, NULL).Z > 0);
    assert_true(expect(&SHAPES[0], &plan, NULL).Y > 0);
    plan.scheme[ATTN_W_O] = scheme_named("zeros");
    assert_true(expect(&SHAPES[0], &plan, NULL).Y == 0);
    plan.scheme[ATTN_W_V] = scheme_named("zeros");
    assert_true(expect(&SHAPES[0], &plan, NULL).Z == 0);
    plan.scheme[ATTN_W_Q] = scheme_named("mimetic");
    plan.scheme[ATTN_W_K] = scheme_named("zeros");
    assert_true(expect(&SHAPES[0], &plan, NULL).S == 0);
}
