#include "lab/theory_on_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/util.h"
#include "model/analysis/stats.h"
#include "model/theory/expect.h"

/* Return the standard deviation of a root mean square, from the relative variance of the mean
 * square. */
static double root_chance(double value, double relative_variance) {
    return value * sqrt(relative_variance) / 2;
}

/* In the nested form a (D, D) matrix that all heads share first multiplies the rows. Return the
 * relative variance that it adds to the products' mean square; 0 in other forms. *share: Gram.share
 * of the rows; in the nested form it becomes that of the products. */
static double nested_chance(double *share, const AttnShape *shape) {
    double of_full = 2 * *share / shape->D;
    if (shape->form != FORM_NESTED)
        return 0;
    *share += (1 + *share) / shape->D;
    return of_full;
}

/* Set value and chance for the product of X and a matrix with `columns` columns, whose entries have
 * standard deviation expected/√D. */
static void set_product(TheoryOnInput *out, StudyStat stat, const Gram *x, double expected,
                        const AttnShape *shape, int columns) {
    double share = x->share, of_full = nested_chance(&share, shape);
    out->value[stat] = expected * sqrt((x->square - x->centre / columns) / shape->D);
    out->chance[stat] = root_chance(out->value[stat], of_full + 2 * share / columns);
}

/* Return the mean of G_ik·G_jl over all open pairs (i, j) and (k, l), where G is the Gram matrix x.
 * With more than THEORY_TOKENS_MAX tokens treat all pairs as open: the mean is then centre². NaN if
 * memory runs out. */
static double pairs_together(TheoryOnInput *out, const Gram *x, const Mask *mask, double pairs) {
    int T = x->T;
    double sum = 0;
    if (T > THEORY_TOKENS_MAX || pairs == (double)T * T)
        return x->centre * x->centre;
    double *keys = heap_get_zero((size_t)T * (size_t)T, sizeof *keys);
    out->starved = out->starved || keys == NULL;
    if (keys == NULL)
        return NAN;
    for (int k = 0; k < T; k++) /* (T, T): for each k and j, Σ of G_jl over the open keys l of k */
        for (int l = 0; l < T; l++)
            for (int j = 0; j < T && mask_row(mask, k)[l]; j++)
                keys[k * T + j] += x->at[l * T + j];
    for (int i = 0; i < T; i++)
        for (int k = 0; k < T; k++)
            for (int j = 0; j < T; j++)
                sum += mask_row(mask, i)[j] ? x->at[i * T + k] * keys[k * T + j] : 0;
    free(keys);
    return sum / pairs / pairs;
}

static void set_scores(TheoryOnInput *out, const Gram *x, const StudyLayer *layer,
                       double expected) {
    const AttnShape *s = layer->shape;
    double pairs = 0, squares = 0, D = s->D, K = s->form == FORM_FREE ? (double)INFINITY : s->K;
    double share = x->share, of_full = 2 * nested_chance(&share, s);
    for (int i = 0; i < x->T; i++)
        for (int j = 0; j < x->T; j++) {
            bool open = mask_row(layer->mask, i)[j];
            pairs += open;
            squares += open ? gram_square(x, i) * gram_square(x, j) : 0;
        }
    double apart = squares / pairs - pairs_together(out, x, layer->mask, pairs) / s->H;
    out->value[STUDY_STD_S] = expected / D * sqrt(apart);
    out->chance[STUDY_STD_S] =
        root_chance(out->value[STUDY_STD_S],
                    of_full + (4 * share / K + 2 * (1 + 1 / K) * share * share) / s->H);
}

static void set_softmax(TheoryOnInput *out, const Gram *x, const StudyLayer *layer, double scores,
                        DrawRange draws) {
    static const StudyStat stats[] = {[SOFTMAX_ENTROPY] = STUDY_ENTROPY_A,
                                      [SOFTMAX_LARGEST] = STUDY_MAX_A,
                                      [SOFTMAX_SATURATION] = STUDY_SATURATION_A};
    SoftmaxFigure of_head[SOFTMAX_FIGURES];
    if (x->T > THEORY_TOKENS_MAX)
        return;
    if (!softmax_draws(of_head, x, layer, scores, draws)) {
        out->starved = true;
        return;
    }
    for (int f = 0; f < SOFTMAX_FIGURES; f++) {
        out->value[stats[f]] = of_head[f].mean;
        out->chance[stats[f]] = of_head[f].std / sqrt(layer->shape->H);
    }
}

/* Sums over the rows a of A and over all heads, unless stated otherwise. */
typedef struct Reading {
    double square;  /* mean over rows and heads of |(A·X)_i|² */
    double share;   /* mean over heads of Gram.share of the rows of A·X, divided by H */
    double weights; /* mean over queries of Σ a², summed over heads */
    double few;     /* relative variance, over dL/dY, W_V and W_O, of |∂L/∂X|² through V */
    double through_keys; /* Σ |x_i|²·|MX|², M = diag(a) − a·aᵀ */
    double slopes;       /* Σ |XᵀMX|² */
    /* For the gradients of W_Q and W_K, from the queries and keys of this draw: Σ |x_i|²·|KᵀMX|²
     * and Σ |q_i|²·|XᵀMX|², and the squares of their terms. */
    double query, key, query_squares, key_squares;
} Reading;

/* Fill toward with G·a and return aᵀ·G·a, where G is the Gram matrix x. */
static double read_row(double *toward, const Gram *x, const float *a) {
    double own = 0;
    for (int j = 0; j < x->T; j++) {
        toward[j] = 0;
        for (int k = 0; k < x->T; k++)
            toward[j] += x->at[j * x->T + k] * (double)a[k];
        own += (double)a[j] * toward[j];
    }
    return own;
}

/* Return tr MGMG', where M = diag(a) − a·aᵀ. |XᵀMX|² is tr MGMG, |KᵀMX|² is tr MGMG' with the keys'
 * Gram matrix G'. toward and toward_keys are G·a and G'·a. */
static double slope_both(const Gram *x, const Gram *k, const float *a, const double *toward,
                         const double *toward_keys, double owns) {
    double sum = owns;
    for (int j = 0; j < x->T; j++) {
        double near = 0;
        for (int l = 0; l < x->T; l++)
            near += (double)a[l] * x->at[j * x->T + l] * k->at[j * x->T + l];
        sum += (double)a[j] * (near - 2 * toward[j] * toward_keys[j]);
    }
    return sum;
}

static void add_row(Reading *out, double query, double key) {
    out->query += query;
    out->query_squares += query * query;
    out->key += key;
    out->key_squares += key * key;
}

/* Add the terms of the gradients of W_Q and W_K. In forms without queries and keys, rows of x
 * replace these, which only changes how much each row counts. apart: Gram matrix of x's rows minus
 * their mean. Row i of toward: apart·a, where a is row i of A. Return false if memory runs out. */
static bool read_factors(Reading *out, const Gram *x, const Gram *apart, const StudyLayer *layer,
                         int head, const double *toward, const double *slopes) {
    const AttnShape *shape = layer->shape;
    const Mat *trace_Q = &layer->trace->Q, *trace_K = &layer->trace->K;
    for (int i = 0; i < x->T && trace_Q->rows == 0; i++)
        add_row(out, gram_square(x, i) * slopes[i], gram_square(x, i) * slopes[i]);
    if (trace_Q->rows == 0)
        return true;
    Mat Q = mat_cols(trace_Q, head * shape->K, shape->K);
    Mat K = mat_cols(trace_K, head * shape->K, shape->K);
    Mat A = attn_head_scores(&layer->trace->A, shape, head);
    Gram k;
    double *toward_keys = heap_get((size_t)x->T * sizeof *toward_keys);
    bool made = toward_keys != NULL && gram_make(&k, &K, shape->K, true);
    for (int i = 0; made && i < x->T; i++) {
        const float *a = mat_row(&A, i), *q = mat_row(&Q, i);
        const double *row = toward + (size_t)i * (size_t)x->T;
        double own = 0, own_keys = read_row(toward_keys, &k, a), q2 = 0;
        for (int j = 0; j < x->T; j++)
            own += (double)a[j] * row[j];
        for (int c = 0; c < shape->K; c++)
            q2 += (double)q[c] * (double)q[c];
        add_row(out, gram_square(x, i) * slope_both(apart, &k, a, row, toward_keys, own * own_keys),
                q2 * slopes[i]);
    }
    if (made)
        gram_release(&k);
    free(toward_keys);
    return made;
}

/* Add |A·X|² over all rows, and the squared inner products between the rows. toward is scratch. */
static void read_values(Reading *out, const Gram *x, const Mat *A, double *toward) {
    int T = x->T;
    double together = 0;
    for (int i = 0; i < T; i++) {
        out->square += read_row(toward + (size_t)i * (size_t)T, x, mat_row(A, i)) / T;
        for (int k = 0; k < T; k++)
            out->weights += (double)mat_row(A, i)[k] * (double)mat_row(A, i)[k] / T;
    }
    for (int i = 0; i < T; i++)
        for (int k = 0; k < T; k++) {
            double sum = 0;
            for (int j = 0; j < T; j++)
                sum += (double)mat_row(A, k)[j] * toward[(size_t)i * (size_t)T + (size_t)j];
            together += sum * sum;
        }
    out->share += together; /* read_all divides this sum */
}

static bool read_head(Reading *out, const Gram *x, const Gram *apart, const StudyLayer *layer,
                      int head, double *toward, double *slopes) {
    Mat A = attn_head_scores(&layer->trace->A, layer->shape, head);
    int T = x->T;
    read_values(out, x, &A, toward);
    for (int i = 0; i < T; i++) {
        const float *a = mat_row(&A, i);
        double *row = toward + (size_t)i * (size_t)T, own = read_row(row, apart, a);
        slopes[i] = slope_both(apart, apart, a, row, row, own * own);
        out->slopes += slopes[i];
        for (int j = 0; j < T; j++) /* |MX|² = tr MGM */
            out->through_keys += gram_square(x, i) * (double)a[j] * (double)a[j] *
                                 (gram_square(apart, j) - 2 * row[j] + own);
    }
    return read_factors(out, x, apart, layer, head, toward, slopes);
}

/* Compute the relative variance of the squared norm of Σ_h A_hᵀ·(dL/dY)·(W_V·W_O)_hᵀ. It is a sum
 * of traces of squared covariances, divided by D for the D columns that all heads share, and by V
 * for the V columns of each head. Return false if memory runs out. */
static bool read_few(Reading *out, const StudyLayer *layer) {
    const AttnShape *s = layer->shape;
    const Mat *A = &layer->trace->A;
    Arena arena = {0};
    Err err;
    if (!arena_reserve(&arena, 3 * mat_bytes(s->T, s->T), &err))
        return false;
    Mat keys = mat_push(&arena, s->T, s->T), queries = mat_push(&arena, s->T, s->T);
    Mat own = mat_push(&arena, s->T, s->T);
    double owns = 0, all = stats_sum_of_squares(A);
    mat_mul_at(&keys, A, A, 1);
    memset(queries.at, 0, (size_t)s->T * (size_t)s->T * sizeof *queries.at);
    for (int h = 0; h < s->H; h++) {
        Mat of = attn_head_scores(A, s, h);
        mat_mul_bt(&own, &of, &of, 1);
        owns += stats_sum_of_squares(&own);
        for (int i = 0; i < s->T * s->T; i++)
            queries.at[i] += own.at[i];
    }
    double shared = stats_sum_of_squares(&keys) + stats_sum_of_squares(&queries);
    out->few = 2 * (shared / s->D + owns / s->V) / (all * all);
    arena_release(&arena);
    return true;
}

static bool read_all(Reading *out, const Gram *x, const StudyLayer *layer) {
    int T = x->T, H = layer->shape->H;
    Gram apart = {.at = NULL};
    double *toward = heap_get(((size_t)T + 1) * (size_t)T * sizeof *toward);
    bool read = toward != NULL && gram_make(&apart, &layer->trace->input, layer->shape->D, true);
    *out = (Reading){0};
    read = read && read_few(out, layer);
    for (int h = 0; h < H && read; h++)
        read = read_head(out, x, &apart, layer, h, toward, toward + (size_t)T * (size_t)T);
    gram_release(&apart);
    free(toward);
    out->share /= out->square * out->square * T * T;
    out->square /= H;
    return read;
}

static bool is_plain(const AttnShape *shape) {
    return shape->block == BLOCK_ATTENTION || shape->block == BLOCK_RESIDUAL;
}

static void set_reading(TheoryOnInput *out, const Reading *r, const StudyLayer *layer,
                        const double *expected) {
    double step = sqrt(r->square / layer->shape->D), chance = 2 * r->share / layer->shape->V;
    double share = r->share * layer->shape->H, of_full = nested_chance(&share, layer->shape);
    double rms_O = expected[STUDY_STD_W_O];
    out->value[STUDY_STD_Z] = expected[STUDY_STD_V] * step;
    out->chance[STUDY_STD_Z] = root_chance(out->value[STUDY_STD_Z], of_full + chance);
    if (!is_plain(layer->shape))
        return;
    out->value[STUDY_STD_GRAD_W_V] = rms_O * sqrt(layer->shape->T * r->square);
    out->chance[STUDY_STD_GRAD_W_V] = root_chance(out->value[STUDY_STD_GRAD_W_V], 2 * chance);
}

/* Set the expectations of gradients that pass through the softmax, given A. expect.c has them for
 * an X of independent entries. */
static void set_slopes(TheoryOnInput *out, const Reading *r, const StudyLayer *layer,
                       const double *expected) {
    const AttnShape *s = layer->shape;
    double H = s->H, D = s->D, T = s->T, factor = (double)s->score_factor;
    double rms_Q = expected[STUDY_STD_W_Q], rms_K = expected[STUDY_STD_W_K];
    double w = sqrt(s->V * D) * expected[STUDY_STD_W_V] * expected[STUDY_STD_W_O];
    double pull = factor * w / sqrt(H * D * s->K);
    double back = factor * factor * s->K * rms_Q * rms_Q * rms_K * rms_K * w * w / T;
    double softmax = back * (r->slopes + r->through_keys), values = w * w * r->weights;
    double own = values + softmax, stream = s->block == BLOCK_RESIDUAL, all = own + stream;
    /* dL/dY and W_V·W_O are both random, and contribute the same variance. */
    double few_query = 4 * r->query_squares / (r->query * r->query);
    double few_key = 4 * r->key_squares / (r->key * r->key);
    double few = fmax(few_query, few_key);
    out->value[STUDY_STD_GRAD_W_Q] = pull * sqrt(r->query);
    out->value[STUDY_STD_GRAD_W_K] = pull * sqrt(r->key);
    out->value[STUDY_STD_GRAD_X] = sqrt(all);
    out->chance[STUDY_STD_GRAD_W_Q] = root_chance(out->value[STUDY_STD_GRAD_W_Q], few_query);
    out->chance[STUDY_STD_GRAD_W_K] = root_chance(out->value[STUDY_STD_GRAD_W_K], few_key);
    double variance = few * softmax * softmax + r->few * values * values +
                      (2 * stream + 4 * own * stream) / (T * D);
    out->chance[STUDY_STD_GRAD_X] = root_chance(sqrt(all), variance / (all * all));
}

static void set_output(TheoryOnInput *out, const StudyLayer *layer, const double *expected) {
    const AttnShape *s = layer->shape;
    Gram z;
    if (s->block == BLOCK_POST_NORM)
        return;
    if (!gram_make(&z, &layer->trace->Z, s->H * s->V, false)) {
        out->starved = true;
        return;
    }
    double attention = expected[STUDY_STD_W_O] * sqrt(z.square);
    double stream = s->block == BLOCK_ATTENTION ? 0 : stats_std(layer->x);
    double own = attention * attention, both = stream * stream, all = both + own;
    double variance = (2 * own + 4 * both) * own * z.share / s->D;
    out->value[STUDY_STD_Y] = sqrt(all);
    out->chance[STUDY_STD_Y] = all > 0 ? root_chance(sqrt(all), variance / (all * all)) : 0;
    if (is_plain(s)) {
        double step = sqrt(s->T * z.square / (s->H * s->V));
        out->value[STUDY_STD_GRAD_W_O] = step;
        out->chance[STUDY_STD_GRAD_W_O] = root_chance(step, 2 * z.share / s->D);
    }
    gram_release(&z);
}

/* Set a value to NaN if it depends on a weight matrix that is not sampled independently with mean
 * 0. */
static void forget_fixed(TheoryOnInput *out, const SchemePlan *draw) {
    static const struct {
        StudyStat stat;
        bool by[ATTN_WEIGHT_COUNT];
    } rows[] = {
        {STUDY_STD_Q, {[ATTN_W_Q] = true}},
        {STUDY_STD_K, {[ATTN_W_K] = true}},
        {STUDY_STD_V, {[ATTN_W_V] = true}},
        {STUDY_STD_S, {[ATTN_W_Q] = true, [ATTN_W_K] = true}},
        {STUDY_ENTROPY_A, {[ATTN_W_Q] = true, [ATTN_W_K] = true}},
        {STUDY_MAX_A, {[ATTN_W_Q] = true, [ATTN_W_K] = true}},
        {STUDY_SATURATION_A, {[ATTN_W_Q] = true, [ATTN_W_K] = true}},
        {STUDY_STD_Z, {[ATTN_W_V] = true}},
        {STUDY_STD_Y, {[ATTN_W_O] = true}},
        {STUDY_STD_GRAD_W_Q, {true, true, true, true}},
        {STUDY_STD_GRAD_W_K, {true, true, true, true}},
        {STUDY_STD_GRAD_W_V, {[ATTN_W_O] = true}},
        {STUDY_STD_GRAD_X, {true, true, true, true}},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
            if (rows[i].by[p] && SCHEMES[draw->scheme[p]].law != SCHEME_CENTRED)
                out->value[rows[i].stat] = out->chance[rows[i].stat] = NAN;
}

/* Reduce out->chance for orthogonal matrices, which keep lengths in the directions that they span.
 */
static void keep_lengths(TheoryOnInput *out, const SchemePlan *draw, const AttnShape *s) {
    const struct {
        StudyStat stat;
        AttnParam by;
        int width;
    } rows[] = {{STUDY_STD_Q, ATTN_W_Q, s->H * s->K},
                {STUDY_STD_K, ATTN_W_K, s->H * s->K},
                {STUDY_STD_V, ATTN_W_V, s->H * s->V},
                {STUDY_STD_Z, ATTN_W_V, s->V},
                {STUDY_STD_Y, ATTN_W_O, s->H * s->V}};
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        double kept = fmin((double)rows[i].width / s->D, (double)s->D / rows[i].width);
        if (SCHEMES[draw->scheme[rows[i].by]].distribution == DISTRIBUTION_SPHERE)
            out->chance[rows[i].stat] *= sqrt(1 - kept);
    }
}

void theory_of_layer(TheoryOnInput *out, const StudyLayer *layer, const SchemePlan *draw,
                     const double expected[STUDY_STAT_COUNT], DrawRange draws) {
    const AttnShape *s = layer->shape;
    double scores = expect_scores(s, draw);
    bool has_scores =
        scores > 0 &&
        !isnan(expected[STUDY_ENTROPY_A]); /* expected values are NaN for given weights */
    Gram x;
    Reading reading;
    *out = (TheoryOnInput){.rms = NAN, .common = NAN};
    for (int i = 0; i < STUDY_STAT_COUNT; i++)
        out->value[i] = out->chance[i] = NAN;
    if (!gram_make(&x, &layer->trace->input, s->D, false)) {
        out->starved = true;
        return;
    }
    out->rms = sqrt(x.square / s->D);
    out->common = x.T > 1 ? (x.T * x.centre / x.square - 1) / (x.T - 1) : 0;
    set_product(out, STUDY_STD_Q, &x, expected[STUDY_STD_Q], s, s->H * s->K);
    set_product(out, STUDY_STD_K, &x, expected[STUDY_STD_K], s, s->H * s->K);
    set_product(out, STUDY_STD_V, &x, expected[STUDY_STD_V], s, s->H * s->V);
    if (has_scores) {
        set_scores(out, &x, layer, scores);
        set_softmax(out, &x, layer, scores, draws);
    }
    bool can_read = x.T <= THEORY_TOKENS_MAX, was_read = can_read && read_all(&reading, &x, layer);
    out->starved = out->starved || can_read != was_read;
    if (was_read) {
        set_reading(out, &reading, layer, expected);
        if (is_plain(s) && has_scores)
            set_slopes(out, &reading, layer, expected);
    }
    set_output(out, layer, expected);
    forget_fixed(out, draw);
    keep_lengths(out, draw, s);
    for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++)
        if (!study_stat_exists(stat, s, layer->mask))
            out->value[stat] = out->chance[stat] = NAN;
    gram_release(&x);
}

/* Return Gram.share of the rows minus their mean. */
static double centred_share(const Gram *x) {
    int T = x->T;
    double squares = 0, trace = T * (x->square - x->centre);
    double mean[THEORY_TOKENS_MAX] = {0};
    for (int i = 0; i < T * T; i++)
        mean[i / T] += x->at[i] / T;
    for (int i = 0; i < T * T; i++) {
        double centred = x->at[i] - mean[i / T] - mean[i % T] + x->centre;
        squares += centred * centred;
    }
    return squares / (trace * trace);
}

/* Return the standard deviation, over draws, of the std of a head's scores. The mean over all
 * pairs, which varies most, is not part of a std. What remains are the means of rows and of
 * columns, each of mean square apart·centre, and a rest of mean square apart². */
static double head_chance(const Gram *x, double value, const AttnShape *shape) {
    double K = shape->form == FORM_FREE ? (double)INFINITY : shape->K;
    double apart = x->square - x->centre, share = centred_share(x);
    double of_full = 2 * nested_chance(&share, shape);
    double means = apart * x->centre, rest = apart * apart, all = rest + 2 * means;
    double of_means = (1 + 2 / K) * (1 + 2 * share) - 1;
    double of_rest = 4 * share / K + 2 * (1 + 1 / K) * share * share;
    double variance =
        2 * means * means * of_means + rest * rest * of_rest + 4 * means * rest * 2 * share / K;
    return root_chance(value, of_full + variance / (all * all));
}

bool theory_of_head_scores(double *value, double *chance, const StudyLayer *layer,
                           const SchemePlan *draw, double expected) {
    AttnShape one = *layer->shape;
    StudyLayer head = *layer;
    TheoryOnInput out = {0};
    Gram x;
    *value = *chance = NAN;
    one.H = 1;
    head.shape = &one;
    if (!(expected > 0) || one.T > THEORY_TOKENS_MAX)
        return true;
    if (!gram_make(&x, &layer->trace->input, one.D, false))
        return false;
    set_scores(&out, &x, &head, expected);
    out.chance[STUDY_STD_S] = head_chance(&x, out.value[STUDY_STD_S], &one);
    gram_release(&x);
    forget_fixed(&out, draw);
    *value = out.value[STUDY_STD_S];
    *chance = out.chance[STUDY_STD_S];
    return true;
}
