#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/layer.h"
#include "support/test.h"

static const AttnShape SHAPES[] = {
    {.T = 4, .D = 64, .H = 4, .K = 16, .V = 16, .form = FORM_SEPARATE, .score_factor = 1},
    {.T = 4, .D = 48, .H = 2, .K = 70, .V = 9, .form = FORM_SEPARATE, .score_factor = 1},
    {.T = 4, .D = 96, .H = 3, .K = 8, .V = 40, .form = FORM_SEPARATE, .score_factor = 1},
    {.T = 4, .D = 1, .H = 1, .K = 1, .V = 1, .form = FORM_SEPARATE, .score_factor = 1},
    {.T = 4, .D = 7, .H = 1, .K = 3, .V = 2, .form = FORM_SEPARATE, .score_factor = 1},
};

static int scheme_named(const char *id) {
    int index = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_in_range(index, 0, SCHEME_REGISTRY.count - 1);
    return index;
}

static void draw(Layer *layer, AttnShape shape, const char *id, uint64_t seed) {
    layer_init(layer, shape, MASK_NONE, 1);
    SchemePlan plan = scheme_plan(scheme_named(id), 1, seed);
    must(scheme_draw(&layer->params, &shape, &plan, &told));
}

/* Fan-in and fan-out differ, and so do W_Q, W_V and W_O: H·K = 32, H·V = 96. */
TEST(expected_deviations_are_the_papers) {
    static const AttnShape shape = {
        .T = 4, .D = 64, .H = 4, .K = 8, .V = 24, .form = FORM_SEPARATE, .score_factor = 1};
    static const struct {
        const char *id;
        double q, k, v, o; /* variances */
    } wanted[] = {
        {"zeros", 0, 0, 0, 0},
        {"normal", 1, 1, 1, 1},
        {"normal_002", 4e-4, 4e-4, 4e-4, 4e-4},
        {"xavier_uniform", 2.0 / 96, 2.0 / 96, 2.0 / 160, 2.0 / 160},
        {"xavier_normal", 2.0 / 96, 2.0 / 96, 2.0 / 160, 2.0 / 160},
        {"he_uniform", 2.0 / 64, 2.0 / 64, 2.0 / 64, 2.0 / 96},
        {"he_normal", 2.0 / 64, 2.0 / 64, 2.0 / 64, 2.0 / 96},
        {"lecun_uniform", 1.0 / 64, 1.0 / 64, 1.0 / 64, 1.0 / 96},
        {"lecun_normal", 1.0 / 64, 1.0 / 64, 1.0 / 64, 1.0 / 96},
        {"pytorch_linear", 1.0 / 192, 1.0 / 192, 1.0 / 192, 1.0 / 288},
        {"orthogonal", 1.0 / 64, 1.0 / 64, 1.0 / 96, 1.0 / 96},
        {"xavier_fused", 2.0 / 224, 2.0 / 224, 2.0 / 224, 2.0 / 160},
        {"xavier_fused_fixed", 4.0 / 224, 4.0 / 224, 4.0 / 224, 2.0 / 160},
        {"xavier_per_head", 2.0 / 72, 2.0 / 72, 2.0 / 88, 2.0 / 160},
        {"gpt2", 4e-4, 4e-4, 4e-4, 4e-4 / 24},
        {"small", 0.4 / 64, 0.4 / 64, 0.4 / 64, 0.4 / 64},
        {"t5", 1.0 / 512, 1.0 / 64, 1.0 / 64, 1.0 / 96},
    };
    for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
        const double variance[] = {wanted[i].q, wanted[i].k, wanted[i].v, wanted[i].o};
        SchemePlan plan = scheme_plan(scheme_named(wanted[i].id), 12, 1);
        for (AttnParam p = ATTN_W_Q; p <= ATTN_W_O; p++)
            if (!(fabs(scheme_std(&plan, p, &shape) - sqrt(variance[p])) < 1e-12))
                fail_msg("%s %s: %.9g", wanted[i].id, PARAMS[p].entry.id,
                         scheme_std(&plan, p, &shape));
    }
}

/* WᵀW or WWᵀ, whichever is the smaller, is the identity. */
static void assert_orthonormal(const Mat *w) {
    int count = w->rows < w->cols ? w->rows : w->cols;
    bool tall = w->rows >= w->cols;
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int p = 0; p < (tall ? w->rows : w->cols); p++)
                sum += tall ? (double)mat_row(w, p)[a] * (double)mat_row(w, p)[b]
                            : (double)mat_row(w, a)[p] * (double)mat_row(w, b)[p];
            assert_true(fabs(sum - (a == b)) < 2e-6);
        }
}

TEST(orthogonal_is_orthogonal) {
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
        LOCAL(layer_release) Layer layer;
        draw(&layer, SHAPES[s], "orthogonal", 3);
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
            assert_orthonormal(&layer.params.p[p]);
    }
}

TEST(identity_is_exact) {
    for (size_t s = 0; s < ARRAY_COUNT(SHAPES); s++) {
        LOCAL(layer_release) Layer layer;
        draw(&layer, SHAPES[s], "identity", 3);
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++) {
            const Mat *w = &layer.params.p[p];
            for (int i = 0; i < w->rows; i++)
                for (int j = 0; j < w->cols; j++)
                    assert_true(mat_row(w, i)[j] == (i == j ? 1.0F : 0.0F));
        }
    }
}

static bool same_bits(const Mat *a, const Mat *b) {
    for (int i = 0; i < a->rows; i++)
        if (memcmp(mat_row(a, i), mat_row(b, i), (size_t)a->cols * sizeof(float)) != 0)
            return false;
    return true;
}

TEST(a_seed_repeats_and_another_does_not) {
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++) {
        const char *id = registry_entry(&SCHEME_REGISTRY, scheme)->id;
        bool drawn = strcmp(id, "identity") != 0 && strcmp(id, "zeros") != 0;
        Layer one, again, other;
        draw(&one, SHAPES[0], id, 1);
        draw(&again, SHAPES[0], id, 1);
        draw(&other, SHAPES[0], id, UINT64_MAX);
        assert_true(same_bits(&one.params.fused, &again.params.fused));
        assert_true(same_bits(&one.params.p[ATTN_W_O], &again.params.p[ATTN_W_O]));
        assert_true(same_bits(&one.params.fused, &other.params.fused) != drawn);
        layer_release(&one), layer_release(&again), layer_release(&other);
    }
}

TEST(matrices_do_not_depend_on_each_other) {
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++)
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++) {
            Layer all, alone;
            draw(&all, SHAPES[1], registry_entry(&SCHEME_REGISTRY, scheme)->id, 9);
            layer_init(&alone, SHAPES[1], MASK_NONE, 1);
            SchemePlan plan = scheme_plan(scheme, 1, 9);
            must(scheme_draw_one(&alone.params.p[p], &SHAPES[1], &plan, p, &told));
            assert_true(same_bits(&all.params.p[p], &alone.params.p[p]));
            layer_release(&all), layer_release(&alone);
        }
}

static void assert_scaled(const Mat *a, const Mat *b, double factor) {
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++) {
            double scaled = factor * (double)mat_row(a, i)[j];
            assert_true(fabs(scaled - (double)mat_row(b, i)[j]) <= 3e-7 * fabs(scaled));
        }
}

/* Every scheme of one distribution is another one times a factor, matrix by matrix. */
TEST(the_same_draws_underlie_all_scales) {
    static const char *const families[][8] = {
        {"normal", "normal_002", "xavier_normal", "he_normal", "lecun_normal", "gpt2", "small",
         "t5"},
        {"xavier_uniform", "he_uniform", "lecun_uniform", "pytorch_linear", "xavier_fused",
         "xavier_fused_fixed", "xavier_per_head"},
    };
    for (size_t f = 0; f < ARRAY_COUNT(families); f++)
        for (int i = 1; i < 8 && families[f][i] != NULL; i++) {
            Layer one, other;
            draw(&one, SHAPES[1], families[f][0], 4);
            draw(&other, SHAPES[1], families[f][i], 4);
            SchemePlan a = scheme_plan(scheme_named(families[f][0]), 1, 4);
            SchemePlan b = scheme_plan(scheme_named(families[f][i]), 1, 4);
            for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
                assert_scaled(&one.params.p[p], &other.params.p[p],
                              scheme_std(&b, p, &SHAPES[1]) / scheme_std(&a, p, &SHAPES[1]));
            layer_release(&one), layer_release(&other);
        }
}

/* The normal is the quantile of the same uniform: entry by entry the ranks agree. */
TEST(uniform_and_normal_share_their_ranks) {
    Layer uniform, normal;
    draw(&uniform, SHAPES[0], "xavier_uniform", 4);
    draw(&normal, SHAPES[0], "normal", 4);
    const Mat *u = &uniform.params.p[ATTN_W_K], *n = &normal.params.p[ATTN_W_K];
    for (int i = 0; i < u->rows; i++)
        for (int j = 0; j < u->cols; j++) {
            double share = 0.5 * (1 + (double)mat_row(u, i)[j] / (sqrt(3) * 0.125));
            double below = 0.5 * erfc(-(double)mat_row(n, i)[j] / sqrt(2));
            assert_true(fabs(share - below) < 1e-6);
        }
    layer_release(&uniform), layer_release(&normal);
}

TEST(rows_are_complete_and_in_order) {
    static const char *const ids[] = {"zeros",           "identity",
                                      "normal",          "normal_002",
                                      "xavier_uniform",  "xavier_normal",
                                      "he_uniform",      "he_normal",
                                      "lecun_uniform",   "lecun_normal",
                                      "pytorch_linear",  "orthogonal",
                                      "xavier_fused",    "xavier_fused_fixed",
                                      "xavier_per_head", "gpt2",
                                      "small",           "t5",
                                      "mimetic"};
    assert_int_equal(SCHEME_REGISTRY.count, ARRAY_COUNT(ids));
    for (int i = 0; i < (int)ARRAY_COUNT(ids); i++)
        assert_int_equal(scheme_named(ids[i]), i);
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        const Entry *e = registry_entry(&SCHEME_REGISTRY, i);
        assert_true(e->label[0] != '\0' && e->formula[0] != '\0' && e->help[0] != '\0');
        assert_true(SCHEMES[i].source[0] != '\0');
        assert_int_equal(registry_find(&SCHEME_REGISTRY, e->id, strlen(e->id)), i);
    }
}

TEST(depth_narrows_gpt2_s_output_alone) {
    int gpt2 = scheme_named("gpt2");
    SchemePlan one = scheme_plan(gpt2, 1, 5), deep = scheme_plan(gpt2, 50, 5);
    Layer shallow, below;
    layer_init(&shallow, SHAPES[1], MASK_NONE, 1);
    layer_init(&below, SHAPES[1], MASK_NONE, 1);
    must(scheme_draw(&shallow.params, &SHAPES[1], &one, &told));
    must(scheme_draw(&below.params, &SHAPES[1], &deep, &told));
    assert_true(same_bits(&shallow.params.fused, &below.params.fused));
    assert_scaled(&shallow.params.p[ATTN_W_O], &below.params.p[ATTN_W_O], 1 / sqrt(50));
    layer_release(&shallow), layer_release(&below);
}

TEST(a_plan_mixes_schemes) {
    SchemePlan plan = scheme_plan(scheme_named("xavier_uniform"), 1, 8);
    plan.scheme[ATTN_W_K] = scheme_named("orthogonal");
    plan.scheme[ATTN_W_O] = scheme_named("zeros");
    Layer mixed, xavier, rotated;
    layer_init(&mixed, SHAPES[2], MASK_NONE, 1);
    must(scheme_draw(&mixed.params, &SHAPES[2], &plan, &told));
    draw(&xavier, SHAPES[2], "xavier_uniform", 8);
    draw(&rotated, SHAPES[2], "orthogonal", 8);
    assert_true(same_bits(&mixed.params.p[ATTN_W_Q], &xavier.params.p[ATTN_W_Q]));
    assert_true(same_bits(&mixed.params.p[ATTN_W_K], &rotated.params.p[ATTN_W_K]));
    assert_true(same_bits(&mixed.params.p[ATTN_W_V], &xavier.params.p[ATTN_W_V]));
    assert_true(mat_row(&mixed.params.p[ATTN_W_O], 3)[5] == 0);
    layer_release(&mixed), layer_release(&xavier), layer_release(&rotated);
}

/* Find the mean of the diagonal of left·right, or of left·rightᵀ, and the root mean square of the
 * other entries. */
static void product_diagonal(double *mean, double *beside, const Mat *left, const Mat *right,
                             bool turned) {
    double sum = 0, squares = 0;
    int D = left->rows;
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            double entry = 0;
            for (int p = 0; p < left->cols; p++)
                entry += (double)mat_row(left, i)[p] *
                         (double)(turned ? mat_row(right, j)[p] : mat_row(right, p)[j]);
            sum += i == j ? entry : 0;
            squares += i == j ? 0 : entry * entry;
        }
    *mean = sum / D;
    *beside = D > 1 ? sqrt(squares / ((double)D * (D - 1))) : 0;
}

/* d_k = D/4: the largest quarter of the singular values holds more than a quarter of the trace. */
TEST(mimetic_looks_like_trained_layers) {
    double mean, beside;
    LOCAL(layer_release) Layer layer;
    draw(&layer, SHAPES[0], "mimetic", 2);
    for (int h = 0; h < 4; h++) {
        Mat q = attn_head_query(&layer.params.p[ATTN_W_Q], &layer.shape, h);
        Mat k = attn_head_query(&layer.params.p[ATTN_W_K], &layer.shape, h);
        product_diagonal(&mean, &beside, &q, &k, true);
        assert_true(mean > 0.7 / 4 && mean < 0.7);
    }
    product_diagonal(&mean, &beside, &layer.params.p[ATTN_W_V], &layer.params.p[ATTN_W_O], false);
    assert_true(fabs(mean + 0.4) < 5 * 0.4 / 64);
    assert_true(fabs(beside - 0.4 / 8) < 0.002);
}

/* If the factors are wide enough for the whole product, they reach it, and further columns are 0.
 */
TEST(mimetic_is_exact_where_it_can_be) {
    double mean, beside;
    LOCAL(layer_release) Layer layer;
    draw(&layer,
         (AttnShape){
             .T = 4, .D = 48, .H = 2, .K = 70, .V = 30, .form = FORM_SEPARATE, .score_factor = 1},
         "mimetic", 2);
    for (int h = 0; h < 2; h++) {
        Mat q = attn_head_query(&layer.params.p[ATTN_W_Q], &layer.shape, h);
        Mat k = attn_head_query(&layer.params.p[ATTN_W_K], &layer.shape, h);
        product_diagonal(&mean, &beside, &q, &k, true);
        assert_true(fabs(mean - 0.7) < 5 * 0.7 / 48);
        assert_true(fabs(beside - 0.7 / sqrt(48)) < 0.01);
        for (int i = 0; i < 48; i++)
            assert_true(mat_row(&q, i)[48] == 0 && mat_row(&k, i)[69] == 0);
    }
    product_diagonal(&mean, &beside, &layer.params.p[ATTN_W_V], &layer.params.p[ATTN_W_O], false);
    assert_true(fabs(mean + 0.4) < 5 * 0.4 / 48);
    assert_true(mat_row(&layer.params.p[ATTN_W_O], 59)[0] == 0);
}

TEST(mimetic_names_its_range) {
    AttnShape wide = {
        .T = 4, .D = 1025, .H = 1, .K = 1, .V = 1, .form = FORM_SEPARATE, .score_factor = 1};
    SchemePlan plan = scheme_plan(scheme_named("mimetic"), 1, 1);
    LAYER(layer, wide, MASK_NONE, 1);
    assert_false(scheme_draw(&layer.params, &wide, &plan, &told));
    assert_int_equal(told.kind, ERR_USAGE);
    assert_non_null(strstr(told.what, "1025"));
    assert_non_null(strstr(told.why, "from 1 to 1024"));
}

/* Formulas have the names of the settings, d_model, h and d_k, and no letters of the code. */
TEST(a_formula_has_the_names_of_the_settings) {
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        const char *formula = SCHEMES[i].entry.formula;
        for (const char *at = formula; *at != '\0'; at++)
            if (strchr("DHKVTE", *at) != NULL && (at == formula || at[-1] != '_'))
                fail_msg("%s: “%s”", SCHEMES[i].entry.id, formula);
    }
}
