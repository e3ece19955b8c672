#include "lab/std_grid.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/rng.h"
#include "math/softmax.h"
#include "model/analysis/stats.h"

double std_grid_std(double at) {
    return STD_GRID_MIN * pow(STD_GRID_MAX / STD_GRID_MIN, at / (STD_GRID_SIDE - 1));
}

double std_grid_at(double std) {
    return (STD_GRID_SIDE - 1) * log(std / STD_GRID_MIN) / log(STD_GRID_MAX / STD_GRID_MIN);
}

/* Scale sampled weights to a standard deviation of 1. If the scheme is not random with mean 0,
 * sample normal weights instead. */
static void make_unit(Mat *w, const SchemePlan *plan, const AttnShape *shape, AttnParam param) {
    const Scheme *scheme = &SCHEMES[plan->scheme[param]];
    double std = scheme->law == SCHEME_CENTRED ? scheme_std(plan, param, shape) : 0;
    Rng rng = rng_stream(plan->seed, (uint64_t)param);
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->cols; j++) {
            uint64_t at = (uint64_t)i * (uint64_t)w->cols + (uint64_t)j;
            mat_row(w, i)[j] =
                (float)(std > 0 ? (double)mat_row(w, i)[j] / std : rng_normal(rng, at));
        }
}

static bool draw(StdGrid *grid, Err *err) {
    const StudyPlan *plan = &grid->plan;
    const SchemePlan *scheme = &plan->schemes[0].plan;
    StudyBench *bench = &grid->bench;
    if (!study_bench_fit(bench, plan, 0, err) ||
        !scheme_draw(bench->params, &plan->shape, scheme, err))
        return false;
    for (AttnParam p = ATTN_W_Q; p <= ATTN_W_K; p++)
        make_unit(&bench->params->p[p], scheme, &plan->shape, p);
    attn_output_gradient_draw(&bench->G, scheme->seed);
    if (!attn_fold(bench->trace, &plan->shape, bench->params, err))
        return false;
    attn_forward(bench->trace, &plan->shape, bench->params, plan->x, &plan->mask);
    mat_copy(&grid->dots, &bench->trace->S);
    return true;
}

/* Fill the points whose two indices have this sum: their standard deviations have the same product.
 * W_Q and W_K have standard deviation 1, and the factor of the scores includes the product, so the
 * scores are right. For W = σ·(unit W), dL/dW is dL/d(unit W)/σ. */
static void fill_product(StdGrid *grid, int sum) {
    const StudyPlan *plan = &grid->plan;
    StudyBench *bench = &grid->bench;
    AttnShape shape = plan->shape;
    double squares[ATTN_WEIGHT_COUNT];
    shape.score_factor *= (float)(std_grid_std(0) * std_grid_std(sum));
    attn_forward(bench->trace, &shape, bench->params, plan->x, &plan->mask);
    attn_backward(&bench->grads, bench->back, &shape, bench->params, bench->trace, plan->x,
                  &bench->G);
    double entropy = stats_mean_entropy(&bench->trace->A, &plan->mask);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        squares[p] = stats_sum_of_squares(&bench->grads.p[p]);
    for (int i = 0; i < STD_GRID_SIDE; i++) {
        int j = sum - i;
        if (j < 0 || j >= STD_GRID_SIDE)
            continue;
        double query = std_grid_std(i), key = std_grid_std(j);
        grid->entropy[i][j] = (float)entropy;
        grid->gradient[i][j] =
            (float)sqrt(squares[ATTN_W_Q] / (query * query) + squares[ATTN_W_K] / (key * key) +
                        squares[ATTN_W_V] + squares[ATTN_W_O]);
    }
}

static void work(Job *job) {
    StdGrid *grid = (StdGrid *)job;
    int done = atomic_load(&grid->done);
    if (done < 0) {
        atomic_store(&grid->failed, !draw(grid, &grid->err));
        if (!atomic_load(&grid->failed))
            atomic_store(&grid->done, done = 0);
    }
    while (done >= 0 && done < STD_GRID_PRODUCTS && job_goes_on(job)) {
        fill_product(grid, done);
        atomic_store(&grid->done, ++done);
    }
}

static void free_grid(Job *job) {
    StdGrid *grid = (StdGrid *)job;
    study_bench_release(&grid->bench);
    arena_release(&grid->arena);
    free(grid);
}

StdGrid *std_grid_create(const StudyPlan *plan, Err *err) {
    StdGrid *grid = heap_get_zero(1, sizeof *grid);
    StudyPlan own = *plan;
    own.shape.form = FORM_SEPARATE;
    own.shape.bias = BIAS_NONE;
    own.draws_x = false;
    own.layers = 1;
    own.parts = STUDY_BACKWARD;
    int T = own.shape.T, rows = own.shape.H * T;
    uint64_t scores = mat_bytes(rows, T);
    uint64_t bytes = scores + scores + study_plan_bytes(&own);
    if (grid == NULL || !arena_reserve(&grid->arena, bytes, err)) {
        err_fail(err, "memory", "too little for a map; close other programs");
        free(grid);
        return NULL;
    }
    grid->job = (Job){
        .work = work, .free = free_grid, .priority = JOB_FOLLOWS, .is_long = true, .threads = 1};
    study_plan_keep(&own, &grid->arena);
    grid->plan = own;
    grid->dots = mat_push(&grid->arena, rows, T);
    grid->weights = mat_push(&grid->arena, rows, T);
    atomic_store(&grid->done, -1);
    return grid;
}

void std_grid_weights(Mat *weights, const StdGrid *grid, double product) {
    const AttnShape *shape = &grid->plan.shape;
    for (int i = 0; i < weights->rows; i++) {
        const float *dots = mat_row(&grid->dots, i);
        float *row = mat_row(weights, i);
        for (int j = 0; j < shape->T; j++)
            row[j] = (float)product * dots[j];
    }
    for (int h = 0; h < shape->H; h++) {
        Mat head = attn_head_scores(weights, shape, h);
        softmax_rows(&head, &head, grid->plan.mask.open);
    }
}
