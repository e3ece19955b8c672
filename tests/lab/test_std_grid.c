/* The plane of deviations against layers that are really drawn with them. */
#include <math.h>

#include "base/util.h"
#include "lab/broken_inits.h"
#include "lab/std_grid.h"
#include "lab/studied.h"
#include "model/analysis/stats.h"
#include "support/test.h"

static const char *const SCHEME = "xavier_uniform";

static void scale_to(Mat *w, double std) {
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->cols; j++)
            mat_row(w, i)[j] *= (float)std;
}

/* Entropy and gradient norm of the layer whose W_Q and W_K have these standard deviations. */
static void compute(double *entropy, double *norm, const Layer *layer, SchemePlan plan, double q,
                    double k) {
    LOCAL(arena_release) Arena arena = {0};
    AttnShape shape = layer->shape;
    must(arena_reserve(&arena,
                       attn_params_bytes(&shape) + attn_trace_bytes(&shape) +
                           attn_grads_bytes(&shape) + attn_back_bytes(&shape) +
                           mat_bytes(shape.T, shape.D),
                       &told));
    AttnParams params = attn_params_push(&arena, &shape), grads;
    AttnTrace trace = attn_trace_push(&arena, &shape);
    grads = attn_grads_push(&arena, &shape);
    AttnBack back = attn_back_push(&arena, &shape);
    Mat G = mat_push(&arena, shape.T, shape.D);
    must(scheme_draw(&params, &shape, &plan, &told));
    scale_to(&params.p[ATTN_W_Q], q / scheme_std(&plan, ATTN_W_Q, &shape));
    scale_to(&params.p[ATTN_W_K], k / scheme_std(&plan, ATTN_W_K, &shape));
    must(attn_fold(&trace, &shape, &params, &told));
    attn_forward(&trace, &shape, &params, &layer->x, &layer->mask);
    attn_output_gradient_draw(&G, plan.seed);
    attn_backward(&grads, &back, &shape, &params, &trace, &layer->x, &G);
    *entropy = stats_mean_entropy(&trace.A, &layer->mask);
    *norm = 0;
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        *norm += stats_sum_of_squares(&grads.p[p]);
    *norm = sqrt(*norm);
}

TEST(the_own_point_has_the_schemes_numbers) {
    static const JobPool none;
    AttnShape shape = broken_init_shape(9, 24);
    shape.bias = BIAS_NONE;
    LAYER(layer, shape, MASK_NONE, 3);
    StudyPlan plan = studied_plan(&layer, &SCHEME, 1);
    const SchemePlan *scheme = &plan.schemes[0].plan;
    StdGrid *grid = std_grid_create(&plan, &told);
    assert_non_null(grid);
    job_start(&none, &grid->job);
    must(scheme_draw(&layer.params, &shape, scheme, &told));
    layer_forward(&layer);
    double std = scheme_std(scheme, ATTN_W_Q, &shape), product = std * std;
    for (int i = 0; i < grid->dots.rows; i++)
        for (int j = 0; j < grid->dots.cols; j++)
            assert_true(fabs(product * (double)mat_row(&grid->dots, i)[j] -
                             (double)mat_row(&layer.trace.S, i)[j]) < 1e-5);
    job_drop(NULL, &grid->job);
}

TEST(places_are_what_layers_drawn_there_have) {
    static const int places[][2] = {{0, 0}, {32, 32}, {16, 16}, {4, 25}, {25, 4}, {12, 20}};
    static const JobPool none;
    AttnShape shape = broken_init_shape(9, 24);
    shape.bias = BIAS_NONE;
    LAYER(layer, shape, MASK_CAUSAL, 3);
    StudyPlan plan = studied_plan(&layer, &SCHEME, 1);
    const SchemePlan *scheme = &plan.schemes[0].plan;
    StdGrid *grid = std_grid_create(&plan, &told);
    assert_non_null(grid);
    assert_int_equal(grid->done, -1);
    job_start(&none, &grid->job);
    job_start(&none, &grid->job); /* nothing is left to do */
    assert_int_equal(grid->done, STD_GRID_PRODUCTS);
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        double entropy, norm, q = std_grid_std(places[i][0]), k = std_grid_std(places[i][1]);
        compute(&entropy, &norm, &layer, *scheme, q, k);
        double e = (double)grid->entropy[places[i][0]][places[i][1]];
        double n = (double)grid->gradient[places[i][0]][places[i][1]];
        if (!(fabs(e - entropy) < 2e-4) || !(fabs(n - norm) < 2e-3 * norm))
            fail_msg("at %g, %g: entropy %g for %g, gradient %g for %g", q, k, e, entropy, n, norm);
    }
    job_drop(NULL, &grid->job);
}

TEST(places_and_deviations_are_inverse) {
    for (int i = 0; i < STD_GRID_SIDE; i++)
        assert_true(fabs(std_grid_at(std_grid_std(i)) - i) < 1e-9);
    assert_true(fabs(std_grid_std(0) - STD_GRID_MIN) < 1e-12);
    assert_true(fabs(std_grid_std(STD_GRID_SIDE - 1) - STD_GRID_MAX) < 1e-9);
}
