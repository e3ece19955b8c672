/* The expectations of theory on a given X, compared with many samples. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "lab/broken_inits.h"
#include "lab/comparison.h"
#include "lab/studied.h"
#include "lab/theory_on_input.h"
#include "model/analysis/stats.h"
#include "support/test.h"

#define T              12
#define D              64
#define SEEDS          100
#define EXPECTED_DRAWS 256 /* of the comparison's softmax */

static const StudyStat STATS[] = {
    STUDY_STD_Q,        STUDY_STD_K,        STUDY_STD_V,        STUDY_STD_S,
    STUDY_STD_Z,        STUDY_STD_Y,        STUDY_STD_GRAD_W_Q, STUDY_STD_GRAD_W_K,
    STUDY_STD_GRAD_W_V, STUDY_STD_GRAD_W_O, STUDY_STD_GRAD_X,
};

/* Tokens that have a good part of their rows in common, and are larger than theory has them. */
static void share_rows(Mat *x) {
    Rng rng = rng_stream(3, 1);
    for (int i = 0; i < x->rows; i++)
        for (int j = 0; j < x->cols; j++)
            mat_row(x, i)[j] += (float)rng_normal(rng, (uint64_t)j);
}

/* Over samples: the mean of measured / value, and the root mean square of their difference divided
 * by the chance, or by the value if it has none. */
typedef struct Fit {
    double ratio, off, least_chance;
} Fit;

static void fit(Fit out[ARRAY_COUNT(STATS)], StudyPlan *plan) {
    LOCAL(comparison_release) Comparison comparison = {0};
    for (size_t i = 0; i < ARRAY_COUNT(STATS); i++)
        out[i] = (Fit){0, 0, INFINITY};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        plan->schemes[0].plan.seed = seed;
        must(comparison_make(&comparison, plan, SPREAD_S, NULL, &told));
        for (size_t i = 0; i < ARRAY_COUNT(STATS); i++) {
            double value = comparison.theory[0].value[STATS[i]];
            double chance = comparison.theory[0].chance[STATS[i]];
            double apart = (double)comparison.values[0][STATS[i]] - value;
            double by = chance > 0 ? chance : value;
            out[i].ratio += (1 + apart / value) / SEEDS;
            out[i].off += apart * apart / (by * by) / SEEDS;
            out[i].least_chance = fmin(out[i].least_chance, chance);
        }
    }
    for (size_t i = 0; i < ARRAY_COUNT(STATS); i++)
        out[i].off = sqrt(out[i].off);
}

TEST(draws_lie_about_what_is_expected_of_their_x) {
    static const struct {
        const char *id;
        AttnBlock block;
        MaskKind mask;
        AttnForm form;
    } cases[] = {{"xavier_uniform", BLOCK_ATTENTION, MASK_NONE, FORM_SEPARATE},
                 {"normal_002", BLOCK_RESIDUAL, MASK_NONE, FORM_SEPARATE},
                 {"normal_002", BLOCK_ATTENTION, MASK_NONE, FORM_SEPARATE},
                 {"orthogonal", BLOCK_ATTENTION, MASK_NONE, FORM_SEPARATE},
                 {"he_normal", BLOCK_ATTENTION, MASK_CAUSAL, FORM_SEPARATE},
                 {"xavier_uniform", BLOCK_ATTENTION, MASK_NONE, FORM_FREE},
                 {"xavier_uniform", BLOCK_ATTENTION, MASK_NONE, FORM_NESTED}};
    for (size_t k = 0; k < ARRAY_COUNT(cases); k++) {
        Fit fits[ARRAY_COUNT(STATS)];
        AttnShape shape = broken_init_shape(T, D);
        shape.block = cases[k].block;
        shape.form = cases[k].form;
        LAYER(layer, shape, cases[k].mask, 3);
        share_rows(&layer.x);
        StudyPlan plan = studied_plan(&layer, &cases[k].id, 1);
        fit(fits, &plan);
        for (size_t i = 0; i < ARRAY_COUNT(STATS); i++) {
            bool has_chance = fits[i].least_chance > 0;
            if (shape.form == FORM_FREE && isnan(fits[i].ratio))
                continue; /* a quantity without a matrix or a closed form */
            double least = strcmp(cases[k].id, "orthogonal") == 0 ? 0.3 : 0.75;
            if (!(fabs(fits[i].ratio - 1) < 0.03))
                fail_msg("case %d: %s is %g of what is expected", (int)k,
                         STUDY_STATS[STATS[i]].entry.id, fits[i].ratio);
            assert_true(has_chance ? fits[i].off > least && fits[i].off < 1.25
                                   : fits[i].off < 0.02);
        }
    }
}

/* One head's scores, as in the inspector. */
TEST(a_head_lies_about_what_is_expected_of_it) {
    double squares = 0, value = 0, chance = 0, off = 0;
    int scheme = scheme_named("xavier_uniform");
    LAYER(layer, broken_init_shape(T, D), MASK_NONE, 3);
    share_rows(&layer.x);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        SchemePlan plan = scheme_plan(scheme, 1, seed);
        must(scheme_draw(&layer.params, &layer.shape, &plan, &told));
        layer_forward(&layer);
        StudyLayer of = {.shape = &layer.shape, .trace = &layer.trace, .mask = &layer.mask};
        theory_of_head_scores(&value, &chance, &of, &plan, expect_scores(&layer.shape, &plan));
        Mat S = attn_head_scores(&layer.trace.S, &layer.shape, 1);
        double std = stats_score_std(&S, &layer.mask);
        squares += std * std / SEEDS;
        off += (std - value) * (std - value) / SEEDS;
    }
    assert_true(fabs(sqrt(squares) / value - 1) < 0.04);
    if (!(sqrt(off) > 0.75 * chance && sqrt(off) < 1.2 * chance))
        fail_msg("draws lie %g off, expected %g", sqrt(off), chance);
}

/* The column expected_x of `compare`: the mean square over many samples on this X. */
TEST(a_study_has_what_is_expected_on_its_x) {
    static const char *const ids[] = {"xavier_uniform", "gpt2"};
    for (size_t k = 0; k < ARRAY_COUNT(ids); k++) {
        LOCAL(study_bench_release) StudyBench bench = {0};
        double given[STUDY_STAT_COUNT];
        LAYER(layer, broken_init_shape(T, D), MASK_CAUSAL, 3);
        share_rows(&layer.x);
        StudyPlan plan = studied_plan(&layer, &ids[k], 1);
        plan.seeds = SEEDS;
        LOCAL(studied_drop) Study *study = studied(&plan);
        must(theory_on_study(given, &bench, &plan, 0, &told));
        for (size_t i = 0; i < ARRAY_COUNT(STATS); i++) {
            StudySummary over = study_summary(study, 0, 0, STATS[i]);
            double ratio = hypot(over.mean, over.std) / given[STATS[i]];
            if (!(fabs(ratio - 1) < 0.06))
                fail_msg("%s: %s is %.3f of what is expected on X", ids[k],
                         STUDY_STATS[STATS[i]].entry.id, ratio);
        }
        assert_true(fabs(given[STUDY_STD_S] / study_summary(study, 0, 0, STUDY_STD_S).mean - 1) <
                    0.03);
        assert_true(isnan(given[STUDY_RANK_A]) && given[STUDY_STD_W_Q] > 0);
    }
}

/* Far up in a stack without a residual, tokens differ by little more than rounding: their gradients
 * go with the square of that. */
TEST(gradients_of_nearly_equal_tokens_are_expected_small) {
    static const char *const id = "xavier_uniform";
    StudyPlan plan;
    Fit fits[ARRAY_COUNT(STATS)];
    LAYER(layer, broken_init_shape(T, D), MASK_NONE, 3);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < D; j++)
            mat_row(&layer.x, i)[j] *= 1e-5F;
    share_rows(&layer.x);
    plan = studied_plan(&layer, &id, 1);
    fit(fits, &plan);
    for (size_t i = 0; i < ARRAY_COUNT(STATS); i++)
        if (STATS[i] == STUDY_STD_GRAD_W_Q || STATS[i] == STUDY_STD_GRAD_W_K)
            assert_in_range((unsigned)(100 * fits[i].ratio), 60, 140);
}

/* Equal tokens have equal scores, and similar ones similar scores, unless they are rotated. */
static void equal_rows(Mat *x) {
    for (int i = 2; i < x->rows; i++)
        memcpy(mat_row(x, i), mat_row(x, i % 2), (size_t)x->cols * sizeof(float));
}

/* The mean over samples and its distance from the expectation, in units of chance; and the distance
 * of one sample. */
static void check_softmax(AttnShape shape, MaskKind mask, void (*change)(Mat *), const char *id) {
    static const StudyStat stats[] = {STUDY_ENTROPY_A, STUDY_MAX_A, STUDY_SATURATION_A};
    LOCAL(comparison_release) Comparison comparison = {0};
    LAYER(layer, shape, mask, 3);
    if (change != NULL)
        change(&layer.x);
    StudyPlan plan = studied_plan(&layer, &id, 1);
    for (size_t i = 0; i < ARRAY_COUNT(stats); i++) {
        double sum = 0, squares = 0, value = 0, chance = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            plan.schemes[0].plan.seed = seed;
            must(comparison_make(&comparison, &plan, SPREAD_S, NULL, &told));
            double measured = (double)comparison.values[0][stats[i]];
            value = comparison.theory[0].value[stats[i]];
            chance = comparison.theory[0].chance[stats[i]];
            sum += measured / SEEDS;
            squares += (measured - value) * (measured - value) / SEEDS;
        }
        double by_chance = chance * sqrt(shape.H / (double)EXPECTED_DRAWS + 1.0 / SEEDS);
        if (!(fabs(sum - value) < 0.02 * value + 3 * by_chance))
            fail_msg("%s is %g, expected %g", STUDY_STATS[stats[i]].entry.id, sum, value);
        if (!(sqrt(squares) > 0.7 * chance && sqrt(squares) < 1.4 * chance))
            fail_msg("%s: draws lie %g off, expected %g", STUDY_STATS[stats[i]].entry.id,
                     sqrt(squares), chance);
    }
}

TEST(figures_of_the_softmax_follow_from_x) {
    AttnShape shape = broken_init_shape(T, D), two = broken_init_shape(2, D), rope = shape;
    AttnShape unfactored = shape, nested = broken_init_shape(T, 16);
    rope.rope = true;
    unfactored.form = FORM_FREE;
    nested.form = FORM_NESTED;
    check_softmax(shape, MASK_NONE, share_rows, "xavier_uniform");
    check_softmax(shape, MASK_CAUSAL, equal_rows, "normal");
    check_softmax(two, MASK_NONE, share_rows, "he_normal");
    check_softmax(rope, MASK_NONE, equal_rows, "xavier_uniform");
    check_softmax(unfactored, MASK_NONE, share_rows, "he_uniform");
    check_softmax(nested, MASK_NONE, NULL, "he_normal");
}

/* A fixed quantity, or one that was not requested, has no number. */
TEST(what_is_not_known_is_not_a_number) {
    LOCAL(comparison_release) Comparison comparison = {0};
    LAYER(layer, broken_init_shape(T, D), MASK_NONE, 3);
    static const char *const id = "identity";
    StudyPlan plan = studied_plan(&layer, &id, 1);
    must(comparison_make(&comparison, &plan, SPREAD_S, NULL, &told));
    const TheoryOnInput *given = &comparison.theory[0];
    assert_true(isnan(given->value[STUDY_STD_Q]) && isnan(given->value[STUDY_STD_S]));
    assert_true(isnan(given->value[STUDY_STD_GRAD_W_Q]) && isnan(given->value[STUDY_STD_W_Q]));
    assert_true(fabs(given->rms - 1) < 0.1 && fabs(given->common) < 0.1);
}
