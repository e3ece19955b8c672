#include "model/analysis/head_pattern.h"

#include <math.h>

#include "math/softmax.h"
#include "model/attention/task.h"

static const Entry ROWS[] = {
    [PATTERN_PREVIOUS] = {"previous", "previous token", "mean A_{i,i−1}",
                          "Mean weight on the token just before."},
    [PATTERN_SELF] = {"self", "self", "mean A_{i,i}", "Mean weight of each token on itself."},
    [PATTERN_FIRST] = {"first", "first token", "mean A_{i,1}", "Mean weight on the first token."},
    [PATTERN_INDUCTION] =
        {"induction", "induction", "mean A_{i,j+1}, word_j = word_i",
         "Mean weight on the token that came after the previous occurrence of the same token."},
    [PATTERN_SPREAD] = {"spread", "spread", "mean H(A_i) / ln n_i",
                        "Entropy of a row as a share of its largest possible value."},
    [PATTERN_CONTENT] = {"content", "content", "corr(n_i A_{i,j}, cos(x_i, x_j))",
                         "Correlation of the weights with the similarity of the tokens' vectors."},
};
const Registry HEAD_PATTERNS = REGISTRY("roles", "role", ROWS);

double head_pattern_excess(const HeadPatternMeasure *m) {
    return m->chance < 1 ? (m->value - m->chance) / (1 - m->chance) : NAN;
}

/* Mean and variance of a measure over random rows (see head_pattern.h). */
typedef struct Chance {
    double mean, variance;
} Chance;

/* Sums over rows: of a measure, and of the measure's mean and variance in random rows. */
typedef struct Tally {
    double value, mean, variance;
    int count;
} Tally;

static void tally(Tally *t, double value, Chance chance) {
    t->value += value;
    t->mean += chance.mean;
    t->variance += chance.variance;
    t->count++;
}

static HeadPatternMeasure tally_mean(const Tally *t) {
    if (t->count == 0)
        return (HeadPatternMeasure){NAN, NAN};
    return (HeadPatternMeasure){t->value / t->count, (t->mean + 2 * sqrt(t->variance)) / t->count};
}

/* Sums for a correlation. The first pair (a0, b0) is subtracted from all pairs to avoid
 * cancellation. */
typedef struct Pairs {
    double a0, b0, a, b, aa, bb, ab;
    long long count;
} Pairs;

static void pairs_add(Pairs *p, double a, double b) {
    if (p->count == 0) {
        p->a0 = a;
        p->b0 = b;
    }
    a -= p->a0;
    b -= p->b0;
    p->a += a;
    p->b += b;
    p->aa += a * a;
    p->bb += b * b;
    p->ab += a * b;
    p->count++;
}

/* Return the correlation; NaN for fewer than 3 pairs, or if one side varies by no more than
 * rounding. */
static HeadPatternMeasure pairs_correlation(const Pairs *p) {
    double m = (double)p->count;
    if (p->count < 3)
        return (HeadPatternMeasure){NAN, NAN};
    double a = p->aa - p->a * p->a / m, b = p->bb - p->b * p->b / m;
    double least_a = 1e-12 * (p->aa + m * p->a0 * p->a0);
    double least_b = 1e-12 * (p->bb + m * p->b0 * p->b0);
    if (a <= least_a || b <= least_b)
        return (HeadPatternMeasure){NAN, NAN};
    return (HeadPatternMeasure){(p->ab - p->a * p->b / m) / sqrt(a * b), 2 / sqrt(m - 1)};
}

static Chance weight_chance(int n) {
    double N = n;
    return (Chance){1 / N, (N - 1) / (N * N * (N + 1))};
}

/* Return mean and variance of the entropy, divided by ln n, of a random row with n keys. ψ₁(n + 1)
 * = π²/6 − Σ_{k≤n} 1/k². */
static Chance entropy_chance(int n) {
    double mean = 0, squares = 1, trigamma_1 = M_PI * M_PI / 6;
    for (int k = 2; k <= n; k++) {
        mean += 1.0 / k;
        squares += 1.0 / ((double)k * k);
    }
    double variance = 2.0 / (n + 1) * (trigamma_1 - 1) - (trigamma_1 - squares), most = log(n);
    return (Chance){mean / most, fmax(variance, 0) / (most * most)};
}

static void choose(HeadPattern *role) {
    double most = PATTERN_EXCESS_MIN;
    role->kind = PATTERN_MIXED;
    for (int kind = 0; kind < PATTERN_COUNT; kind++) {
        double excess = head_pattern_excess(&role->of[kind]);
        if (excess > most) {
            most = excess;
            role->kind = kind;
        }
    }
}

bool head_pattern_can_tell(const HeadPattern *role) {
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        if (!isnan(head_pattern_excess(&role->of[kind])))
            return true;
    return false;
}

void head_pattern_of(HeadPattern *out, const Mat *weights, const Mask *mask, const Mat *similarity,
                     const int *word) {
    Tally of[PATTERN_CONTENT] = {{0}};
    Pairs pairs = {0};
    int T = weights->rows, known = 0;
    Chance even = {0, 0};
    for (int i = 0; i < T; i++) {
        const float *row = mat_row(weights, i);
        const uint8_t *open = mask_row(mask, i);
        int n = mask_open_keys(mask, i);
        if (n < 2)
            continue;
        if (n != known)
            even = entropy_chance(known = n);
        if (i > 0 && open[i - 1])
            tally(&of[PATTERN_PREVIOUS], (double)row[i - 1], weight_chance(n));
        if (open[i])
            tally(&of[PATTERN_SELF], (double)row[i], weight_chance(n));
        if (i > 0 && open[0])
            tally(&of[PATTERN_FIRST], (double)row[0], weight_chance(n));
        int followed = TASKS[TASK_FOLLOWED].key(i, T, word);
        if (followed >= 0 && followed != i && open[followed])
            tally(&of[PATTERN_INDUCTION], (double)row[followed], weight_chance(n));
        tally(&of[PATTERN_SPREAD], softmax_entropy(row, T) / log(n), even);
        for (int j = 0; j < T; j++)
            if (open[j] && j != i)
                pairs_add(&pairs, n * (double)row[j], (double)mat_row(similarity, i)[j]);
    }
    for (int kind = 0; kind < PATTERN_CONTENT; kind++)
        out->of[kind] = tally_mean(&of[kind]);
    out->of[PATTERN_CONTENT] = pairs_correlation(&pairs);
    choose(out);
}
