#include "lab/comparison.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "lab/comparison_counts.h"

static const Entry SPREAD_ROWS[SPREAD_COUNT] = {
    [SPREAD_S] = {"scores", "Scores S", "S = QKᵀ/√d_k",
                  "Between −1 and 1 the softmax stays soft; far beyond, it saturates."},
    [SPREAD_A] = {"weights", "Weights A", "A = softmax(S)",
                  "All near 1/T if no key is preferred; near 0 and 1 if the softmax saturates. "
                  "Expected: of normal scores, the logarithm of a weight's odds taken as normal."},
    [SPREAD_Q] = {"queries", "Queries Q", "Q = X·W_Q", "Sums of d_model products."},
    [SPREAD_K] = {"keys", "Keys K", "K = X·W_K", "Sums of d_model products."},
    [SPREAD_W_Q] = {"w-q", "W_Q", "W_Q", "The initial weights."},
    [SPREAD_W_K] = {"w-k", "W_K", "W_K", "The initial weights."},
    [SPREAD_W_V] = {"w-v", "W_V", "W_V", "The initial weights."},
    [SPREAD_W_O] = {"w-o", "W_O", "W_O", "The initial weights."},
};
const Registry SPREADS = REGISTRY("spreads", "quantity", SPREAD_ROWS);

#define DRAWN_BYTES   (16u << 20) /* most bytes of sampled parameters kept for all columns */
#define BENCH_BYTES   (8u << 20)  /* a larger bench is freed after use */
#define SOFTMAX_DRAWS 256         /* mean is off by 1/16 of one head's standard deviation */

void comparison_release(Comparison *comparison) {
    study_bench_release(&comparison->bench);
    arena_release(&comparison->weights_arena);
    arena_release(&comparison->drawn_arena);
    *comparison = (Comparison){0};
}

/* True if a bench for plan a also has the right size for plan b. */
static bool same_room(const StudyPlan *a, const StudyPlan *b) {
    return attn_shape_equal(&a->shape, &b->shape) && a->draws_x == b->draws_x &&
           ((a->parts ^ b->parts) & STUDY_BACKWARD) == 0;
}

static bool make_bench(Comparison *comparison, const StudyPlan *plan, Err *err) {
    if (comparison->bench.params != NULL && same_room(&comparison->bench_plan, plan))
        return true;
    study_bench_release(&comparison->bench);
    comparison->bench_plan = *plan;
    return study_bench_init(&comparison->bench, plan, err);
}

static bool make_weights(Comparison *comparison, const StudyPlan *plan, Err *err) {
    int rows = plan->shape.H * plan->shape.T;
    size_t bytes = mat_bytes(rows, plan->shape.T);
    if (bytes > STUDY_BYTES_MAX / COMPARISON_MAX)
        return err_fail(err, "columns",
                        "of this many tokens and heads are too large to be shown side by side");
    if (!arena_reserve(&comparison->weights_arena, bytes * (size_t)plan->scheme_count, err))
        return false;
    for (int i = 0; i < plan->scheme_count; i++)
        comparison->weights[i] = mat_push(&comparison->weights_arena, rows, plan->shape.T);
    return true;
}

/* Reserve memory to keep the sampled parameters. If they are too large, keep none and sample them
 * each time. */
static void make_drawn(Comparison *comparison, const StudyPlan *plan) {
    Err err;
    /* Sampled weights don't depend on T, scaling or block, so normalise these. */
    AttnShape shape = plan->shape;
    shape.T = 1;
    shape.score_factor = 1;
    shape.block = BLOCK_ATTENTION;
    size_t bytes = attn_params_bytes(&shape);
    if (attn_shape_equal(&shape, &comparison->drawn_shape))
        return;
    comparison->drawn_shape = shape;
    memset(comparison->drawn_of, 0, sizeof comparison->drawn_of);
    memset(comparison->drawn, 0, sizeof comparison->drawn);
    if (bytes > DRAWN_BYTES / COMPARISON_MAX ||
        !arena_reserve(&comparison->drawn_arena, bytes * COMPARISON_MAX, &err)) {
        arena_release(&comparison->drawn_arena);
        return;
    }
    for (int i = 0; i < COMPARISON_MAX; i++)
        comparison->drawn[i] = attn_params_push(&comparison->drawn_arena, &shape);
}

static float largest_of(const Mat *m) {
    float most = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            most = mat_row(m, i)[j] > most ? mat_row(m, i)[j] : most;
    return most;
}

static float heads_apart(const Mat *gradient, const AttnShape *shape) {
    if (gradient->rows == 0 || shape->H < 2)
        return NAN;
    Mat first = attn_head_query(gradient, shape, 0);
    float apart = 0;
    for (int h = 1; h < shape->H; h++) {
        Mat other = attn_head_query(gradient, shape, h);
        apart = fmaxf(apart, mat_max_difference(&first, &other));
    }
    return apart / mat_largest(gradient);
}

static bool gives_any(const StudyPlan *plan) {
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            return true;
    return false;
}

/* Return a hash of what the samples follow from; 0 if a file gives some parameters, or if the
 * samples are too large to be stored. */
static uint64_t drawn_key(const Comparison *comparison, const StudyPlan *plan, int column) {
    const SchemePlan *scheme = &plan->schemes[column].plan;
    struct {
        int schemes[ATTN_WEIGHT_COUNT], depth;
        uint64_t seed;
    } key;
    if (comparison->drawn_arena.bytes == NULL || gives_any(plan))
        return 0;
    memset(&key, 0, sizeof key);
    memcpy(key.schemes, scheme->scheme, sizeof key.schemes);
    key.depth = scheme->depth;
    key.seed = scheme->seed;
    return rng_hash(&key, sizeof key) | 1;
}

static void params_copy(AttnParams *to, const AttnParams *from) {
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (from->p[p].rows > 0)
            mat_copy(&to->p[p], &from->p[p]);
}

static bool compute_column(Comparison *comparison, int i, const AttnParams *given, const Job *job,
                           Err *err) {
    StudyPlan plan = comparison->plan;
    if (given != NULL)
        memcpy(plan.given, given->p, sizeof plan.given);
    uint64_t key = drawn_key(comparison, &plan, i);
    bool has = key != 0 && key == comparison->drawn_of[i];
    if (has)
        memcpy(plan.given, comparison->drawn[i].p, sizeof plan.given);
    comparison->bench.job = job;
    if (!study_compute(comparison->values[i], &comparison->bench, &plan, i, err))
        return false;
    if (key != 0 && !has)
        params_copy(&comparison->drawn[i], &comparison->bench.params[0]);
    comparison->drawn_of[i] = key;
    return true;
}

/* Return a hash of the inputs of theory. It omits the seed; of given matrices it only depends on
 * which are given. */
static uint64_t expected_key(const StudyPlan *plan, int column) {
    const SchemePlan *scheme = &plan->schemes[column].plan;
    struct {
        uint64_t shape, open;
        int schemes[ATTN_WEIGHT_COUNT], depth, given[ATTN_PARAM_COUNT];
    } key;
    memset(&key, 0, sizeof key);
    key.shape = attn_shape_hash(&plan->shape);
    key.open = rng_hash(plan->mask.open, (uint64_t)plan->mask.T * (uint64_t)plan->mask.T);
    memcpy(key.schemes, scheme->scheme, sizeof key.schemes);
    key.depth = scheme->depth;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        key.given[p] = plan->given[p].rows;
    return rng_hash(&key, sizeof key);
}

/* Compute the expectations whose inputs have changed, because they take longer than a column itself
 * and an edit rarely changes them. */
static void expect_columns(Comparison *comparison) {
    for (int i = 0; i < comparison->plan.scheme_count; i++) {
        uint64_t key = expected_key(&comparison->plan, i);
        if (key != comparison->expected_of[i])
            study_expect(comparison->expected[i], &comparison->plan, i, 0);
        comparison->expected_of[i] = key;
    }
}

/* Compute what theory expects on this X, for the column that is in the bench. */
static void give_column(Comparison *comparison, int column) {
    const StudyPlan *plan = &comparison->plan;
    StudyLayer layer = {.shape = &plan->shape,
                        .params = &comparison->bench.params[0],
                        .trace = &comparison->bench.trace[0],
                        .x = plan->draws_x ? &comparison->bench.x : plan->x,
                        .mask = &plan->mask};
    theory_of_layer(&comparison->theory[column], &layer, &plan->schemes[column].plan,
                    comparison->expected[column], (DrawRange){0, SOFTMAX_DRAWS});
}

static bool make_columns(Comparison *comparison, const ComparisonPlan *plan, const Job *job,
                         Err *err) {
    if (!make_bench(comparison, plan->study, err) || !make_weights(comparison, plan->study, err))
        return false;
    make_drawn(comparison, plan->study);
    expect_columns(comparison);
    comparison->largest_A = 0;
    for (int i = 0; i < plan->study->scheme_count; i++) {
        const AttnParams *given = plan->given != NULL ? plan->given[i] : NULL;
        if (!compute_column(comparison, i, given, job, err))
            return false;
        const Mat *A = &comparison->bench.trace[0].A;
        mat_copy(&comparison->weights[i], A);
        comparison->largest_A = fmaxf(comparison->largest_A, largest_of(A));
        comparison->heads_apart[i] =
            heads_apart(&comparison->bench.grads.p[ATTN_W_Q], &plan->study->shape);
        give_column(comparison, i);
        comparison_count(comparison, i);
    }
    return true;
}

bool comparison_make(Comparison *comparison, const ComparisonPlan *plan, const Job *job, Err *err) {
    const StudyPlan *study = plan->study;
    assert(study->scheme_count <= COMPARISON_MAX && study->layers == 1 && study->seeds == 1);
    comparison->plan = *study;
    comparison->spread = plan->spread;
    bool made = make_columns(comparison, plan, job, err);
    comparison->bench.job = NULL;
    if (!made || comparison->bench.arena.capacity > BENCH_BYTES)
        study_bench_release(&comparison->bench);
    if (!made)
        comparison->plan.scheme_count = 0;
    return made;
}

Mat comparison_weights(const Comparison *comparison, int column, int head) {
    return attn_head_scores(&comparison->weights[column], &comparison->plan.shape, head);
}
