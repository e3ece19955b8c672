/* What theory expects without a sample. tests/lab/test_expectations.c compares every expectation
 * with samples. */
#include <math.h>
#include <string.h>

#include "model/theory/expect.h"
#include "support/test.h"

static const AttnShape SHAPE = {
    .T = 8, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 0.35355338F};

static SchemePlan plan_of(const char *id) {
    int index = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_in_range(index, 0, SCHEME_REGISTRY.count - 1);
    return scheme_plan(index, 3, 0);
}

/* Two to the power of -½ on each side of the product: half the standard deviation. */
TEST(the_fused_matrix_halves_the_scores) {
    static const struct {
        const char *id;
        double std;
    } cases[] = {{"xavier_uniform", 1}, {"xavier_fused", 0.5}, {"xavier_fused_fixed", 1}};
    for (int i = 0; i < 3; i++) {
        SchemePlan plan = plan_of(cases[i].id);
        assert_true(fabs(expect(&SHAPE, &plan, NULL).S - cases[i].std) < 1e-6);
    }
}

/* Also next to a matrix that theory does not know. */
TEST(nothing_comes_of_zeros) {
    SchemePlan plan = plan_of("mimetic"), zeros = plan_of("zeros");
    assert_true(isnan(expect(&SHAPE, &plan, NULL).S) && isnan(expect(&SHAPE, &plan, NULL).Q));
    plan.scheme[ATTN_W_K] = zeros.scheme[ATTN_W_K];
    assert_true(expect(&SHAPE, &plan, NULL).S == 0);
    assert_true(expect(&SHAPE, &zeros, NULL).rank_A == 1);
    assert_true(expect(&SHAPE, &zeros, NULL).rank_W_QK == 0);
}

/* Tokens share a mean in a stack, so that the scores of the layers above the first are unknown;
 * without normalised rows, so are Q and K. */
TEST(little_is_known_above_the_first_layer) {
    SchemePlan plan = plan_of("he_normal");
    Expected plain = expect_in_stack(&SHAPE, &plan, NULL, (StackPlace){1, 3});
    assert_true(isnan(plain.Q) && isnan(plain.S) && plain.W[ATTN_W_Q] > 0);
    AttnShape shape = SHAPE;
    shape.block = BLOCK_PRE_NORM;
    Expected normalised = expect_in_stack(&shape, &plan, NULL, (StackPlace){2, 3});
    assert_true(normalised.Q > 0 && isnan(normalised.S) && isnan(normalised.Y));
}
