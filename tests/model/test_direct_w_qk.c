/* The W_QK that is drawn whole, and its singular values. */
#include <math.h>
#include <string.h>

#include "math/decompose.h"
#include "model/init/scheme.h"
#include "support/test.h"

#define WIDTH 48

static AttnShape shape_with(AttnBias bias) {
    return (AttnShape){.T = 1,
                       .D = WIDTH,
                       .H = 4,
                       .K = 12,
                       .V = 12,
                       .bias = bias,
                       .form = FORM_FREE,
                       .score_factor = 1};
}

static SchemePlan plan_of(const char *scheme) {
    return scheme_plan(registry_find(&SCHEME_REGISTRY, scheme, strlen(scheme)), 1, 7);
}

/* The singular values of each head are those of its own part of the sample, and do not end at d_k.
 * The row of the constant 1 adds one value, which is 0 because biases start at 0. */
TEST(a_spectrum_is_that_of_the_heads_matrix) {
    static const AttnBias biases[] = {BIAS_NONE, BIAS_ALL};
    for (int b = 0; b < 2; b++) {
        AttnShape shape = shape_with(biases[b]);
        SchemePlan plan = plan_of("xavier_uniform");
        int E = attn_input_width(&shape);
        double sigma[WIDTH + 1], expected[WIDTH + 1];
        ARENA(arena, attn_params_bytes(&shape));
        AttnParams params = attn_params_push(&arena, &shape);
        must(scheme_draw(&params, &shape, &plan, &told));
        for (int head = 0; head < shape.H; head++) {
            Mat own = mat_rows(&params.p[ATTN_W_QK], head * E, E);
            must(decompose_matrix(NULL, expected, NULL, &own, &told));
            must(scheme_free_spectrum(sigma, head, &shape, &plan, &told));
            for (int i = 0; i < WIDTH; i++)
                assert_true(fabs(sigma[i] - expected[i]) <= 1e-4 * expected[i]);
            assert_true(E == WIDTH || sigma[WIDTH] == 0);
            assert_true(sigma[shape.K] > sigma[0] / 3);
        }
    }
}

TEST(one_of_zeros_is_zero) {
    AttnShape shape = shape_with(BIAS_NONE);
    SchemePlan plan = plan_of("zeros");
    double sigma[WIDTH];
    must(scheme_free_spectrum(sigma, 0, &shape, &plan, &told));
    for (int i = 0; i < WIDTH; i++)
        assert_true(sigma[i] == 0);
}
