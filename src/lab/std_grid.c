#include "lab/std_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool reserve(StdGrid *grid, const AttnShape *shape, Err *err) {
    size_t bytes = mat_bytes_add(attn_params_bytes(shape), attn_trace_bytes(shape));
    bytes = mat_bytes_add(bytes, attn_grads_bytes(shape));
    bytes = mat_bytes_add(bytes, attn_back_bytes(shape));
    bytes = mat_bytes_add(bytes, mat_bytes(shape->T, shape->D)); /* G */
    bytes = mat_bytes_add(bytes, mat_bytes(shape->T, shape->D)); /* X */
    bytes = mat_bytes_add(bytes, arena_padded(sizeof(Mat)));
    bytes = mat_bytes_add(bytes, arena_padded((size_t)shape->T * (size_t)shape->T));
    bytes = mat_bytes_add(bytes, mat_bytes(shape->H * shape->T, shape->T)); /* dots */
    bytes = mat_bytes_add(bytes, mat_bytes(shape->H * shape->T, shape->T)); /* weights */
    if (bytes == SIZE_MAX)
        return err_fail(err, "map", "is too large for this many tokens; use fewer");
    return arena_reserve(&grid->arena, bytes, err);
}

/* Scale sampled weights to a standard deviation of 1, so that at the scheme's own point they equal
 * the scheme's. If the scheme is not random with mean 0, sample normals instead. */
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
    const AttnShape *shape = &grid->plan.shape;
    const SchemePlan plan = grid->plan.plan;
    if (!scheme_draw(&grid->params, shape, &plan, err))
        return false;
    make_unit(&grid->params.p[ATTN_W_Q], &plan, shape, ATTN_W_Q);
    make_unit(&grid->params.p[ATTN_W_K], &plan, shape, ATTN_W_K);
    attn_output_gradient_draw(&grid->G, plan.seed);
    if (!attn_fold(&grid->trace, shape, &grid->params, err))
        return false;
    attn_forward(&grid->trace, shape, &grid->params, grid->plan.x, &grid->plan.mask);
    mat_copy(&grid->dots, &grid->trace.S);
    return true;
}

/* Compute the pass for one product of standard deviations. W_Q and W_K have standard deviation 1,
 * and the factor of the scores includes the product, so the scores are right. The gradient of each
 * matrix is the one computed here, divided by the other's standard deviation. */
static void at_product(StdGrid *grid, double product) {
    AttnShape shape = grid->plan.shape;
    shape.score_factor *= (float)product;
    attn_forward(&grid->trace, &shape, &grid->params, grid->plan.x, &grid->plan.mask);
    attn_backward(&grid->grads, &grid->back, &shape, &grid->params, &grid->trace, grid->plan.x,
                  &grid->G);
}

/* For W with standard deviation σ, dL/dW is dL/d(unit W) divided by σ. */
static double gradient_at(const double squares[ATTN_WEIGHT_COUNT], double query, double key) {
    return sqrt(squares[ATTN_W_Q] / (query * query) + squares[ATTN_W_K] / (key * key) +
                squares[ATTN_W_V] + squares[ATTN_W_O]);
}

static void fill_product(StdGrid *grid, int sum) {
    double squares[ATTN_WEIGHT_COUNT];
    at_product(grid, std_grid_std(0) * std_grid_std(sum));
    double entropy = stats_mean_entropy(&grid->trace.A, &grid->plan.mask);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        squares[p] = stats_sum_of_squares(&grid->grads.p[p]);
    for (int i = 0; i < STD_GRID_SIDE; i++) {
        int j = sum - i;
        if (j < 0 || j >= STD_GRID_SIDE)
            continue;
        grid->entropy[i][j] = (float)entropy;
        grid->gradient[i][j] = (float)gradient_at(squares, std_grid_std(i), std_grid_std(j));
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

static void free_job(Job *job) {
    arena_release(&((StdGrid *)job)->arena);
    free(job);
}

StdGrid *std_grid_create(const StdGridPlan *plan, Err *err) {
    StdGrid *grid = heap_get_zero(1, sizeof *grid);
    if (grid == NULL) {
        err_fail(err, "memory", "too little for a map; close other programs");
        return NULL;
    }
    grid->job = (Job){
        .work = work, .free = free_job, .priority = JOB_FOLLOWS, .is_long = true, .threads = 1};
    grid->plan = *plan;
    grid->plan.shape.form = FORM_SEPARATE;
    grid->plan.shape.bias = BIAS_NONE;
    const AttnShape *shape = &grid->plan.shape;
    if (!reserve(grid, shape, err)) {
        free_job(&grid->job);
        return NULL;
    }
    grid->params = attn_params_push(&grid->arena, shape);
    grid->trace = attn_trace_push(&grid->arena, shape);
    grid->grads = attn_grads_push(&grid->arena, shape);
    grid->back = attn_back_push(&grid->arena, shape);
    grid->G = mat_push(&grid->arena, shape->T, shape->D);
    grid->dots = mat_push(&grid->arena, shape->H * shape->T, shape->T);
    grid->weights = mat_push(&grid->arena, shape->H * shape->T, shape->T);
    /* Copy what the plan borrows into the arena. */
    size_t pairs = (size_t)grid->plan.shape.T * (size_t)grid->plan.shape.T;
    Mat *x = arena_push(&grid->arena, sizeof *x);
    *x = mat_push(&grid->arena, grid->plan.x->rows, grid->plan.x->cols);
    mat_copy(x, grid->plan.x);
    grid->plan.x = x;
    grid->plan.mask.open = memcpy(arena_push(&grid->arena, pairs), grid->plan.mask.open, pairs);
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
