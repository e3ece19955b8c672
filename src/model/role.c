#include "model/role.h"

#include <math.h>

#include "base/util.h"
#include "model/stats.h"

static const Entry ROWS[] = {
    [ROLE_PREVIOUS] = {"previous", "previous token", "mean A_{i,i−1}",
                       "Mean weight on the token just before."},
    [ROLE_SELF] = {"self", "self", "mean A_{i,i}", "Mean weight of each token on itself."},
    [ROLE_FIRST] = {"first", "first token", "mean A_{i,1}", "Mean weight on the first token."},
    [ROLE_SPREAD] = {"spread", "spread", "mean H(A_i) / ln n_i",
                     "Entropy of a row as a share of the most it could be."},
    [ROLE_CONTENT] = {"content", "content", "corr(n_i A_{i,j}, cos(x_i, x_j))",
                      "Correlation of the weights with how alike the tokens' vectors are."},
};
const Registry ROLES = {"roles", "role", ROWS, sizeof ROWS[0], ARRAY_COUNT(ROWS)};

double role_excess(const RoleMeasure *m) {
    return m->chance < 1 ? (m->value - m->chance) / (1 - m->chance) : NAN;
}

/* A mean with the mean of its chance level beside it. */
typedef struct Tally {
    double value, chance;
    int count;
} Tally;

static void tally(Tally *t, double value, double chance) {
    t->value += value;
    t->chance += chance;
    t->count++;
}

static RoleMeasure tally_mean(const Tally *t) {
    if (t->count == 0)
        return (RoleMeasure){NAN, NAN};
    return (RoleMeasure){t->value / t->count, t->chance / t->count};
}

/* Sums for a correlation, about an origin that is one of the pairs. */
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

/* Where one side does not vary but for rounding there is no correlation. */
static RoleMeasure pairs_correlation(const Pairs *p) {
    double m = (double)p->count;
    if (p->count < 3)
        return (RoleMeasure){NAN, NAN};
    double a = p->aa - p->a * p->a / m, b = p->bb - p->b * p->b / m;
    double least_a = 1e-12 * (p->aa + m * p->a0 * p->a0);
    double least_b = 1e-12 * (p->bb + m * p->b0 * p->b0);
    if (a <= least_a || b <= least_b)
        return (RoleMeasure){NAN, NAN};
    return (RoleMeasure){(p->ab - p->a * p->b / m) / sqrt(a * b), 2 / sqrt(m - 1)};
}

/* The mean entropy of a row of n weights drawn evenly from all that sum to 1, of ln n: the digamma
 * difference ψ(n + 1) − ψ(2). */
static double even_entropy(int n) {
    double sum = 0;
    for (int k = 2; k <= n; k++)
        sum += 1.0 / k;
    return sum / log(n);
}

static void row_pairs(Pairs *pairs, const float *row, const float *alike, const uint8_t *open,
                      int query, int T, int n) {
    for (int j = 0; j < T; j++)
        if (open[j] && j != query)
            pairs_add(pairs, n * (double)row[j], (double)alike[j]);
}

static void choose(Role *role) {
    double most = 0;
    role->kind = ROLE_MIXED;
    for (int kind = 0; kind < ROLE_COUNT; kind++) {
        double excess = role_excess(&role->of[kind]);
        if (excess > most) {
            most = excess;
            role->kind = kind;
        }
    }
}

void role_of(Role *out, const Mat *weights, const Mask *mask, const Mat *similarity) {
    Tally of[ROLE_CONTENT] = {{0}};
    Pairs pairs = {0};
    int T = weights->rows, known = 0;
    double even = 0;
    for (int i = 0; i < T; i++) {
        const float *row = mat_row(weights, i);
        const uint8_t *open = mask_row(mask, i);
        int n = mask_open_keys(mask, i);
        if (n < 2)
            continue;
        if (n != known)
            even = even_entropy(known = n);
        if (i > 0 && open[i - 1])
            tally(&of[ROLE_PREVIOUS], (double)row[i - 1], 1.0 / n);
        if (open[i])
            tally(&of[ROLE_SELF], (double)row[i], 1.0 / n);
        if (i > 0 && open[0])
            tally(&of[ROLE_FIRST], (double)row[0], 1.0 / n);
        tally(&of[ROLE_SPREAD], stats_row_entropy(row, T) / log(n), even);
        row_pairs(&pairs, row, mat_row(similarity, i), open, i, T, n);
    }
    for (int kind = 0; kind < ROLE_CONTENT; kind++)
        out->of[kind] = tally_mean(&of[kind]);
    out->of[ROLE_CONTENT] = pairs_correlation(&pairs);
    choose(out);
}
