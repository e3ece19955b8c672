#include "support/wide.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/util.h"
#include "support/test.h"

Wide wide(int rows, int cols) {
    double *at = calloc((size_t)rows * (size_t)cols + 1, sizeof *at);
    assert_non_null(at);
    return (Wide){at, rows, cols};
}

double *wide_entry(const Wide *m, int i, int j) {
    return &m->at[i * m->cols + j];
}

void wide_release(Wide *m) {
    free(m->at);
    *m = (Wide){0};
}

double wide_distance(const Wide *a, const Wide *b) {
    double most = 0;
    assert_true(a->rows == b->rows && a->cols == b->cols);
    for (int e = 0; e < a->rows * a->cols; e++) {
        double away = fabs(a->at[e] - b->at[e]);
        if (isnan(away))
            return NAN;
        most = fmax(most, away);
    }
    return most;
}

Wide wide_of(const Mat *m) {
    Wide out = wide(m->rows, m->cols);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            *wide_entry(&out, i, j) = (double)mat_row(m, i)[j];
    return out;
}

static Wide copied(const Wide *m) {
    Wide out = wide(m->rows, m->cols);
    for (int e = 0; e < m->rows * m->cols; e++)
        out.at[e] = m->at[e];
    return out;
}

/* Add a·b to out; the flags say which of them to transpose first. */
static void add_product(Wide *out, const Wide *a, bool a_turned, const Wide *b, bool b_turned) {
    int depth = a_turned ? a->rows : a->cols;
    assert_int_equal(out->rows, a_turned ? a->cols : a->rows);
    assert_int_equal(out->cols, b_turned ? b->rows : b->cols);
    assert_int_equal(depth, b_turned ? b->cols : b->rows);
    for (int i = 0; i < out->rows; i++)
        for (int p = 0; p < depth; p++) {
            double left = a_turned ? *wide_entry(a, p, i) : *wide_entry(a, i, p);
            for (int j = 0; j < out->cols; j++)
                *wide_entry(out, i, j) +=
                    left * (b_turned ? *wide_entry(b, j, p) : *wide_entry(b, p, j));
        }
}

static Wide product(const Wide *a, bool a_turned, const Wide *b, bool b_turned) {
    Wide out = wide(a_turned ? a->cols : a->rows, b_turned ? b->rows : b->cols);
    add_product(&out, a, a_turned, b, b_turned);
    return out;
}

static bool is_cut(const AttnShape *s) {
    return s->form == FORM_RANK && s->rank < s->K;
}

WideLayer wide_layer(const Layer *layer, bool by_product) {
    WideLayer out = {.shape = layer->shape, .open = layer->mask.open};
    out.x = wide_of(&layer->x);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (layer->params.p[p].rows > 0)
            out.p[p] = wide_of(&layer->params.p[p]);
    bool needed = by_product && !attn_has_factors(&layer->shape);
    if (out.p[ATTN_W_QK].at == NULL && (needed || is_cut(&layer->shape)))
        out.p[ATTN_W_QK] = wide_of(&layer->trace.W_QK);
    return out;
}

void wide_layer_release(WideLayer *layer) {
    wide_release(&layer->x);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        wide_release(&layer->p[p]);
}

/* Matrices on the way, each with its own roundings. */
typedef enum Site {
    SITE_INPUT,
    SITE_BETWEEN,
    SITE_QUERY = SITE_BETWEEN + 3,
    SITE_TURNED = SITE_QUERY + 3,
    SITE_SCORES = SITE_TURNED + 2,
    SITE_WEIGHTS,
    SITE_READ,
    SITE_OUTPUT,
    SITE_SUM,
    SITE_NORMED,
    SITE_BACK_SUM,
    SITE_BACK_READ,
    SITE_BACK_WEIGHTS,
    SITE_BACK_SCORES,
    SITE_BACK_QUERY,
    SITE_BACK_BETWEEN = SITE_BACK_QUERY + 3,
    SITE_BACK_INPUT = SITE_BACK_BETWEEN + 3,
    SITE_BACK_NORMED,
} Site;

static void round_off(Wide *m, const WideLayer *layer, int inputs) {
    Rng rng = rng_stream(layer->roundings, (uint64_t)inputs);
    for (int e = 0; layer->roundings != 0 && e < m->rows * m->cols; e++)
        m->at[e] *= 1 + FLT_EPSILON * (rng_uniform(rng, (uint64_t)e) - 0.5);
}

static void normalise(Wide *m) {
    for (int i = 0; i < m->rows; i++) {
        double mean = 0, variance = 0;
        for (int j = 0; j < m->cols; j++)
            mean += *wide_entry(m, i, j) / m->cols;
        for (int j = 0; j < m->cols; j++)
            variance += pow(*wide_entry(m, i, j) - mean, 2) / m->cols;
        for (int j = 0; j < m->cols; j++)
            *wide_entry(m, i, j) = (*wide_entry(m, i, j) - mean) / sqrt(variance + 1e-5);
    }
}

static void add_bias(Wide *m, const Wide *bias) {
    for (int i = 0; bias->rows > 0 && i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            *wide_entry(m, i, j) += bias->at[j];
}

/* Return input·W + b; in the nested form multiply by both factors of W. */
static Wide projected(WideTrace *trace, const WideLayer *layer, int which) {
    const Wide *p = layer->p, *input = &trace->input;
    Wide out;
    if (layer->shape.form == FORM_NESTED) {
        trace->between[which] = product(input, false, &p[ATTN_W_Q_FULL + which], false);
        round_off(&trace->between[which], layer, SITE_BETWEEN + which);
        out = product(&trace->between[which], false, &p[ATTN_W_Q_HEAD + which], false);
    } else {
        out = product(input, false, &p[ATTN_W_Q + which], false);
    }
    add_bias(&out, &p[ATTN_B_Q + which]);
    round_off(&out, layer, SITE_QUERY + which);
    return out;
}

/* Turn row t of m by t steps, forth (1) or back (-1). */
static void turn(Wide *m, int K, int direction) {
    for (int t = 0; t < m->rows; t++)
        for (int j = 0; j < m->cols; j += 2) {
            double angle = direction * t * pow(10000, -(double)(j % K) / K);
            double a = *wide_entry(m, t, j), b = *wide_entry(m, t, j + 1);
            *wide_entry(m, t, j) = a * cos(angle) - b * sin(angle);
            *wide_entry(m, t, j + 1) = a * sin(angle) + b * cos(angle);
        }
}

/* Return x, with a last column of 1 if W_QK has a row for it. */
static Wide extended(const Wide *x, int E) {
    Wide out = wide(x->rows, E);
    for (int i = 0; i < x->rows; i++)
        for (int e = 0; e < E; e++)
            *wide_entry(&out, i, e) = e < x->cols ? *wide_entry(x, i, e) : 1;
    return out;
}

static Wide head_product(const Wide *all, int h) {
    int E = all->cols;
    return (Wide){all->at + h * E * E, E, E};
}

static void fill_scores(WideTrace *t, const WideLayer *layer) {
    const AttnShape *s = &layer->shape;
    const Wide *W_QK = &layer->p[ATTN_W_QK];
    t->S = wide(s->H * s->T, s->T);
    LOCAL(wide_release) Wide x = extended(&t->input, attn_input_width(s));
    for (int h = 0; h < s->H; h++) {
        LOCAL(wide_release) Wide XW = {0};
        if (W_QK->at != NULL) {
            Wide W = head_product(W_QK, h);
            XW = product(&x, false, &W, false);
        }
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++) {
                double sum = 0;
                for (int e = 0; XW.at != NULL && e < XW.cols; e++)
                    sum += *wide_entry(&XW, i, e) * *wide_entry(&x, j, e);
                for (int k = h * s->K; XW.at == NULL && k < (h + 1) * s->K; k++)
                    sum += *wide_entry(&t->Q, i, k) * *wide_entry(&t->K, j, k);
                *wide_entry(&t->S, h * s->T + i, j) = sum * (double)s->score_factor;
            }
    }
    round_off(&t->S, layer, SITE_SCORES);
}

static void fill_weights(WideTrace *t, const WideLayer *layer) {
    const AttnShape *s = &layer->shape;
    t->A = wide(s->H * s->T, s->T);
    for (int row = 0; row < s->H * s->T; row++) {
        const uint8_t *open = layer->open + row % s->T * s->T;
        double largest = -INFINITY, sum = 0;
        for (int j = 0; j < s->T; j++)
            largest = open[j] ? fmax(largest, *wide_entry(&t->S, row, j)) : largest;
        for (int j = 0; j < s->T; j++)
            sum += open[j] ? exp(*wide_entry(&t->S, row, j) - largest) : 0;
        for (int j = 0; j < s->T; j++)
            *wide_entry(&t->A, row, j) =
                open[j] ? exp(*wide_entry(&t->S, row, j) - largest) / sum : 0;
    }
    round_off(&t->A, layer, SITE_WEIGHTS);
}

/* Return the heads' output times W_O, plus X if the block adds it. */
static Wide sum_before_norm(const WideLayer *layer, const WideTrace *t) {
    Wide sum = product(&t->Z, false, &layer->p[ATTN_W_O], false);
    add_bias(&sum, &layer->p[ATTN_B_O]);
    round_off(&sum, layer, SITE_OUTPUT);
    for (int e = 0; layer->shape.block != BLOCK_ATTENTION && e < sum.rows * sum.cols; e++)
        sum.at[e] += layer->x.at[e];
    round_off(&sum, layer, SITE_SUM);
    return sum;
}

static void fill_output(WideTrace *t, const WideLayer *layer) {
    const AttnShape *s = &layer->shape;
    t->Z = wide(s->T, s->H * s->V);
    for (int h = 0; h < s->H; h++)
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++)
                for (int v = h * s->V; v < (h + 1) * s->V; v++)
                    *wide_entry(&t->Z, i, v) +=
                        *wide_entry(&t->A, h * s->T + i, j) * *wide_entry(&t->V, j, v);
    round_off(&t->Z, layer, SITE_READ);
    t->Y = sum_before_norm(layer, t);
    if (s->block == BLOCK_POST_NORM)
        normalise(&t->Y);
    round_off(&t->Y, layer, SITE_NORMED);
}

WideTrace wide_forward(const WideLayer *layer) {
    const AttnShape *s = &layer->shape;
    WideTrace t = {.input = copied(&layer->x)};
    if (s->block == BLOCK_PRE_NORM)
        normalise(&t.input);
    round_off(&t.input, layer, SITE_INPUT);
    if (s->form != FORM_FREE) {
        t.Q = projected(&t, layer, 0);
        t.K = projected(&t, layer, 1);
    }
    t.V = projected(&t, layer, 2);
    if (s->rope) {
        turn(&t.Q, s->K, 1);
        turn(&t.K, s->K, 1);
        round_off(&t.Q, layer, SITE_TURNED);
        round_off(&t.K, layer, SITE_TURNED + 1);
    }
    fill_scores(&t, layer);
    fill_weights(&t, layer);
    fill_output(&t, layer);
    return t;
}

void wide_trace_release(WideTrace *t) {
    Wide *const all[] = {&t->input, &t->between[0], &t->between[1], &t->between[2], &t->Q, &t->K,
                         &t->V,     &t->S,          &t->A,          &t->Z,          &t->Y};
    for (size_t i = 0; i < ARRAY_COUNT(all); i++)
        wide_release(all[i]);
}

static double loss_of(const WideTrace *t, const Wide *G) {
    double loss = 0;
    for (int e = 0; e < G->rows * G->cols; e++)
        loss += G->at[e] * t->Y.at[e];
    return loss;
}

double wide_loss(const WideLayer *layer, const Wide *G) {
    WideTrace t = wide_forward(layer);
    double loss = loss_of(&t, G);
    wide_trace_release(&t);
    return loss;
}

double wide_loss_from_weights(WideTrace *t, const WideLayer *layer, const Wide *G) {
    wide_release(&t->Z);
    wide_release(&t->Y);
    fill_output(t, layer);
    return loss_of(t, G);
}

double wide_loss_from_scores(WideTrace *t, const WideLayer *layer, const Wide *G) {
    wide_release(&t->A);
    fill_weights(t, layer);
    return wide_loss_from_weights(t, layer, G);
}

/* Backward, by whole Jacobians: every derivative of an output by an input, one at a time. */

/* dx_j = Σ_i dy_i·∂y_i/∂x_j of the normalisation of x. */
static Wide normalise_back(const Wide *dy, const Wide *x) {
    Wide dx = wide(x->rows, x->cols), y = copied(x);
    int n = x->cols;
    normalise(&y);
    for (int t = 0; t < x->rows; t++) {
        double mean = 0, variance = 0;
        for (int j = 0; j < n; j++)
            mean += *wide_entry(x, t, j) / n;
        for (int j = 0; j < n; j++)
            variance += pow(*wide_entry(x, t, j) - mean, 2) / n;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double slope =
                    (i == j) - 1.0 / n - *wide_entry(&y, t, i) * *wide_entry(&y, t, j) / n;
                *wide_entry(&dx, t, j) += *wide_entry(dy, t, i) * slope / sqrt(variance + 1e-5);
            }
    }
    wide_release(&y);
    return dx;
}

static Wide column_sums(const Wide *m) {
    Wide out = wide(1, m->cols);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            out.at[j] += *wide_entry(m, i, j);
    return out;
}

static void weights_back(WideBack *b, const WideLayer *layer, const WideTrace *t) {
    const AttnShape *s = &layer->shape;
    int T = s->T;
    b->A = wide(s->H * T, T);
    b->S = wide(s->H * T, T);
    b->V = wide(T, s->H * s->V);
    for (int row = 0; row < s->H * T; row++) {
        int i = row % T, first = row / T * s->V;
        for (int j = 0; j < T; j++)
            for (int v = first; v < first + s->V; v++) {
                *wide_entry(&b->A, row, j) += *wide_entry(&b->Z, i, v) * *wide_entry(&t->V, j, v);
                *wide_entry(&b->V, j, v) += *wide_entry(&b->Z, i, v) * *wide_entry(&t->A, row, j);
            }
    }
    round_off(&b->A, layer, SITE_BACK_WEIGHTS);
    round_off(&b->V, layer, SITE_BACK_QUERY + 2);
    for (int row = 0; row < s->H * T; row++)
        for (int j = 0; j < T; j++)
            for (int k = 0; k < T; k++) {
                double a = *wide_entry(&t->A, row, j), slope = (j == k) - a;
                *wide_entry(&b->S, row, j) +=
                    *wide_entry(&b->A, row, k) * *wide_entry(&t->A, row, k) * slope;
            }
    round_off(&b->S, layer, SITE_BACK_SCORES);
}

static void factors_back(WideBack *b, const WideLayer *layer, const WideTrace *t) {
    const AttnShape *s = &layer->shape;
    b->Q = wide(s->T, s->H * s->K);
    b->K = wide(s->T, s->H * s->K);
    for (int h = 0; h < s->H; h++)
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++)
                for (int k = h * s->K; k < (h + 1) * s->K; k++) {
                    double slope = (double)s->score_factor * *wide_entry(&b->S, h * s->T + i, j);
                    *wide_entry(&b->Q, i, k) += slope * *wide_entry(&t->K, j, k);
                    *wide_entry(&b->K, j, k) += slope * *wide_entry(&t->Q, i, k);
                }
    if (s->rope) {
        turn(&b->Q, s->K, -1);
        turn(&b->K, s->K, -1);
    }
    round_off(&b->Q, layer, SITE_BACK_QUERY);
    round_off(&b->K, layer, SITE_BACK_QUERY + 1);
}

/* ∂S_ij/∂W_ab = factor·x_ia·x_jb, and S_ij reaches x_i as W·x_j and x_j as Wᵀ·x_i. */
static void products_back(WideBack *b, Wide *dinput, const WideLayer *layer, const WideTrace *t) {
    const AttnShape *s = &layer->shape;
    int E = attn_input_width(s), T = s->T;
    Wide x = extended(&t->input, E), dx = wide(T, E);
    b->p[ATTN_W_QK] = wide(s->H * E, E);
    for (int h = 0; h < s->H; h++) {
        Wide dS = wide(T, T), W = head_product(&layer->p[ATTN_W_QK], h);
        Wide dW = head_product(&b->p[ATTN_W_QK], h);
        for (int e = 0; e < T * T; e++)
            dS.at[e] = (double)s->score_factor * b->S.at[h * T * T + e];
        Wide read = product(&dS, false, &x, false), asked = product(&dS, true, &x, false);
        add_product(&dW, &x, true, &read, false);
        add_product(&dx, &read, false, &W, true);
        add_product(&dx, &asked, false, &W, false);
        wide_release(&dS), wide_release(&read), wide_release(&asked);
    }
    for (int i = 0; i < T; i++)
        for (int j = 0; j < s->D; j++)
            *wide_entry(dinput, i, j) += *wide_entry(&dx, i, j);
    wide_release(&x), wide_release(&dx);
}

/* Convert the gradient of Q, K or V to those of its weights and of the input. */
static void projected_back(WideBack *b, Wide *dinput, const WideLayer *layer, const WideTrace *t,
                           int which) {
    const Wide *dout = which == 0 ? &b->Q : which == 1 ? &b->K : &b->V;
    const Wide *p = layer->p;
    if (p[ATTN_B_Q + which].rows > 0)
        b->p[ATTN_B_Q + which] = column_sums(dout);
    b->p[ATTN_W_Q + which] = product(&t->input, true, dout, false);
    if (layer->shape.form != FORM_NESTED) {
        add_product(dinput, dout, false, &p[ATTN_W_Q + which], true);
        return;
    }
    LOCAL(wide_release) Wide between = product(dout, false, &p[ATTN_W_Q_HEAD + which], true);
    round_off(&between, layer, SITE_BACK_BETWEEN + which);
    b->p[ATTN_W_Q_HEAD + which] = product(&t->between[which], true, dout, false);
    b->p[ATTN_W_Q_FULL + which] = product(&t->input, true, &between, false);
    add_product(dinput, &between, false, &p[ATTN_W_Q_FULL + which], true);
}

WideBack wide_backward(const WideLayer *layer, const WideTrace *t, const Wide *G) {
    const AttnShape *s = &layer->shape;
    WideBack b = {0};
    Wide dsum = copied(G), dinput = wide(s->T, s->D);
    if (s->block == BLOCK_POST_NORM) {
        LOCAL(wide_release) Wide sum = sum_before_norm(layer, t);
        wide_release(&dsum);
        dsum = normalise_back(G, &sum);
        round_off(&dsum, layer, SITE_BACK_SUM);
    }
    if (layer->p[ATTN_B_O].rows > 0)
        b.p[ATTN_B_O] = column_sums(&dsum);
    b.p[ATTN_W_O] = product(&t->Z, true, &dsum, false);
    b.Z = product(&dsum, false, &layer->p[ATTN_W_O], true);
    round_off(&b.Z, layer, SITE_BACK_READ);
    weights_back(&b, layer, t);
    if (layer->p[ATTN_W_QK].at != NULL) {
        products_back(&b, &dinput, layer, t);
    } else {
        factors_back(&b, layer, t);
        projected_back(&b, &dinput, layer, t, 0);
        projected_back(&b, &dinput, layer, t, 1);
    }
    projected_back(&b, &dinput, layer, t, 2);
    round_off(&dinput, layer, SITE_BACK_INPUT);
    b.x = s->block == BLOCK_PRE_NORM ? normalise_back(&dinput, &layer->x) : copied(&dinput);
    round_off(&b.x, layer, SITE_BACK_NORMED);
    for (int e = 0; s->block != BLOCK_ATTENTION && e < s->T * s->D; e++)
        b.x.at[e] += dsum.at[e];
    wide_release(&dsum), wide_release(&dinput);
    return b;
}

void wide_back_release(WideBack *b) {
    Wide *const all[] = {&b->x, &b->Q, &b->K, &b->V, &b->S, &b->A, &b->Z};
    for (size_t i = 0; i < ARRAY_COUNT(all); i++)
        wide_release(all[i]);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        wide_release(&b->p[p]);
}
