/* The layer with every option mixed, against plain loops in double that share nothing with it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "model/layer.h"
#include "support/test.h"
#include "support/wide.h"

#define TOLERANCE 1e-5 /* of the largest value */
#define ROUNDS    2000

/* x_i W_QK x_jᵀ, with a last entry of 1 if W_QK has a row for it. */
static double score_of_product(const Wide *x, const Mat *W, int i, int j) {
    double sum = 0;
    for (int a = 0; a < W->rows; a++)
        for (int b = 0; b < W->cols; b++) {
            double left = a < x->cols ? *wide_entry(x, i, a) : 1;
            double right = b < x->cols ? *wide_entry(x, j, b) : 1;
            sum += left * (double)mat_row(W, a)[b] * right;
        }
    return sum;
}

static double largest_of(const Wide *m) {
    double largest = 0;
    for (int e = 0; e < m->rows * m->cols; e++)
        largest = fmax(largest, fabs(m->at[e]));
    return largest;
}

static double largest_entry(const Mat *m) {
    Wide wide = wide_of(m);
    double largest = largest_of(&wide);
    wide_release(&wide);
    return largest;
}

/* Return the distance by which roundings move `expected`, a matrix of the exact pass. */
static double rounding_of(const Wide *expected, const WideTrace *trace, const WideLayer *layer) {
    size_t at = (size_t)((const char *)expected - (const char *)trace);
    WideLayer rounded = *layer;
    double most = 0;
    for (int k = 0; k < LAYER_ROUNDINGS; k++) {
        rounded.roundings = (uint64_t)k + 1;
        LOCAL(wide_trace_release) WideTrace other = wide_forward(&rounded);
        most = fmax(most, wide_distance((const void *)((const char *)&other + at), expected));
    }
    return most;
}

/* A layer's exact pass. */
typedef struct Exact {
    WideLayer layer;
    WideTrace trace;
} Exact;

/* summed: about the largest term of an entry's sum. Errors are relative to it if a matrix of few
 * entries is near 0 because its terms cancel. */
static void check_close(const Mat *m, const Wide *expected, double summed, const Exact *exact,
                        const char *name, const char *what) {
    LOCAL(wide_release) Wide got = wide_of(m);
    double most = TOLERANCE * fmax(largest_of(expected), summed);
    double off = wide_distance(&got, expected);
    if (!(off <= most)) /* if terms cancel, see layer.h */
        most += LAYER_WORSE * rounding_of(expected, &exact->trace, &exact->layer);
    if (!(off <= most))
        fail_msg("%s: %s is off by %.3g, more than %.3g", what, name, off, most);
}

/* About the largest term of a score, x_a·W_Q[a][c]·W_K[b][c]·x_b or x_a·W_QK[a][b]·x_b. */
static double largest_term(const Layer *layer, double input) {
    const Mat *p = layer->params.p;
    double product = p[ATTN_W_QK].rows > 0
                         ? largest_entry(&p[ATTN_W_QK])
                         : largest_entry(&p[ATTN_W_Q]) * largest_entry(&p[ATTN_W_K]);
    return input * input * product * (double)layer->shape.score_factor;
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

/* With RoPE, return a score from the matrix of its distance. */
static void check_offsets(const Layer *layer, const WideTrace *r, double largest,
                          const char *what) {
    const AttnShape *s = &layer->shape;
    LOCAL(arena_release) Arena arena = {0};
    int E = attn_input_width(s);
    must(arena_reserve(&arena, attn_offset_bytes(s), &told));
    Mat family = attn_offset_push(&arena, s, &layer->params);
    assert_int_equal(family.rows, (2 * s->T - 1) * s->H * E);
    LOCAL(wide_release) Wide x = wide_of(&layer->trace.input);
    for (int h = 0; h < s->H; h++)
        for (int i = 0; i < s->T; i++)
            for (int j = 0; j < s->T; j++) {
                Mat W = mat_rows(&family, ((i - j + s->T - 1) * s->H + h) * E, E);
                double score = score_of_product(&x, &W, i, j) * (double)s->score_factor;
                if (fabs(score - *wide_entry(&r->S, h * s->T + i, j)) > TOLERANCE * largest)
                    fail_msg("%s: offset %d gives %g", what, i - j, score);
            }
}

static void check_layer(const Layer *layer, const char *what) {
    const AttnShape *s = &layer->shape;
    const AttnTrace *t = &layer->trace;
    Exact exact = {.layer = wide_layer(layer, false)};
    exact.trace = wide_forward(&exact.layer);
    const WideTrace *r = &exact.trace;
    const Mat *p = layer->params.p;
    double input = largest_of(&r->input), term = largest_term(layer, input);
    double largest = fmax(largest_of(&r->S), term);
    if (attn_has_factors(s)) {
        check_close(&t->Q, &r->Q, input * largest_entry(&p[ATTN_W_Q]), &exact, "Q", what);
        check_close(&t->K, &r->K, input * largest_entry(&p[ATTN_W_K]), &exact, "K", what);
    }
    check_close(&t->V, &r->V, input * largest_entry(&p[ATTN_W_V]), &exact, "V", what);
    check_close(&t->S, &r->S, term, &exact, "S", what);
    check_close(&t->A, &r->A, 0, &exact, "A", what);
    check_close(&t->Z, &r->Z, largest_of(&r->V), &exact, "Z", what);
    check_close(&t->Y, &r->Y, largest_of(&r->Z) * largest_entry(&p[ATTN_W_O]), &exact, "Y", what);
    check_terms(layer, s->H - 1, s->T - 1, s->T / 2, largest, what);
    if (s->rope && s->form == FORM_MERGED && s->T * s->D < 200)
        check_offsets(layer, r, largest, what);
    wide_trace_release(&exact.trace);
    wide_layer_release(&exact.layer);
}

TEST(every_option_mixed_agrees_with_plain_loops) {
    uint64_t seed = layer_test_seed();
    for (int round = 0; round < ROUNDS; round++) {
        LOCAL(layer_release) Layer layer;
        char what[LAYER_NAME_BYTES];
        layer_init_round(&layer, what, seed, round);
        layer_forward(&layer);
        check_layer(&layer, what);
    }
}

/* A number from 1 to most. */
static int roll(Rng rng, int *draws, int most) {
    return 1 + (int)(rng_bits(rng, (uint64_t)(*draws)++) % (uint64_t)most);
}

static Layer draw_layer(uint64_t seed, int round) {
    Rng rng = rng_stream(seed, (uint64_t)round);
    int draws = 0, wide = roll(rng, &draws, 8) == 1;
    AttnShape s = {.T = roll(rng, &draws, 45),
                   .D = roll(rng, &draws, wide ? 300 : 40),
                   .H = roll(rng, &draws, 5),
                   .K = roll(rng, &draws, 20),
                   .V = roll(rng, &draws, 20),
                   .form = FORM_SEPARATE,
                   .score_factor = 0};
    s.score_factor = (float)(1 / (sqrt(s.K) * roll(rng, &draws, 4) / 2));
    Layer layer;
    layer_init(&layer, s, round % 3 == 0 ? MASK_CAUSAL : MASK_NONE, seed + (uint64_t)round);
    if (round % 3 == 1)
        for (int e = 0; e < s.T * s.T; e++)
            layer.mask.open[e] = roll(rng, &draws, 3) == 1;
    return layer;
}

/* Larger layers in the separate form. */
TEST(a_wide_layer_agrees_with_plain_loops) {
    uint64_t seed = layer_test_seed();
    for (int round = 0; round < 200; round++) {
        LOCAL(layer_release) Layer layer = draw_layer(seed, round);
        char what[LAYER_NAME_BYTES];
        snprintf(what, sizeof what, "round %d", round);
        layer_forward(&layer);
        check_layer(&layer, what);
    }
}

static double squared_error(const Mat *a, const Mat *b) {
    double sum = 0;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            sum += pow((double)mat_row(a, i)[j] - (double)mat_row(b, i)[j], 2);
    return sum;
}

/* Eckart and Young: the squared error is the sum of the squares of the omitted singular values, the
 * least for any matrix of that rank. From d_k up the form equals the merged product to the bit. */
TEST(rank_keeps_the_largest_singular_values) {
    static const int widths[][2] = {{12, 5}, {5, 12}, {8, 8}, {30, 4}};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int bias = 0; bias < 2; bias++)
            for (int rank = 1; rank <= widths[w][0]; rank++) {
                AttnShape s = {.T = 3, .D = widths[w][0], .H = 2, .K = widths[w][1], .V = 4};
                s.form = FORM_RANK, s.rank = rank, s.score_factor = 1;
                s.bias = bias ? BIAS_ALL : BIAS_NONE;
                LAYER(layer, s, MASK_NONE, 21);
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
            }
}

/* The key's bias adds the same to every score of a query, and so changes no weight. */
TEST(a_key_bias_changes_no_weight) {
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
