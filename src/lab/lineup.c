#include "lab/lineup.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "lab/lineup_counts.h"
#include "model/stats.h"

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
const Registry SPREADS = {"spreads", "quantity", SPREAD_ROWS, sizeof SPREAD_ROWS[0],
                          ARRAY_COUNT(SPREAD_ROWS)};

#define DRAWN_BYTES (16u << 20) /* of all columns' drawn parameters that are kept */
#define BENCH_BYTES (8u << 20)  /* of the bench, which is given back where it is larger */

void lineup_release(Lineup *lineup) {
    study_bench_release(&lineup->bench);
    arena_release(&lineup->weights_arena);
    arena_release(&lineup->drawn_arena);
    *lineup = (Lineup){0};
}

/* What the room of a bench depends on. */
static bool same_room(const StudyPlan *a, const StudyPlan *b) {
    return attn_shape_equal(&a->shape, &b->shape) && a->draws_x == b->draws_x &&
           ((a->parts ^ b->parts) & STUDY_BACKWARD) == 0;
}

static bool make_bench(Lineup *lineup, const StudyPlan *plan, Err *err) {
    if (lineup->bench.params != NULL && same_room(&lineup->bench_plan, plan))
        return true;
    study_bench_release(&lineup->bench);
    lineup->bench_plan = *plan;
    return study_bench_init(&lineup->bench, plan, err);
}

static bool make_weights(Lineup *lineup, const StudyPlan *plan, Err *err) {
    int rows = plan->shape.H * plan->shape.T;
    size_t bytes = mat_bytes(rows, plan->shape.T);
    if (bytes > STUDY_BYTES_MAX / LINEUP_MAX)
        return err_fail(err, "columns",
                        "of this many tokens and heads are too large to be shown side by side");
    if (!arena_reserve(&lineup->weights_arena, bytes * (size_t)plan->scheme_count, err))
        return false;
    for (int i = 0; i < plan->scheme_count; i++)
        lineup->weights[i] = mat_push(&lineup->weights_arena, rows, plan->shape.T);
    return true;
}

/* The tokens have no part in what is drawn, nor does what is done with it. */
static AttnShape shape_of_drawn(const AttnShape *shape) {
    AttnShape out = *shape;
    out.T = 1;
    out.score_factor = 1;
    out.block = BLOCK_ATTENTION;
    return out;
}

/* Room for what is drawn, or none where that is large; without it everything is drawn each time. */
static void make_drawn(Lineup *lineup, const StudyPlan *plan) {
    Err err;
    AttnShape shape = shape_of_drawn(&plan->shape);
    size_t bytes = attn_params_bytes(&shape);
    if (attn_shape_equal(&shape, &lineup->drawn_shape))
        return;
    lineup->drawn_shape = shape;
    memset(lineup->drawn_of, 0, sizeof lineup->drawn_of);
    memset(lineup->drawn, 0, sizeof lineup->drawn);
    if (bytes > DRAWN_BYTES / LINEUP_MAX ||
        !arena_reserve(&lineup->drawn_arena, bytes * LINEUP_MAX, &err)) {
        arena_release(&lineup->drawn_arena);
        return;
    }
    for (int i = 0; i < LINEUP_MAX; i++)
        lineup->drawn[i] = attn_params_push(&lineup->drawn_arena, &shape);
}

static float largest_of(const Mat *m) {
    float most = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            most = mat_row(m, i)[j] > most ? mat_row(m, i)[j] : most;
    return most;
}

static bool gives_any(const StudyPlan *plan) {
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            return true;
    return false;
}

/* Of the parameters as they are drawn; 0 where they are given, or there is no room to keep them. */
static uint64_t drawn_key(const Lineup *lineup, const StudyPlan *plan, int column) {
    const SchemePlan *scheme = &plan->schemes[column].plan;
    struct {
        int schemes[ATTN_WEIGHT_COUNT], depth;
        uint64_t seed;
    } key;
    if (lineup->drawn_arena.bytes == NULL || gives_any(plan))
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

/* In the bench. */
static bool compute_column(Lineup *lineup, int i, const AttnParams *given, JobWatch *watch,
                           Err *err) {
    StudyPlan plan = lineup->plan;
    if (given != NULL)
        memcpy(plan.given, given->p, sizeof plan.given);
    uint64_t key = drawn_key(lineup, &plan, i);
    bool has = key != 0 && key == lineup->drawn_of[i];
    if (has)
        memcpy(plan.given, lineup->drawn[i].p, sizeof plan.given);
    int passes = study_unit_passes(&plan);
    double steps = study_steps(&plan) / (passes * plan.scheme_count);
    lineup->bench.watch = watch;
    for (int pass = 0; pass < passes; pass++) {
        double before = job_done(watch);
        if (!study_compute_pass(lineup->values[i], &lineup->bench, &plan, i, pass, err) ||
            !job_step_rest(watch, before, steps))
            return false;
    }
    if (key != 0 && !has)
        params_copy(&lineup->drawn[i], &lineup->bench.params[0]);
    lineup->drawn_of[i] = key;
    return true;
}

/* The seed is no part of it; given matrices count by their being there. */
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

/* Theory takes longer than a column itself, and a keystroke seldom changes it. */
static void expect_columns(Lineup *lineup) {
    for (int i = 0; i < lineup->plan.scheme_count; i++) {
        uint64_t key = expected_key(&lineup->plan, i);
        if (key != lineup->expected_of[i])
            study_expect(lineup->expected[i], &lineup->plan, i, 0);
        lineup->expected_of[i] = key;
    }
}

/* Of the column that is in the bench. */
static void give_column(Lineup *lineup, int column) {
    const StudyPlan *plan = &lineup->plan;
    StudyLayer layer = {.shape = &plan->shape,
                        .params = &lineup->bench.params[0],
                        .trace = &lineup->bench.trace[0],
                        .x = plan->draws_x ? &lineup->bench.x : plan->x,
                        .mask = &plan->mask};
    given_layer(&lineup->given[column], &layer, &plan->schemes[column].plan,
                lineup->expected[column]);
}

static bool make_columns(Lineup *lineup, const LineupPlan *plan, JobWatch *watch, Err *err) {
    if (!make_bench(lineup, plan->study, err) || !make_weights(lineup, plan->study, err))
        return false;
    make_drawn(lineup, plan->study);
    expect_columns(lineup);
    lineup->largest_A = 0;
    for (int i = 0; i < plan->study->scheme_count; i++) {
        const AttnParams *given = plan->given != NULL ? plan->given[i] : NULL;
        if (!compute_column(lineup, i, given, watch, err))
            return false;
        const Mat *A = &lineup->bench.trace[0].A;
        mat_copy(&lineup->weights[i], A);
        lineup->largest_A = fmaxf(lineup->largest_A, largest_of(A));
        give_column(lineup, i);
        lineup_count(lineup, i);
    }
    return true;
}

bool lineup_make(Lineup *lineup, const LineupPlan *plan, JobWatch *watch, Err *err) {
    const StudyPlan *study = plan->study;
    assert(study->scheme_count <= LINEUP_MAX && study->layers == 1 && study->seeds == 1);
    lineup->plan = *study;
    lineup->spread = plan->spread;
    bool made = make_columns(lineup, plan, watch, err);
    lineup->bench.watch = NULL;
    if (!made || lineup->bench.arena.capacity > BENCH_BYTES)
        study_bench_release(&lineup->bench);
    if (!made)
        lineup->plan.scheme_count = 0;
    return made;
}

Mat lineup_weights(const Lineup *lineup, int column, int head) {
    return attn_head_scores(&lineup->weights[column], &lineup->plan.shape, head);
}
