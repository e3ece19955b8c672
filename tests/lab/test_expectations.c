/* Every expectation of every scheme compared with samples: all forms and blocks, one layer and a
 * stack. TEST_DRAWS=200 takes that many draws instead of a few (`make expectations`). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "lab/studied.h"
#include "model/attention/block.h"
#include "support/test.h"

#define FEW_DRAWS 16
#define TOKENS    12
#define STACK     4
#define SIGMAS    4.5 /* of the draws' own chance */

/* One letter a token: no word appears twice. */
static const char TEXT[TOKENS + 1] = "abcdefghijkl";

static int draws(void) {
    const char *asked = getenv("TEST_DRAWS");
    return asked != NULL && atoi(asked) > 1 ? atoi(asked) : FEW_DRAWS;
}

/* Few tokens get more draws, to have as many rows. A few of these, with near ties, make up nearly
 * all of a saturated softmax's gradients, so these are left out. */
static StudyPlan plan_of(AttnShape shape, int layers, const Token *tokens, const Mask *mask) {
    unsigned backward = STUDY_FILES | STUDY_SIGNAL | (layers == 1 ? STUDY_SPECTRA : 0);
    StudyPlan plan = {.shape = shape,
                      .mask = *mask,
                      .draws_x = true,
                      .scheme_count = SCHEME_REGISTRY.count,
                      .layers = layers,
                      .seeds = draws() * TOKENS / shape.T,
                      .parts = shape.T == TOKENS ? backward : STUDY_FORWARD | STUDY_SIGNAL};
    plan.input.embed = (EmbedInput){
        .kind = EMBEDDING_RANDOM, .text = TEXT, .text_bytes = (uint32_t)shape.T, .tokens = tokens};
    plan.input.positions = POSITION_NONE;
    for (int i = 0; i < plan.scheme_count; i++)
        plan.schemes[i] = (StudyScheme){.scheme = i, .plan = scheme_plan(i, layers, 1)};
    return plan;
}

/* Over the draws: the mean of the squares, and how far chance moves it. */
static double mean_square(double *error, const Study *study, int scheme, int layer, StudyStat stat,
                          bool is_root) {
    double mean = 0, squares = 0;
    int count = study->plan.seeds;
    for (int seed = 0; seed < count; seed++) {
        double value = (double)study_value(study, scheme, seed, layer, stat);
        double away = (is_root ? value * value : value) - mean;
        mean += away / (seed + 1);
        squares += away * ((is_root ? value * value : value) - mean);
    }
    *error = sqrt(squares / (count - 1) / count);
    return mean;
}

static bool is_std(StudyStat stat) {
    return strncmp(STUDY_STATS[stat].entry.id, "std.", 4) == 0;
}

/* Return true if theory has an expectation. */
static bool check(const Study *study, int scheme, int layer, StudyStat stat, double expected) {
    const AttnShape *shape = &study->plan.shape;
    bool root = is_std(stat);
    double error, measured = mean_square(&error, study, scheme, layer, stat, root);
    double bound = expect_bound(shape) * expected;
    double within = root ? 2 * bound * expected + bound * bound : bound + 0.005;
    if (isnan(expected) || (STUDY_STATS[stat].parts & ~study->plan.parts) != 0)
        return false;
    double apart = fabs(measured - (root ? expected * expected : expected));
    if (!(apart <= within + SIGMAS * error + 1e-9))
        fail_msg("%s, %s, %s, layer %d of %d, D %d: %s is %.5g ± %.2g, expected %.5g",
                 SCHEMES[scheme].entry.id, registry_entry(&ATTN_FORMS, (int)shape->form)->id,
                 registry_entry(&ATTN_BLOCKS, (int)shape->block)->id, layer + 1, study->plan.layers,
                 shape->D, STUDY_STATS[stat].entry.id, root ? sqrt(measured) : measured,
                 root ? error / (2 * sqrt(measured)) : error, expected);
    return true;
}

/* One matrix that is drawn by another scheme than the others; no id: all by one. */
typedef struct Other {
    AttnParam matrix;
    const char *id;
} Other;

/* Return the number of expectations. */
static int check_mixed(AttnShape shape, int layers, bool is_causal, Other other) {
    Token tokens[TOKENS];
    uint8_t open[TOKENS * TOKENS];
    Mask mask = {.open = open, .T = shape.T};
    int known = 0;
    for (int i = 0; i < shape.T * shape.T; i++)
        open[i] = !is_causal || i % shape.T <= i / shape.T;
    for (int i = 0; i < TOKENS; i++)
        tokens[i] = (Token){.at = (uint32_t)i, .bytes = 1};
    StudyPlan plan = plan_of(shape, layers, tokens, &mask);
    for (int i = 0; i < plan.scheme_count && other.id != NULL; i++)
        plan.schemes[i].plan.scheme[other.matrix] = scheme_named(other.id);
    LOCAL(studied_drop) Study *study = studied(&plan);
    for (int scheme = 0; scheme < plan.scheme_count; scheme++)
        for (int layer = 0; layer < layers; layer++) {
            double expected[STUDY_STAT_COUNT];
            study_expect(expected, &plan, scheme, layer);
            for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++)
                known += check(study, scheme, layer, stat, expected[stat]);
        }
    return known;
}

static int check_all(AttnShape shape, int layers) {
    return check_mixed(shape, layers, false, (Other){.id = NULL});
}

static const AttnShape SHAPE = {
    .T = TOKENS, .D = 64, .H = 4, .K = 16, .V = 16, .rank = 8, .score_factor = 0.25F};

static void check_form(AttnForm form, AttnBlock block, int layers) {
    AttnShape shape = SHAPE;
    shape.form = form;
    shape.block = block;
    assert_true(check_all(shape, layers) > SCHEME_REGISTRY.count * layers * 2);
}

TEST(every_expectation_holds) {
    for (AttnForm form = 0; form < FORM_COUNT; form++)
        for (AttnBlock block = 0; block < BLOCK_COUNT; block++)
            check_form(form, block, 1);
}

/* Many draws are taken of each block in each form, few of each block and each form. */
TEST(every_expectation_of_a_stack_holds) {
    for (AttnForm form = 0; form < FORM_COUNT; form++)
        for (AttnBlock block = 0; block < BLOCK_COUNT; block++)
            if (draws() > FEW_DRAWS || block == form % BLOCK_COUNT)
                check_form(form, block, STACK);
}

/* D, H·K and H·V differ, so that swapped fans are found. */
TEST(every_expectation_of_mixed_schemes_and_masks_holds) {
    static const Other others[] = {{ATTN_W_Q, NULL},       {ATTN_W_Q, "zeros"},
                                   {ATTN_W_K, "zeros"},    {ATTN_W_V, "zeros"},
                                   {ATTN_W_O, "zeros"},    {ATTN_W_K, "he_normal"},
                                   {ATTN_W_Q, "identity"}, {ATTN_W_Q, "orthogonal"}};
    for (int i = 0; i < 2 * (int)ARRAY_COUNT(others); i++) {
        AttnShape shape = SHAPE;
        shape.H = 2;
        shape.V = 40;
        shape.block = i % 4 < 2 ? BLOCK_ATTENTION : BLOCK_RESIDUAL;
        assert_true(check_mixed(shape, 1, i % 2 == 1, others[i / 2]) > SCHEME_REGISTRY.count * 6);
    }
}

/* A rank that keeps all is no cut. */
TEST(a_whole_rank_is_as_merged) {
    AttnShape shape = SHAPE;
    shape.form = FORM_MERGED;
    int merged = check_all(shape, 1);
    shape.form = FORM_RANK;
    shape.rank = shape.K;
    assert_int_equal(check_all(shape, 1), merged);
}

/* Widths at which the terms of the order of 1/D are large. */
TEST(narrow_layers_are_within_their_bound) {
    static const int widths[][2] = {{8, 1}, {8, 2}, {16, 1}, {16, 4}, {32, 4}};
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++) {
        AttnShape shape = SHAPE;
        shape.D = widths[i][0];
        shape.H = widths[i][1];
        shape.K = shape.V = shape.D / shape.H;
        shape.score_factor = 1 / sqrtf((float)shape.K);
        assert_true(check_all(shape, 1) > SCHEME_REGISTRY.count * 8);
    }
}

/* One score has no standard deviation; of a few, their mean takes a large share. */
TEST(few_tokens_are_within_their_bound) {
    AttnShape shape = SHAPE;
    shape.H = 2;
    for (shape.T = 1; shape.T <= 3; shape.T++)
        assert_true(check_all(shape, 1) > SCHEME_REGISTRY.count * 8);
}

/* Return true if the layer's numbers and their expectation are none. */
static bool is_none(const StudyPlan *plan, StudyStat stat) {
    LOCAL(studied_drop) Study *study = studied(plan);
    double expected[STUDY_STAT_COUNT];
    study_expect(expected, plan, 0, 0);
    StudySummary summary = study_summary(study, 0, 0, stat);
    assert_true(STUDY_STATS[stat].expected == SIZE_MAX ||
                isnan(summary.mean) == isnan(expected[stat]));
    return isnan(summary.mean);
}

TEST(one_number_has_no_deviation) {
    static const StudyStat ones[] = {STUDY_STD_W_Q, STUDY_STD_Q,      STUDY_STD_S,
                                     STUDY_STD_Z,   STUDY_STD_GRAD_X, STUDY_STD_GRAD_W_O,
                                     STUDY_STD_X,   STUDY_RESIDUAL_Y, STUDY_SATURATION_A};
    Token tokens[] = {{.at = 0, .bytes = 1}, {.at = 1, .bytes = 1}};
    uint8_t open[4] = {1, 0, 0, 1};
    Mask mask = {.open = open, .T = 1};
    AttnShape shape = {.T = 1, .D = 1, .H = 1, .K = 1, .V = 1, .rank = 1, .score_factor = 1};
    StudyPlan plan = plan_of(shape, 1, tokens, &mask);
    plan.parts |= STUDY_BACKWARD;
    for (size_t i = 0; i < ARRAY_COUNT(ones); i++)
        assert_true(is_none(&plan, ones[i]));
    assert_false(is_none(&plan, STUDY_ENTROPY_A) || is_none(&plan, STUDY_MAX_A));
    shape.D = 2; /* two numbers, but still one score */
    plan = plan_of(shape, 1, tokens, &mask);
    assert_false(is_none(&plan, STUDY_STD_W_Q) || is_none(&plan, STUDY_STD_X));
    assert_true(is_none(&plan, STUDY_STD_S) && is_none(&plan, STUDY_STD_Q));
    shape.T = mask.T = 2; /* two scores, each alone in its row */
    plan = plan_of(shape, 1, tokens, &mask);
    assert_false(is_none(&plan, STUDY_STD_S) || is_none(&plan, STUDY_RESIDUAL_Y));
    assert_true(is_none(&plan, STUDY_SATURATION_A));
}
