#include "lab/comparison_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "model/theory/expect.h"
#include "model/theory/softmax_law.h"

#define ROUNDING 1e-3F /* share of a bin: rounding may put a weight slightly above 1 */

static const Mat *matrix_of(const Comparison *comparison, ComparisonSpread spread) {
    const AttnTrace *trace = &comparison->bench.trace[0];
    const Mat *p = comparison->bench.params[0].p;
    const Mat *const matrices[SPREAD_COUNT] = {
        [SPREAD_S] = &trace->S,      [SPREAD_A] = &trace->A,      [SPREAD_Q] = &trace->Q,
        [SPREAD_K] = &trace->K,      [SPREAD_W_Q] = &p[ATTN_W_Q], [SPREAD_W_K] = &p[ATTN_W_K],
        [SPREAD_W_V] = &p[ATTN_W_V], [SPREAD_W_O] = &p[ATTN_W_O],
    };
    return matrices[spread];
}

/* Return the row of STUDY_STATS that is the standard deviation of these values, or -1. */
static int stat_of(ComparisonSpread spread) {
    static const int stats[SPREAD_COUNT] = {
        [SPREAD_S] = STUDY_STD_S,     [SPREAD_A] = -1,
        [SPREAD_Q] = STUDY_STD_Q,     [SPREAD_K] = STUDY_STD_K,
        [SPREAD_W_Q] = STUDY_STD_W_Q, [SPREAD_W_K] = STUDY_STD_W_K,
        [SPREAD_W_V] = STUDY_STD_W_V, [SPREAD_W_O] = STUDY_STD_W_O,
    };
    return stats[spread];
}

static Distribution expected_of(const Comparison *comparison, int column) {
    const StudyPlan *plan = &comparison->plan;
    ComparisonSpread spread = comparison->spread;
    int stat = stat_of(spread);
    Distribution none = {DISTRIBUTION_NONE, NAN};
    if (stat < 0)
        return none;
    double std = spread < SPREAD_W_Q ? comparison->theory[column].value[stat]
                                     : comparison->expected[column][stat];
    if (!(std > 0))
        return none;
    if (spread < SPREAD_W_Q)
        return (Distribution){DISTRIBUTION_NORMAL, std};
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

static void find_range(ComparisonCounts *out, const Comparison *comparison, int column,
                       const Mat *m) {
    if (comparison->spread == SPREAD_A) {
        out->is_log = true;
        out->lo = powf(10, floorf(log10f(1e-3F / (float)comparison->plan.shape.T)));
        out->hi = 1;
        return;
    }
    double five = 5 * (double)comparison->values[column][stat_of(comparison->spread)];
    double reach = fmax(3.2 * out->expected.std, fmin(furthest(m) * 1.02, five));
    if (out->expected.kind == DISTRIBUTION_UNIFORM)
        reach = 2.2 * out->expected.std;
    out->hi = reach > 0 && reach < 1e30 ? (float)reach : 1;
    out->lo = -out->hi;
}

/* Return the position of a value in the range: 0 at lo, 1 at hi. */
static float share_of_range(const ComparisonCounts *of, float value) {
    return of->is_log ? logf(value / of->lo) / logf(of->hi / of->lo)
                      : (value - of->lo) / (of->hi - of->lo);
}

static void count_row(ComparisonCounts *out, const float *row, int count, const uint8_t *open) {
    for (int j = 0; j < count; j++) {
        if (open != NULL && !open[j])
            continue;
        float at = share_of_range(out, row[j]) * COMPARISON_BINS;
        out->all++;
        if (at >= 0 && at <= COMPARISON_BINS + ROUNDING)
            out->counts[at < COMPARISON_BINS ? (int)at : COMPARISON_BINS - 1]++;
        else
            out->outside++;
    }
}

static double value_at(const ComparisonCounts *of, double share) {
    double lo = (double)of->lo, hi = (double)of->hi;
    return of->is_log ? lo * pow(hi / lo, share) : lo + (hi - lo) * share;
}

/* Return the number of rows with k open keys, for k from 0 to T. Owned by the caller; NULL if
 * memory runs out. */
static int *count_rows(const Mask *mask) {
    int *rows = heap_get_zero((size_t)mask->T + 1, sizeof *rows);
    for (int i = 0; rows != NULL && i < mask->T; i++) {
        int open = 0;
        for (int j = 0; j < mask->T; j++)
            open += mask_row(mask, i)[j] != 0;
        rows[open]++;
    }
    return rows;
}

/* Return the probability of a weight between from and to, in a row with this number of keys. A
 * single key has weight 1. */
static double chance_of(double from, double to, int keys, const SumLaw *others, double std) {
    if (keys == 1)
        return to >= 1 ? 1 : 0;
    return softmax_weight_below(to, others, std) - softmax_weight_below(from, others, std);
}

/* Fill out with the average over all rows. others[k] is the law of the sum over k other scores. */
static void add_rows(ComparisonShares *out, const ComparisonCounts *of, const int *rows, int T,
                     const SumLaw *others, double std) {
    double all = 0;
    for (int n = 1; n <= T; n++)
        all += (double)rows[n] * n;
    for (int place = 0; place < COMPARISON_PLACES && all > 0; place++) {
        double from, to, sum = 0;
        /* Find the ends of the bin centred at a place, moved inside the range. */
        double half = 0.5 / COMPARISON_BINS, at = (double)place / (COMPARISON_PLACES - 1);
        at = fmin(fmax(at, half), 1 - half);
        from = value_at(of, at - half);
        to = at + half < 1 ? value_at(of, at + half) : (double)of->hi;
        for (int n = 1; n <= T; n++)
            if (rows[n] > 0)
                sum += (double)rows[n] * n * chance_of(from, to, n, &others[n - 1], std);
        out->at[place] = (float)(sum / all);
    }
}

/* Compute the shares for a softmax of normal scores with this standard deviation. Return false if
 * memory runs out. */
static bool make_shares(ComparisonShares *out, const ComparisonCounts *of, const Mask *mask,
                        double std) {
    int T = mask->T, *rows = count_rows(mask), *scores = heap_get_zero((size_t)T, sizeof *scores);
    SumLaw *others = heap_get_zero((size_t)T, sizeof *others);
    bool made = rows != NULL && scores != NULL && others != NULL;
    if (made) {
        for (int i = 1; i < T; i++)
            scores[i] = i;
        scores[0] = 1; /* a single key has no other scores, and this law is not used */
        softmax_sum_law(others, scores, T, std);
        add_rows(out, of, rows, T, others, std);
    }
    free(rows);
    free(scores);
    free(others);
    return made;
}

/* Compute the expected shares if their inputs have changed, which edits rarely do. */
static bool find_shares(Comparison *comparison, int column) {
    const StudyPlan *plan = &comparison->plan;
    ComparisonShares *shares = &comparison->shares[column];
    double std = expect_scores(&plan->shape, &plan->schemes[column].plan);
    if (!(comparison->expected[column][STUDY_STD_S] > 0))
        return false;
    uint64_t T = (uint64_t)plan->mask.T, of[3] = {rng_hash(plan->mask.open, T * T), T, 0};
    memcpy(&of[2], &std, sizeof std);
    uint64_t key = rng_hash(of, sizeof of) | 1;
    if (shares->of != key)
        shares->of = make_shares(shares, &comparison->counts[column], &plan->mask, std) ? key : 0;
    return shares->of == key;
}

static void find_curve(Comparison *comparison, int column) {
    ComparisonCounts *out = &comparison->counts[column];
    bool is_weights = comparison->spread == SPREAD_A;
    const ComparisonShares *shares = &comparison->shares[column];
    double width = (double)(out->hi - out->lo) / COMPARISON_BINS;
    out->has_curve =
        is_weights ? find_shares(comparison, column) : out->expected.kind != DISTRIBUTION_NONE;
    for (int i = 0; out->has_curve && i < COMPARISON_PLACES; i++) {
        double x = value_at(out, (double)i / (COMPARISON_PLACES - 1));
        double share =
            is_weights ? (double)shares->at[i] : width * distribution_density(out->expected, x);
        out->curve[i] = (float)((double)out->all * share);
    }
}

void comparison_count(Comparison *comparison, int column) {
    ComparisonCounts *out = &comparison->counts[column];
    const Mat *m = matrix_of(comparison, comparison->spread);
    const StudyPlan *plan = &comparison->plan;
    bool pairs = comparison->spread == SPREAD_S || comparison->spread == SPREAD_A;
    *out = (ComparisonCounts){.expected = expected_of(comparison, column)};
    find_range(out, comparison, column, m);
    for (int i = 0; i < m->rows; i++)
        count_row(out, mat_row(m, i), m->cols,
                  pairs ? mask_row(&plan->mask, i % plan->shape.T) : NULL);
    find_curve(comparison, column);
}
