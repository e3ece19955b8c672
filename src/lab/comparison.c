#include "lab/comparison.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "model/theory/expect.h"
#include "model/theory/softmax_law.h"

static const Entry SPREAD_ROWS[SPREAD_COUNT] = {
    [SPREAD_S] = {"scores", "Scores S", "S = QKᵀ/√d_k",
                  "Between −1 and 1 the softmax stays soft; far beyond, it saturates."},
    [SPREAD_A] =
        {"weights", "Weights A", "A = softmax(S)",
         "Near an even share if no key is preferred, near 0 or 1 if the softmax saturates. The "
         "expected curve assumes that the scores and the log-odds of a weight are normal."},
    [SPREAD_Q] = {"queries", "Queries Q", "Q = X·W_Q", "Sums of d_model products."},
    [SPREAD_K] = {"keys", "Keys K", "K = X·W_K", "Sums of d_model products."},
    [SPREAD_W_Q] = {"w-q", "W_Q", "W_Q", "The initial weights."},
    [SPREAD_W_K] = {"w-k", "W_K", "W_K", "The initial weights."},
    [SPREAD_W_V] = {"w-v", "W_V", "W_V", "The initial weights."},
    [SPREAD_W_O] = {"w-o", "W_O", "W_O", "The initial weights."},
};
const Registry SPREADS = REGISTRY("spreads", "quantity", SPREAD_ROWS);

#define BENCH_BYTES (8u << 20) /* a larger StudyBench is freed after use */
/* Tolerance, in bins, because rounding may put a weight slightly above 1. */
#define ROUNDING 1e-3F
/* Random draws of the softmax: the standard error of the mean is 1/16 of one head's standard
 * deviation. */
#define SOFTMAX_DRAWS 256

void comparison_release(Comparison *comparison) {
    study_bench_release(&comparison->bench);
    arena_release(&comparison->weights_arena);
    *comparison = (Comparison){0};
}

static bool make_weights(Comparison *comparison, Err *err) {
    const StudyPlan *plan = &comparison->plan;
    int rows = plan->shape.H * plan->shape.T;
    uint64_t bytes = mat_bytes(rows, plan->shape.T);
    if (bytes > STUDY_BYTES_MAX / COMPARISON_MAX)
        return err_fail(err, "columns",
                        "take too much memory with this number of tokens and heads; use fewer");
    if (!arena_reserve(&comparison->weights_arena, bytes * (size_t)plan->scheme_count, err))
        return false;
    for (int i = 0; i < plan->scheme_count; i++)
        comparison->weights[i] = mat_push(&comparison->weights_arena, rows, plan->shape.T);
    return true;
}

static const Mat *matrix_of(const Comparison *comparison) {
    const AttnTrace *trace = &comparison->bench.trace[0];
    const Mat *const of_trace[] = {[SPREAD_S] = &trace->S,
                                   [SPREAD_A] = &trace->A,
                                   [SPREAD_Q] = &trace->Q,
                                   [SPREAD_K] = &trace->K};
    ComparisonSpread spread = comparison->spread;
    return spread < SPREAD_W_Q ? of_trace[spread]
                               : &comparison->bench.params[0].p[ATTN_W_Q + spread - SPREAD_W_Q];
}

/* Return the row of STUDY_STATS with the standard deviation of this quantity; -1 for A. */
static int stat_of(ComparisonSpread spread) {
    static const int of_trace[] = {[SPREAD_S] = STUDY_STD_S,
                                   [SPREAD_A] = -1,
                                   [SPREAD_Q] = STUDY_STD_Q,
                                   [SPREAD_K] = STUDY_STD_K};
    return spread < SPREAD_W_Q ? of_trace[spread] : STUDY_STD_W_Q + (int)(spread - SPREAD_W_Q);
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

static void find_range(ComparisonCounts *out, const Comparison *comparison, int column,
                       const Mat *m) {
    if (comparison->spread == SPREAD_A) {
        out->is_log = true;
        out->lo = powf(10, floorf(log10f(1e-3F / (float)comparison->plan.shape.T)));
        out->hi = 1;
        return;
    }
    double five = 5 * (double)comparison->values[column][stat_of(comparison->spread)];
    double reach = fmax(3.2 * out->expected.std, fmin((double)mat_largest(m) * 1.02, five));
    if (out->expected.kind == DISTRIBUTION_UNIFORM)
        reach = 2.2 * out->expected.std;
    out->hi = reach > 0 && reach < 1e30 ? (float)reach : 1;
    out->lo = -out->hi;
}

/* Return the place of a value in the range: 0 at lo, 1 at hi. */
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

/* Return the probability that a weight lies between from and to, in a row with this number of open
 * keys. others: law of the sum of exp(score) over the other keys. A single key has weight 1. */
static double chance_of(double from, double to, int keys, const SumLaw *others, double std) {
    if (keys == 1)
        return to >= 1 ? 1 : 0;
    return softmax_weight_below(to, others, std) - softmax_weight_below(from, others, std);
}

/* Set the expected curve of the weights of A, unless memory runs out. */
static void expect_curve(ComparisonCounts *out, const StudyPlan *plan, int column) {
    /* rows[n]: number of rows with n open keys */
    int T = plan->mask.T, *rows = heap_get_zero((size_t)T + 1, sizeof *rows);
    int *counts = heap_get_zero((size_t)T, sizeof *counts);
    /* others[n]: law of the sum of exp(score) over counts[n] keys */
    SumLaw *others = heap_get_zero((size_t)T, sizeof *others);
    bool made = rows != NULL && counts != NULL && others != NULL;
    double std = expect_scores(&plan->shape, &plan->schemes[column].plan), all = 0;
    for (int i = 0; made && i < T; i++) {
        int open = mask_open_keys(&plan->mask, i);
        all += open;
        rows[open]++;
        /* a row with n open keys uses others[n - 1], for n - 1 other keys; others[0] is not used */
        counts[i] = i > 0 ? i : 1;
    }
    if (made)
        softmax_sum_law(others, counts, T, std);
    for (int place = 0; made && place < COMPARISON_PLACES; place++) {
        double from, to, sum = 0;
        /* the ends of a bin around this point; at the edges of the range the bin is moved inside */
        double half = 0.5 / COMPARISON_BINS, at = (double)place / (COMPARISON_PLACES - 1);
        at = fmin(fmax(at, half), 1 - half);
        from = value_at(out, at - half);
        to = at + half < 1 ? value_at(out, at + half) : (double)out->hi;
        for (int n = 1; n <= T; n++)
            if (rows[n] > 0)
                sum += (double)rows[n] * n * chance_of(from, to, n, &others[n - 1], std);
        float share = (float)(sum / all);
        out->curve[place] = (float)((double)out->all * (double)share);
    }
    out->has_curve = made;
    free(rows);
    free(counts);
    free(others);
}

/* Fill comparison->counts of the column. The column's layer must be in comparison->bench, and its
 * statistics and expectations in the comparison. */
static void count_column(Comparison *comparison, int column) {
    ComparisonCounts *out = &comparison->counts[column];
    const Mat *m = matrix_of(comparison);
    const Mask *mask = &comparison->plan.mask;
    bool is_weights = comparison->spread == SPREAD_A;
    bool pairs = is_weights || comparison->spread == SPREAD_S;
    *out = (ComparisonCounts){.expected = expected_of(comparison, column)};
    find_range(out, comparison, column, m);
    for (int i = 0; i < m->rows; i++)
        count_row(out, mat_row(m, i), m->cols, pairs ? mask_row(mask, i % mask->T) : NULL);
    if (is_weights && comparison->expected[column][STUDY_STD_S] > 0)
        expect_curve(out, &comparison->plan, column);
    if (is_weights || out->expected.kind == DISTRIBUTION_NONE)
        return;
    double width = (double)(out->hi - out->lo) / COMPARISON_BINS;
    out->has_curve = true;
    for (int i = 0; i < COMPARISON_PLACES; i++) {
        double x = value_at(out, (double)i / (COMPARISON_PLACES - 1));
        double share = width * distribution_density(out->expected, x);
        out->curve[i] = (float)((double)out->all * share);
    }
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

static bool compute_column(Comparison *comparison, int i, Err *err) {
    StudyPlan plan = comparison->plan;
    const AttnParams *given = plan.schemes[i].given;
    if (given != NULL)
        memcpy(plan.given, given->p, sizeof plan.given);
    return study_compute(comparison->values[i], &comparison->bench, &plan, i, err);
}

static bool make_columns(Comparison *comparison, Err *err) {
    const StudyPlan *plan = &comparison->plan;
    if (!make_weights(comparison, err))
        return false;
    comparison->largest_A = 0;
    for (int i = 0; i < plan->scheme_count; i++) {
        study_expect(comparison->expected[i], plan, i, 0);
        if (!compute_column(comparison, i, err))
            return false;
        const Mat *A = &comparison->bench.trace[0].A;
        comparison_keep_weights(&comparison->weights[i], A, &plan->mask);
        comparison->largest_A = fmaxf(comparison->largest_A, mat_largest(A));
        comparison->heads_apart[i] =
            heads_apart(&comparison->bench.grads.p[ATTN_W_Q], &plan->shape);
        const StudyLayer layer = study_bench_layer(&comparison->bench, plan, 0);
        theory_of_layer(&comparison->theory[i], &layer, &plan->schemes[i].plan,
                        comparison->expected[i], (DrawRange){0, SOFTMAX_DRAWS});
        count_column(comparison, i);
    }
    return true;
}

bool comparison_make(Comparison *comparison, const StudyPlan *study, ComparisonSpread spread,
                     const Job *job, Err *err) {
    assert(study->scheme_count <= COMPARISON_MAX && study->layers == 1 && study->seeds == 1);
    comparison->plan = *study;
    comparison->spread = spread;
    comparison->bench.job = job;
    bool made = make_columns(comparison, err);
    comparison->bench.job = NULL;
    if (!made || comparison->bench.arena.capacity > BENCH_BYTES)
        study_bench_release(&comparison->bench);
    if (!made)
        comparison->plan.scheme_count = 0;
    return made;
}

void comparison_keep_weights(Mat *out, const Mat *A, const Mask *mask) {
    for (int row = 0; row < A->rows; row++) {
        const uint8_t *open = mask_row(mask, row % mask->T);
        const float *from = mat_row(A, row);
        float *to = mat_row(out, row);
        for (int j = 0; j < A->cols; j++)
            to[j] = open[j] ? from[j] : -INFINITY;
    }
}

Mat comparison_weights(const Comparison *comparison, int column, int head) {
    return attn_head_scores(&comparison->weights[column], &comparison->plan.shape, head);
}
