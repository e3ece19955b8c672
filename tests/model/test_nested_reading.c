/* The paper's nested layer, compared with sums in double and with its own folded form. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/analysis/nested_reading.h"
#include "model/layer.h"
#include "support/test.h"

#define TOKENS 7
#define WIDTH  12
#define HEADS  3
#define ROUNDS 1e-5

/* A layer's input, its sampled matrices, and its nested reading. */
typedef struct Reading {
    Layer layer;
    SchemePlan plan;
    Arena arena;
    NestedReading nested;
} Reading;

static AttnShape shape_of(int K, int V, AttnBias bias) {
    return (AttnShape){.T = TOKENS,
                       .D = WIDTH,
                       .H = HEADS,
                       .K = K,
                       .V = V,
                       .bias = bias,
                       .form = FORM_NESTED,
                       .score_factor = (float)(1 / sqrt(K))};
}

static bool read(Reading *r, ProductKind kind, int head, Err *err) {
    const AttnShape *shape = &r->layer.shape;
    const NestedInputs inputs = {shape, &r->plan, &r->layer.x, &r->layer.mask, kind, head};
    arena_release(&r->arena);
    assert_true(arena_reserve(&r->arena, nested_reading_bytes(shape, kind), err));
    return nested_reading_push(&r->nested, &r->arena, &inputs, err);
}

static void open_with(Reading *r, AttnShape shape, MaskKind mask, const char *scheme) {
    *r = (Reading){.plan =
                       scheme_plan(registry_find(&SCHEME_REGISTRY, scheme, strlen(scheme)), 1, 5)};
    layer_init(&r->layer, shape, mask, 3);
    must(scheme_draw(&r->layer.params, &shape, &r->plan, &told));
}

static void close_it(Reading *r) {
    arena_release(&r->arena);
    layer_release(&r->layer);
}

static double entry(const Mat *m, int i, int j) {
    return (double)mat_row(m, i)[j];
}

/* Σ over k of a[i][k]·b[k][j]. */
static double product_entry(const Mat *a, const Mat *b, int i, int j) {
    double sum = 0;
    for (int k = 0; k < a->cols; k++)
        sum += entry(a, i, k) * entry(b, k, j);
    return sum;
}

static void check_fold(const NestedReading *n) {
    for (int i = 0; i < n->folded.rows; i++)
        for (int j = 0; j < n->folded.cols; j++)
            assert_true(fabs(product_entry(&n->full, &n->own, i, j) - entry(&n->folded, i, j)) <=
                        ROUNDS * mat_largest(&n->folded));
}

static void check_same(const Mat *a, const Mat *b) {
    assert_true(a->rows == b->rows && a->cols == b->cols);
    assert_true(mat_max_difference(a, b) == 0);
}

/* Its matrices are those of the form nested under that scheme and seed, and fold into their
 * product. */
TEST(the_matrices_are_the_forms_own) {
    static const int widths[][2] = {{4, 4}, {1, 5}, {WIDTH, WIDTH}, {2 * WIDTH, 3}};
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++)
        for (int head = 0; head < HEADS; head++) {
            Reading r;
            open_with(&r, shape_of(widths[i][0], widths[i][1], BIAS_NONE), MASK_NONE,
                      "xavier_normal");
            const AttnParams *params = &r.layer.params;
            const AttnShape *shape = &r.layer.shape;
            must(read(&r, PRODUCT_QK, head, &told));
            Mat own = attn_head_query(&params->p[ATTN_W_Q_HEAD], shape, head);
            check_same(&r.nested.full, &params->p[ATTN_W_Q_FULL]);
            check_same(&r.nested.own, &own);
            check_fold(&r.nested);
            must(read(&r, PRODUCT_OV, head, &told));
            own = attn_head_value(&params->p[ATTN_W_V_HEAD], shape, head);
            check_same(&r.nested.full, &params->p[ATTN_W_V_FULL]);
            check_same(&r.nested.own, &own);
            check_fold(&r.nested);
            close_it(&r);
        }
}

/* ((x·full)·own)[m] of one token, each step rounded to no less than a double. */
static double projected(const Layer *layer, int token, const Mat *full, const Mat *own, int m) {
    double sum = 0;
    for (int k = 0; k < WIDTH; k++)
        sum += product_entry(&layer->x, full, token, k) * entry(own, k, m);
    return sum;
}

static double score(const Layer *layer, int head, int query, int key) {
    const AttnParams *p = &layer->params;
    Mat q = attn_head_query(&p->p[ATTN_W_Q_HEAD], &layer->shape, head);
    Mat k = attn_head_query(&p->p[ATTN_W_K_HEAD], &layer->shape, head);
    double sum = 0;
    for (int m = 0; m < layer->shape.K; m++)
        sum += projected(layer, query, &p->p[ATTN_W_Q_FULL], &q, m) *
               projected(layer, key, &p->p[ATTN_W_K_FULL], &k, m);
    return sum * (double)layer->shape.score_factor;
}

/* softmax over the open keys, in double. */
static void check_attention(const Reading *r, const Mat *A, int head) {
    for (int i = 0; i < TOKENS; i++) {
        double powers[TOKENS], sum = 0;
        for (int j = 0; j < TOKENS; j++) {
            powers[j] = mask_row(&r->layer.mask, i)[j] ? exp(score(&r->layer, head, i, j)) : 0;
            sum += powers[j];
        }
        for (int j = 0; j < TOKENS; j++)
            assert_true(fabs(entry(A, i, j) - (sum > 0 ? powers[j] / sum : 0)) <= ROUNDS);
    }
}

/* The nested and the folded form give the same attention, that of the paper’s formula. */
TEST(both_ways_attend_alike) {
    static const MaskKind masks[] = {MASK_NONE, MASK_CAUSAL};
    for (size_t i = 0; i < ARRAY_COUNT(masks); i++) {
        Reading r;
        float most = 0;
        open_with(&r, shape_of(4, 4, BIAS_NONE), masks[i], "xavier_normal");
        for (int head = 0; head < HEADS; head++) {
            must(read(&r, PRODUCT_QK, head, &told));
            const NestedReading *n = &r.nested;
            check_attention(&r, &n->A_nested, head);
            check_attention(&r, &n->A_folded, head);
            assert_true(n->head_A == mat_max_difference(&n->A_nested, &n->A_folded));
            assert_true((double)n->head_A <= ROUNDS && n->head_A <= n->all_A);
            assert_true(isfinite(n->head_S) && n->head_S <= n->all_S);
            most = fmaxf(most, n->head_A);
        }
        assert_true(r.nested.all_A == most); /* over all heads, whichever is read */
        close_it(&r);
    }
}

/* The paper's additional parameters: a D × D matrix each for queries, keys and values. */
TEST(it_counts_what_both_hold) {
    static const int widths[][2] = {{4, 4}, {1, 5}, {2 * WIDTH, 3}};
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++) {
        Reading r;
        int K = widths[i][0], V = widths[i][1];
        open_with(&r, shape_of(K, V, BIAS_NONE), MASK_NONE, "normal_002");
        must(read(&r, PRODUCT_QK, 0, &told));
        assert_int_equal(r.nested.folded_parameters, 2 * HEADS * WIDTH * K + 2 * HEADS * WIDTH * V);
        assert_int_equal(r.nested.parameters, r.nested.folded_parameters + 3 * WIDTH * WIDTH);
        close_it(&r);
    }
}

/* With zero weights and biases all keys get the same weight, in both forms to the bit. */
TEST(weights_of_zero_read_all_alike) {
    Reading r;
    open_with(&r, shape_of(4, 4, BIAS_ALL), MASK_NONE, "zeros");
    must(read(&r, PRODUCT_QK, 1, &told));
    assert_true(r.nested.all_A == 0 && r.nested.all_S == 0);
    for (int j = 0; j < TOKENS; j++)
        assert_true(fabs(entry(&r.nested.A_folded, 2, j) - 1.0 / TOKENS) <= ROUNDS);
    close_it(&r);
}

TEST(it_fits_its_room) {
    Reading r;
    open_with(&r, shape_of(4, 4, BIAS_OUTPUT), MASK_CAUSAL, "orthogonal");
    must(read(&r, PRODUCT_OV, 2, &told));
    close_it(&r);
}
