#include "lab/lineup.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/stats.h"

static const Entry SPREAD_ROWS[SPREAD_COUNT] = {
    [SPREAD_S] = {"scores", "Scores S", "S = QKᵀ/√d_k",
                  "Between −1 and 1 the softmax stays soft; far beyond, it saturates."},
    [SPREAD_A] = {"weights", "Weights A", "A = softmax(S)",
                  "All near 1/T where nothing is preferred; near 0 and 1 where it saturates."},
    [SPREAD_Q] = {"queries", "Queries Q", "Q = X·W_Q", "Sums of d_model products."},
    [SPREAD_K] = {"keys", "Keys K", "K = X·W_K", "Sums of d_model products."},
    [SPREAD_W_Q] = {"w-q", "W_Q", "W_Q", "As they were drawn."},
    [SPREAD_W_K] = {"w-k", "W_K", "W_K", "As they were drawn."},
    [SPREAD_W_V] = {"w-v", "W_V", "W_V", "As they were drawn."},
    [SPREAD_W_O] = {"w-o", "W_O", "W_O", "As they were drawn."},
};
const Registry SPREADS = {"spreads", "quantity", SPREAD_ROWS, sizeof SPREAD_ROWS[0],
                          ARRAY_COUNT(SPREAD_ROWS)};

void lineup_release(Lineup *lineup) {
    for (int i = 0; i < lineup->benches; i++)
        study_bench_release(&lineup->bench[i]);
    *lineup = (Lineup){0};
}

/* What the room of a bench depends on. */
static bool same_room(const StudyPlan *a, const StudyPlan *b) {
    return memcmp(&a->shape, &b->shape, sizeof a->shape) == 0 && a->draws_x == b->draws_x &&
           ((a->parts ^ b->parts) & STUDY_BACKWARD) == 0;
}

static bool make_room(Lineup *lineup, const StudyPlan *plan, Err *err) {
    if (!same_room(&lineup->plan, plan))
        lineup_release(lineup);
    lineup->plan = *plan;
    for (; lineup->benches < plan->scheme_count; lineup->benches++)
        if (!study_bench_init(&lineup->bench[lineup->benches], plan, err))
            return false;
    return true;
}

static float largest_of(const Mat *m) {
    float most = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            most = mat_row(m, i)[j] > most ? mat_row(m, i)[j] : most;
    return most;
}

static bool make_column(Lineup *lineup, int i, const AttnParams *given, Err *err) {
    StudyPlan plan = lineup->plan;
    if (given != NULL)
        memcpy(plan.given, given->p, sizeof plan.given);
    return study_compute(lineup->values[i], &lineup->bench[i], &plan, i, err);
}

/* The seed is no part of it; given matrices count by their being there. */
static uint64_t expected_key(const StudyPlan *plan, int column) {
    const SchemePlan *scheme = &plan->schemes[column].plan;
    struct {
        AttnShape shape;
        uint64_t open;
        int schemes[ATTN_WEIGHT_COUNT], depth, given[ATTN_PARAM_COUNT];
    } key;
    memset(&key, 0, sizeof key);
    key.shape = plan->shape;
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

bool lineup_make(Lineup *lineup, const StudyPlan *plan, const AttnParams *const *given, Err *err) {
    assert(plan->scheme_count <= LINEUP_MAX && plan->layers == 1 && plan->seeds == 1);
    bool made = make_room(lineup, plan, err);
    expect_columns(lineup);
    for (int i = 0; made && i < plan->scheme_count; i++)
        made = make_column(lineup, i, given != NULL ? given[i] : NULL, err);
    lineup->largest_A = 0;
    for (int i = 0; made && i < plan->scheme_count; i++)
        lineup->largest_A = fmaxf(lineup->largest_A, largest_of(&lineup->bench[i].trace[0].A));
    if (!made)
        lineup->plan.scheme_count = 0;
    return made;
}

static const Mat *matrix_of(const Lineup *lineup, int column, LineupSpread spread) {
    const AttnTrace *trace = lineup_trace(lineup, column);
    const Mat *p = lineup_params(lineup, column)->p;
    const Mat *const matrices[SPREAD_COUNT] = {
        [SPREAD_S] = &trace->S,      [SPREAD_A] = &trace->A,      [SPREAD_Q] = &trace->Q,
        [SPREAD_K] = &trace->K,      [SPREAD_W_Q] = &p[ATTN_W_Q], [SPREAD_W_K] = &p[ATTN_W_K],
        [SPREAD_W_V] = &p[ATTN_W_V], [SPREAD_W_O] = &p[ATTN_W_O],
    };
    return matrices[spread];
}

/* The row of STUDY_STATS that has the deviation, or -1. */
static int stat_of(LineupSpread spread) {
    static const int stats[SPREAD_COUNT] = {
        [SPREAD_S] = STUDY_STD_S,     [SPREAD_A] = -1,
        [SPREAD_Q] = STUDY_STD_Q,     [SPREAD_K] = STUDY_STD_K,
        [SPREAD_W_Q] = STUDY_STD_W_Q, [SPREAD_W_K] = STUDY_STD_W_K,
        [SPREAD_W_V] = STUDY_STD_W_V, [SPREAD_W_O] = STUDY_STD_W_O,
    };
    return stats[spread];
}

Distribution lineup_expected(const Lineup *lineup, int column, LineupSpread spread) {
    const StudyPlan *plan = &lineup->plan;
    int stat = stat_of(spread);
    Distribution none = {DISTRIBUTION_NONE, NAN};
    if (stat < 0)
        return none;
    double deviation = lineup->expected[column][stat];
    if (!(deviation > 0))
        return none;
    if (spread < SPREAD_W_Q)
        return (Distribution){DISTRIBUTION_NORMAL, deviation};
    if (plan->shape.form == FORM_NESTED && spread != SPREAD_W_O)
        return none;
    AttnParam param = (AttnParam)(spread - SPREAD_W_Q + ATTN_W_Q);
    return scheme_distribution(&plan->schemes[column].plan, param, &plan->shape);
}

static double furthest(const Mat *m) {
    float most = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            most = fmaxf(most, fabsf(mat_row(m, i)[j]));
    return (double)most;
}

void lineup_range(float *lo, float *hi, const Lineup *lineup, int column, LineupSpread spread) {
    if (spread == SPREAD_A) {
        *lo = 0;
        *hi = 1;
        return;
    }
    Distribution expected = lineup_expected(lineup, column, spread);
    double five = 5 * (double)lineup->values[column][stat_of(spread)];
    double reach = fmax(3.2 * expected.deviation,
                        fmin(furthest(matrix_of(lineup, column, spread)) * 1.02, five));
    if (expected.kind == DISTRIBUTION_UNIFORM)
        reach = 2.2 * expected.deviation;
    *hi = reach > 0 && reach < 1e30 ? (float)reach : 1;
    *lo = -*hi;
}

long lineup_count(float *counts, int bins, float lo, float hi, long *outside, const Lineup *lineup,
                  int column, LineupSpread spread) {
    const Mat *m = matrix_of(lineup, column, spread);
    const Mask *mask = &lineup->plan.mask;
    bool pairs = spread == SPREAD_S || spread == SPREAD_A;
    long all = 0;
    *outside = 0;
    memset(counts, 0, (size_t)bins * sizeof *counts);
    for (int i = 0; i < m->rows; i++) {
        const uint8_t *open = pairs ? mask_row(mask, i % lineup->plan.shape.T) : NULL;
        for (int j = 0; j < m->cols; j++) {
            float at = (mat_row(m, i)[j] - lo) / (hi - lo) * (float)bins;
            if (open != NULL && !open[j])
                continue;
            all++;
            if (at >= 0 && at <= (float)bins)
                counts[at < (float)bins ? (int)at : bins - 1]++;
            else
                (*outside)++;
        }
    }
    return all;
}
