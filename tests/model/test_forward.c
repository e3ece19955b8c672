/* The layer with every option mixed, against plain loops in double that share nothing with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/layer.h"
#include "model/params.h"

#define TOLERANCE 1e-5 /* of the largest value */
#define ROUNDS    2000

/* A matrix in double, without gaps. */
typedef struct Wide {
    double *at;
    int rows, cols;
} Wide;

static Wide wide(int rows, int cols) {
    double *at = calloc((size_t)rows * (size_t)cols, sizeof *at);
    assert_non_null(at);
    return (Wide){at, rows, cols};
}

static double *entry(const Wide *m, int i, int j) {
    return &m->at[i * m->cols + j];
}

static Wide widened(const Mat *m) {
    Wide out = wide(m->rows, m->cols);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            *entry(&out, i, j) = (double)mat_row(m, i)[j];
    return out;
}

static Wide product(const Wide *a, const Wide *b) {
    Wide out = wide(a->rows, b->cols);
    for (int i = 0; i < a->rows; i++)
        for (int p = 0; p < a->cols; p++)
            for (int j = 0; j < b->cols; j++)
                *entry(&out, i, j) += *entry(a, i, p) * *entry(b, p, j);
    return out;
}

static void add_bias(Wide *m, const Mat *bias) {
    for (int i = 0; bias->rows > 0 && i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            *entry(m, i, j) += (double)bias->at[j];
}

static void normalise(Wide *m) {
    for (int i = 0; i < m->rows; i++) {
        double mean = 0, variance = 0;
        for (int j = 0; j < m->cols; j++)
            mean += *entry(m, i, j) / m->cols;
        for (int j = 0; j < m->cols; j++)
            variance += pow(*entry(m, i, j) - mean, 2) / m->cols;
        for (int j = 0; j < m->cols; j++)
            *entry(m, i, j) = (*entry(m, i, j) - mean) / sqrt(variance + 1e-5);
    }
}

/* x·W + b, W through its two factors where the form is nested. */
static Wide projected(const Layer *layer, const Wide *x, int which) {
    const Mat *p = layer->params.p;
    Wide out;
    if (layer->shape.form == FORM_NESTED) {
        Wide full = widened(&p[ATTN_W_Q_FULL + which]), head = widened(&p[ATTN_W_Q_HEAD + which]);
        Wide between = product(x, &full);
        out = product(&between, &head);
        free(full.at), free(head.at), free(between.at);
    } else {
        Wide w = widened(&p[ATTN_W_Q + which]);
        out = product(x, &w);
        free(w.at);
    }
    add_bias(&out, &p[ATTN_B_Q + which]);
    return out;
}

static void turn(Wide *m, int K) {
    for (int t = 0; t < m->rows; t++)
        for (int j = 0; j < m->cols; j += 2) {
            double angle = t * pow(10000, -(double)(j % K) / K);
            double a = *entry(m, t, j), b = *entry(m, t, j + 1);
            *entry(m, t, j) = a * cos(angle) - b * sin(angle);
            *entry(m, t, j + 1) = a * sin(angle) + b * cos(angle);
        }
}

typedef struct Reference {
    Wide Q, K, V, S, A, Z, Y;
} Reference;

/* x_i W_QK x_jᵀ, with a last entry of 1 where W_QK has a row for it. */
static double score_of_product(const Wide *x, const Mat *W, int i, int j) {
    double sum = 0;
    for (int a = 0; a < W->rows; a++)
        for (int b = 0; b < W->cols; b++) {
            double left = a < x->cols ? *entry(x, i, a) : 1;
            double right = b < x->cols ? *entry(x, j, b) : 1;
            sum += left * (double)mat_row(W, a)[b] * right;
        }
    return sum;
}

static void fill_scores(Reference *r, const Layer *layer, const Wide *x) {
    const AttnShape *s = &layer->shape;
    bool by_product = s->form == FORM_FREE || (s->form == FORM_RANK && s->rank < s->K);
    r->S = wide(s->H * s->T, s->T);
    for (int h = 0; h < s->H; h++) {
        Mat W = {0};
        if (by_product)
            W = attn_head_product(&layer->trace.W_QK, s, h);
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++) {
                double sum = by_product ? score_of_product(x, &W, i, j) : 0;
                for (int k = 0; !by_product && k < s->K; k++)
                    sum += *entry(&r->Q, i, h * s->K + k) * *entry(&r->K, j, h * s->K + k);
                *entry(&r->S, h * s->T + i, j) = sum * (double)s->score_factor;
            }
    }
}

static void fill_weights(Reference *r, const Layer *layer) {
    const AttnShape *s = &layer->shape;
    r->A = wide(s->H * s->T, s->T);
    for (int row = 0; row < s->H * s->T; row++) {
        const uint8_t *open = mask_row(&layer->mask, row % s->T);
        double largest = -INFINITY, sum = 0;
        for (int j = 0; j < s->T; j++)
            largest = open[j] ? fmax(largest, *entry(&r->S, row, j)) : largest;
        for (int j = 0; j < s->T; j++)
            sum += open[j] ? exp(*entry(&r->S, row, j) - largest) : 0;
        for (int j = 0; j < s->T; j++)
            *entry(&r->A, row, j) = open[j] ? exp(*entry(&r->S, row, j) - largest) / sum : 0;
    }
}

static void fill_output(Reference *r, const Layer *layer, const Wide *x) {
    const AttnShape *s = &layer->shape;
    r->Z = wide(s->T, s->H * s->V);
    for (int h = 0; h < s->H; h++)
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++)
                for (int v = 0; v < s->V; v++)
                    *entry(&r->Z, i, h * s->V + v) +=
                        *entry(&r->A, h * s->T + i, j) * *entry(&r->V, j, h * s->V + v);
    Wide W_O = widened(&layer->params.p[ATTN_W_O]);
    r->Y = product(&r->Z, &W_O);
    free(W_O.at);
    add_bias(&r->Y, &layer->params.p[ATTN_B_O]);
    for (int e = 0; s->block != BLOCK_ATTENTION && e < s->T * s->D; e++)
        r->Y.at[e] += x->at[e];
    if (s->block == BLOCK_POST_NORM)
        normalise(&r->Y);
}

static Reference reference_of(const Layer *layer) {
    const AttnShape *s = &layer->shape;
    Reference r = {0};
    Wide x = widened(&layer->x), input = widened(&layer->x);
    if (s->block == BLOCK_PRE_NORM)
        normalise(&input);
    if (s->form != FORM_FREE) {
        r.Q = projected(layer, &input, 0);
        r.K = projected(layer, &input, 1);
    }
    r.V = projected(layer, &input, 2);
    if (s->rope) {
        turn(&r.Q, s->K);
        turn(&r.K, s->K);
    }
    fill_scores(&r, layer, &input);
    fill_weights(&r, layer);
    fill_output(&r, layer, &x);
    free(x.at), free(input.at);
    return r;
}

static void reference_release(Reference *r) {
    free(r->Q.at), free(r->K.at), free(r->V.at), free(r->S.at), free(r->A.at), free(r->Z.at);
    free(r->Y.at);
}

static void check_close(const Mat *m, const Wide *expected, const char *name, const char *what) {
    char text[240];
    snprintf(text, sizeof text, "%s: %s", what, name);
    assert_int_equal(m->rows, expected->rows);
    assert_int_equal(m->cols, expected->cols);
    layer_assert_close(m, expected->at, TOLERANCE, text);
}

/* The terms of a score add up to it, in every form. */
static void check_terms(const Layer *layer, int head, int query, int key, double largest,
                        const char *what) {
    float terms[64];
    const AttnShape *s = &layer->shape;
    int count = attn_score_terms(terms, 64, &layer->trace, s, &layer->params, head, query, key);
    double sum = 0;
    assert_int_equal(count,
                     s->form == FORM_MERGED || !attn_has_factors(s) ? attn_input_width(s) : s->K);
    for (int m = 0; m < count; m++)
        sum += (double)terms[m];
    Mat S = attn_head_scores(&layer->trace.S, s, head);
    double score = (double)mat_row(&S, query)[key];
    if (fabs(sum * (double)s->score_factor - score) > 2 * TOLERANCE * largest)
        fail_msg("%s: terms add up to %g, the score is %g", what, sum, score);
}

/* With rope: a score from the matrix of its distance. */
static void check_offsets(const Layer *layer, const Reference *r, double largest,
                          const char *what) {
    const AttnShape *s = &layer->shape;
    Arena arena = {0};
    Err err;
    int E = attn_input_width(s);
    assert_true(arena_reserve(&arena, attn_offset_bytes(s), &err));
    Mat family = attn_offset_push(&arena, s, &layer->params);
    assert_int_equal(family.rows, (2 * s->T - 1) * s->H * E);
    Wide x = widened(&layer->trace.input);
    for (int h = 0; h < s->H; h++)
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++) {
                Mat W = mat_rows(&family, ((i - j + s->T - 1) * s->H + h) * E, E);
                double score = score_of_product(&x, &W, i, j) * (double)s->score_factor;
                if (fabs(score - *entry(&r->S, h * s->T + i, j)) > TOLERANCE * largest)
                    fail_msg("%s: offset %d gives %g", what, i - j, score);
            }
    free(x.at);
    arena_release(&arena);
}

static void check_layer(const Layer *layer, const char *what) {
    const AttnShape *s = &layer->shape;
    const AttnTrace *t = &layer->trace;
    Reference r = reference_of(layer);
    double largest = 0;
    for (int e = 0; e < s->H * s->T * s->T; e++)
        largest = fmax(largest, fabs(r.S.at[e]));
    if (attn_has_factors(s)) {
        check_close(&t->Q, &r.Q, "Q", what);
        check_close(&t->K, &r.K, "K", what);
    }
    check_close(&t->V, &r.V, "V", what);
    check_close(&t->S, &r.S, "S", what);
    check_close(&t->A, &r.A, "A", what);
    check_close(&t->Z, &r.Z, "Z", what);
    check_close(&t->Y, &r.Y, "Y", what);
    check_terms(layer, s->H - 1, s->T - 1, s->T / 2, largest, what);
    if (s->rope && s->form == FORM_MERGED && s->T * s->D < 200)
        check_offsets(layer, &r, largest, what);
    reference_release(&r);
}

/* A number from 1 to most. */
static int roll(Rng rng, int *draws, int most) {
    return 1 + (int)(rng_bits(rng, (uint64_t)(*draws)++) % (uint64_t)most);
}

static AttnShape draw_shape(Rng rng, int *draws) {
    AttnShape s = {.T = roll(rng, draws, 20), .D = roll(rng, draws, 40), .H = roll(rng, draws, 4)};
    s.K = roll(rng, draws, 14);
    s.V = roll(rng, draws, 14);
    s.form = (AttnForm)(roll(rng, draws, FORM_COUNT) - 1);
    s.bias = (AttnBias)(roll(rng, draws, BIAS_COUNT) - 1);
    s.block = (AttnBlock)(roll(rng, draws, BLOCK_COUNT) - 1);
    s.rank = roll(rng, draws, s.D);
    s.rope = s.form != FORM_RANK && s.form != FORM_FREE && s.K % 2 == 0 && roll(rng, draws, 2) == 1;
    s.score_factor = (float)(1 / (sqrt(s.K) * roll(rng, draws, 4) / 2));
    return s;
}

static void every_option_mixed_agrees_with_plain_loops(void **state) {
    (void)state;
    const char *given = getenv("HEADLIGHT_TEST_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : 20261121;
    print_message("# HEADLIGHT_TEST_SEED=%llu\n", (unsigned long long)seed);
    for (int round = 0; round < ROUNDS; round++) {
        Rng rng = rng_stream(seed, (uint64_t)round);
        int draws = 0, kind;
        AttnShape s = draw_shape(rng, &draws);
        Layer layer;
        kind = roll(rng, &draws, 4);
        layer_init(&layer, s,
                   kind == 1   ? MASK_CAUSAL
                   : kind == 2 ? MASK_WINDOW
                               : MASK_NONE,
                   seed + (uint64_t)round);
        for (int e = 0; kind == 3 && e < s.T * s.T; e++)
            layer.mask.open[e] = roll(rng, &draws, 3) == 1;
        char what[160];
        snprintf(what, sizeof what,
                 "round %d, T %d D %d H %d K %d V %d form %d rank %d bias %d block %d rope %d",
                 round, s.T, s.D, s.H, s.K, s.V, (int)s.form, s.rank, (int)s.bias, (int)s.block,
                 (int)s.rope);
        layer_forward(&layer);
        check_layer(&layer, what);
        layer_release(&layer);
    }
}

static double squared_error(const Mat *a, const Mat *b) {
    double sum = 0;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            sum += pow((double)mat_row(a, i)[j] - (double)mat_row(b, i)[j], 2);
    return sum;
}

/* Eckart and Young: what is lost is the sum of the squares of the singular values left out, which
 * no matrix of that rank can do better; and from d_k up it is the merged product to the bit. */
static void rank_keeps_the_largest_singular_values(void **state) {
    (void)state;
    static const int widths[][2] = {{12, 5}, {5, 12}, {8, 8}, {30, 4}};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int bias = 0; bias < 2; bias++)
            for (int rank = 1; rank <= widths[w][0]; rank++) {
                AttnShape s = {.T = 3, .D = widths[w][0], .H = 2, .K = widths[w][1], .V = 4};
                s.form = FORM_RANK, s.rank = rank, s.score_factor = 1;
                s.bias = bias ? BIAS_ALL : BIAS_NONE;
                Layer layer;
                layer_init(&layer, s, MASK_NONE, 21);
                layer_forward(&layer);
                int E = attn_input_width(&s), count = s.K < E ? s.K : E;
                for (int h = 0; h < s.H; h++) {
                    Mat cut = attn_head_product(&layer.trace.W_QK, &s, h);
                    Mat exact = attn_head_product(&layer.trace.W_QK_exact, &s, h);
                    const float *sigma = mat_row(&layer.trace.sigma, h);
                    double lost = 0;
                    for (int r = 0; r < E; r++) {
                        assert_true(r == 0 || sigma[r] <= sigma[r - 1]);
                        assert_true(r < count || sigma[r] == 0);
                        lost += r >= rank ? pow((double)sigma[r], 2) : 0;
                    }
                    double error = squared_error(&cut, &exact), scale = pow((double)sigma[0], 2);
                    assert_true(fabs(error - lost) < 1e-5 * scale);
                    assert_true(rank < s.K || memcmp(cut.at, exact.at,
                                                     (size_t)E * (size_t)E * sizeof(float)) == 0);
                }
                layer_release(&layer);
            }
}

/* The key's bias adds the same to every score of a query, and so changes no weight. */
static void a_key_bias_changes_no_weight(void **state) {
    (void)state;
    AttnShape s = {.T = 9, .D = 16, .H = 2, .K = 6, .V = 5, .score_factor = 0.4F};
    s.bias = BIAS_ALL;
    Layer with, without;
    layer_init(&with, s, MASK_CAUSAL, 22);
    layer_init(&without, s, MASK_CAUSAL, 22);
    Mat *b = &without.params.p[ATTN_B_K];
    memset(b->at, 0, (size_t)b->cols * sizeof *b->at);
    layer_forward(&with);
    layer_forward(&without);
    assert_true(mat_max_difference(&with.trace.S, &without.trace.S) > 0.1F);
    assert_true(mat_max_difference(&with.trace.A, &without.trace.A) < 1e-6F);
    layer_release(&with);
    layer_release(&without);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_mixed_agrees_with_plain_loops),
        cmocka_unit_test(rank_keeps_the_largest_singular_values),
        cmocka_unit_test(a_key_bias_changes_no_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
