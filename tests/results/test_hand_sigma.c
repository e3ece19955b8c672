/* Singular values of W_QK that are set by hand, against the definition: W_QK is decomposed here as
 * one matrix, a value is replaced, and scores and weights are computed from the result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "math/decompose.h"
#include "model/attention/hand_numbers.h"
#include "results/by_hand.h"
#include "results/fresh.h"
#include "support/test.h"

#define HEAD   2 /* the edited head, from 1 */
#define SIDE   17
#define WIDEST ((size_t)SIDE * SIDE)

static const char *const LAYERS[] = {
    "d-k=4",
    "bias=all&positions=none&d-k=4",
    "positions=rope&d-k=6",
    "positions=none&d-k=20",
    "form=merged&bias=all&positions=none&d-k=4",
    "form=free&bias=all&positions=none&d-k=4",
};

static void edit(Bench *b, const char *numbers) {
    must(hand_set_read(&b->session.hand, numbers, strlen(numbers), &told) &&
         session_check(&b->session, &told));
}

/* Add numbers to those that the session has. */
static void edit_more(Bench *b, const char *numbers) {
    LOCAL(text_out_release) TextOut all = {0};
    hand_set_write(&all, b->session.hand);
    text_out(&all, ";%s", numbers);
    edit(b, all.at);
}

static void open_layer(Bench *b, const char *layer) {
    *b = bench_of("text=the cat sat on a mat&embedding=random&d-model=16&heads=4&%s", layer);
    edit(b, strstr(layer, "free") != NULL       ? "W_QK2(3,1)=0.75"
            : strstr(layer, "bias=all") != NULL ? "W_Q2(1,1)=0.5;b_Q2(1,2)=0.25;b_K2(1,1)=-0.5"
                                                : "W_Q2(1,1)=0.5");
    check_fresh(b, TOKENS, "the layer before");
}

/* Fill w (E, E) with a head's W_QK, from the parameters alone. */
static void product_of(Mat *w, const Bench *b, int head) {
    const AttnShape *shape = shape_of(b);
    const AttnParams *params = &b->run.layers[0].params;
    int E = attn_input_width(shape), K = shape->K;
    *w = (Mat){w->at, E, E, E};
    for (int i = 0; i < E; i++)
        for (int j = 0; j < E; j++) {
            double sum = 0;
            for (int k = 0; k < K && shape->form != FORM_FREE; k++) {
                const Mat *q = &params->p[i < shape->D ? ATTN_W_Q : ATTN_B_Q];
                const Mat *key = &params->p[j < shape->D ? ATTN_W_K : ATTN_B_K];
                sum += (double)mat_row(q, i < shape->D ? i : 0)[head * K + k] *
                       (double)mat_row(key, j < shape->D ? j : 0)[head * K + k];
            }
            if (shape->form == FORM_FREE)
                sum = (double)mat_row(&params->p[ATTN_W_QK], head * E + i)[j];
            mat_row(w, i)[j] = (float)sum;
        }
}

/* Decomposed W_QK of one head. */
typedef struct Parts {
    float u_at[WIDEST], v_at[WIDEST];
    double sigma[SIDE];
    Mat u, v;
} Parts;

static void decompose(Parts *out, const Mat *w) {
    out->u = (Mat){out->u_at, w->rows, w->rows, w->rows};
    out->v = (Mat){out->v_at, w->rows, w->rows, w->rows};
    must(decompose_matrix(&out->u, out->sigma, &out->v, w, &told));
}

static double part_entry(const Parts *p, int i, int j) {
    double sum = 0;
    for (int r = 0; r < p->u.cols; r++)
        sum += (double)mat_row(&p->u, i)[r] * p->sigma[r] * (double)mat_row(&p->v, j)[r];
    return sum;
}

static int descending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

static int value_count(const AttnShape *shape) {
    int count, cols;
    hand_name_size(&count, &cols, HAND_SIGMA, shape);
    return count;
}

TEST(one_value_is_replaced_and_the_others_stay) {
    for (size_t l = 0; l < ARRAY_COUNT(LAYERS); l++) {
        static float before_at[4][WIDEST], now_at[WIDEST];
        static Parts parts, now_parts;
        BENCH(b, open_layer, LAYERS[l]);
        for (int h = 0; h < 4; h++)
            product_of(&(Mat){before_at[h], 0, 0, 0}, &b, h);
        Mat w = {now_at, 0, 0, 0}, before = {before_at[HEAD - 1], SIDE, SIDE, SIDE};
        int E = attn_input_width(shape_of(&b)), count = value_count(shape_of(&b));
        before.rows = before.cols = before.stride = E;
        decompose(&parts, &before);
        edit_more(&b, "sigma2(2)=3.5;sigma2(3)=0;sigma2(4)=0.125");
        check_fresh(&b, TOKENS, "singular values");
        parts.sigma[1] = 3.5;
        parts.sigma[2] = 0;
        parts.sigma[3] = 0.125;
        for (int h = 0; h < 4; h++) {
            product_of(&w, &b, h);
            for (int i = 0; i < E; i++)
                for (int j = 0; j < E; j++) {
                    double expected =
                        h == HEAD - 1 ? part_entry(&parts, i, j) : (double)before_at[h][i * E + j];
                    if (fabs((double)mat_row(&w, i)[j] - expected) > (h == HEAD - 1 ? 2e-6 : 0))
                        fail_msg("layer %zu, head %d (%d, %d): %g, not %g", l, h + 1, i + 1, j + 1,
                                 (double)mat_row(&w, i)[j], expected);
                }
        }
        product_of(&w, &b, HEAD - 1);
        decompose(&now_parts, &w);
        qsort(parts.sigma, (size_t)count, sizeof parts.sigma[0], descending);
        for (int k = 0; k < count; k++)
            if (fabs(now_parts.sigma[k] - parts.sigma[k]) > 1e-5 * fmax(parts.sigma[k], 0.1))
                fail_msg("layer %zu: value %d is %g, not %g", l, k + 1, now_parts.sigma[k],
                         parts.sigma[k]);
    }
}

/* Scores and weights are those of the product with the value replaced. */
TEST(the_weights_follow_from_the_definition) {
    static const char *const forms[] = {"d-k=4", "form=merged&d-k=4", "form=free&d-k=4"};
    for (size_t f = 0; f < ARRAY_COUNT(forms); f++) {
        static float at[WIDEST];
        static Parts parts;
        BENCH(b, open_layer, forms[f]);
        Mat w = {at, 0, 0, 0};
        product_of(&w, &b, HEAD - 1);
        decompose(&parts, &w);
        edit_more(&b, "sigma2(1)=9");
        check_fresh(&b, TOKENS, "a singular value");
        parts.sigma[0] = 9;
        const Mat *X = &b.run.X;
        Mat A = results_weights(&b.run, 0, HEAD - 1);
        for (int i = 0; i < X->rows; i++) {
            double weight[TOKENS], sum = 0;
            for (int j = 0; j < X->rows; j++) {
                double score = 0;
                for (int a = 0; a < X->cols; a++)
                    for (int c = 0; c < X->cols; c++)
                        score += (double)mat_row(X, i)[a] * part_entry(&parts, a, c) *
                                 (double)mat_row(X, j)[c];
                weight[j] = exp(score * (double)shape_of(&b)->score_factor);
                sum += weight[j];
            }
            for (int j = 0; j < X->rows; j++)
                assert_true(fabs((double)mat_row(&A, i)[j] - weight[j] / sum) <= 1e-5);
        }
    }
}

/* A value keeps its index even if it becomes larger or smaller than its neighbours. */
TEST(every_value_is_found_again_by_its_index) {
    float old[8];
    BENCH(b, open_layer, "positions=none&d-k=8");
    HandNumber place = {.name = HAND_SIGMA, .head = HEAD - 1};
    for (place.row = 0; place.row < 8; place.row++)
        old[place.row] = results_hand_value(&b.run, &place);
    edit(&b, "W_Q2(1,1)=0.5;sigma2(1)=0;sigma2(5)=50;sigma2(6)=50");
    check_fresh(&b, TOKENS, "singular values");
    for (place.row = 0; place.row < 8; place.row++) {
        float now = results_hand_value(&b.run, &place);
        float expected = place.row == 0                     ? 0
                         : place.row == 4 || place.row == 5 ? 50
                                                            : old[place.row];
        if (fabsf(now - expected) > 1e-4f)
            fail_msg("value %d is %g, not %g", place.row + 1, (double)now, (double)expected);
    }
    place.row = 8;
    assert_true(isnan(results_hand_value(&b.run, &place)));
}

TEST(a_value_of_0_is_refused_with_a_reason) {
    BENCH(b, open_layer, LAYERS[0]);
    set(&b, "init", "zeros");
    edit(&b, "sigma2(1)=0");
    assert_true(update(&b));
    edit(&b, "sigma2(1)=1");
    assert_false(update(&b));
    assert_string_equal(b.run.err.what, "sigma2(1)");
    assert_non_null(strstr(b.run.err.why, "no factor makes 0 larger"));
}

/* Stop takes effect before the next head. */
TEST(a_stopped_job_decomposes_no_further_head) {
    BENCH(b, open_layer, LAYERS[0]);
    LayerResults *layer = &b.run.layers[0];
    float *first = mat_row(&layer->params.p[ATTN_W_Q], 0), before = first[0];
    const HandNumber number = {.name = HAND_SIGMA, .value = 9};
    Job job = {.stop = true};
    must(hand_params_apply(&layer->params, (HandNumbers){&number, 1}, shape_of(&b), &job, &told));
    assert_true(first[0] == before);
    must(hand_params_apply(&layer->params, (HandNumbers){&number, 1}, shape_of(&b), NULL, &told));
    assert_true(first[0] != before);
}
