#include <math.h>
#include <string.h>

#include "base/util.h"
#include "document/state.h"
#include "io/tensors.h"
#include "model/attention/form.h"
#include "results/by_hand.h"
#include "results/fresh.h"
#include "support/opened.h"
#include "support/test.h"

#define WRITTEN (-1.375f)

/* The layers in which numbers are set. */
static const char *const LAYERS[] = {"",
                                     "bias=all&positions=rope&block=pre-norm",
                                     "form=merged&bias=all&positions=none&block=residual",
                                     "form=merged&positions=rope",
                                     "form=rank:3&bias=output&block=post-norm",
                                     "form=free&bias=all&positions=none",
                                     "form=nested&bias=all"};

static void open_layer(Bench *b, int layer) {
    *b = bench_of("text=the cat sat on a mat&embedding=random&d-model=16&%s", LAYERS[layer]);
    check_fresh(b, TOKENS, "the layer before");
}

/* The last number of a name in the last head, or its largest singular value; false if the layer has
 * none. */
static bool last_of(HandNumber *out, int name, const AttnShape *shape) {
    int rows, cols;
    hand_name_size(&rows, &cols, name, shape);
    *out = (HandNumber){name, hand_name_has_heads(name) ? shape->H - 1 : 0, rows - 1, cols - 1,
                        WRITTEN};
    if (name == HAND_SIGMA) {
        out->row = 0;
        out->value = -WRITTEN;
    }
    return rows > 0;
}

static size_t read_tensor(float *out, size_t most, const TensorView *tensor) {
    size_t count = tensor_count(tensor);
    assert_true(count <= most);
    tensor_read(out, tensor, 0, count);
    return count;
}

#define NUMBERS_MAX 8192
static float before[TENSORS_MAX][NUMBERS_MAX];

static int read_all(float out[TENSORS_MAX][NUMBERS_MAX], TensorView tensors[TENSORS_MAX],
                    const Bench *b) {
    int count = tensors_of_run(tensors, &b->run, 0);
    for (int i = 0; i < count; i++)
        read_tensor(out[i], NUMBERS_MAX, &tensors[i]);
    return count;
}

static void change(Bench *b, const HandNumber *number, bool keep) {
    HandPaint paint = hand_paint_of(number, keep);
    must(hand_set_paint(&b->session.hand, &paint, &told));
    must(session_check(&b->session, &told));
}

/* True if the tensor is a product of two parameters of the nested form. */
static bool is_derived(const char *tensor, const AttnShape *shape) {
    return shape->form == FORM_NESTED &&
           (strcmp(tensor, "W_Q") == 0 || strcmp(tensor, "W_K") == 0 || strcmp(tensor, "W_V") == 0);
}

/* b_K, and the last entry of a W_QK with biases, b_Q·b_K, add the same to each score of a row,
 * which no weight follows but by rounding. */
static bool is_lost_in_softmax(const HandNumber *number, const AttnShape *shape) {
    return number->name == ATTN_B_K || (number->name == ATTN_W_QK && number->row == shape->D);
}

/* Head h's Z after its gain or mean was set, from Z (H, T, V) before. */
static void expect_output(float *now, const float *z, const HandNumber *number,
                          const AttnShape *shape) {
    size_t T = (size_t)shape->T, V = (size_t)shape->V, first = (size_t)number->head * T * V;
    for (size_t j = 0; j < V; j++) {
        float mean = 0;
        for (size_t i = 0; i < T; i++)
            mean += z[first + i * V + j] / (float)T;
        for (size_t i = 0; i < T; i++) {
            float old = z[first + i * V + j];
            float wanted = number->name == HAND_GAIN ? WRITTEN * old : old + WRITTEN * (mean - old);
            assert_true(fabsf(now[first + i * V + j] - wanted) <= 1e-5f);
            now[first + i * V + j] = old;
        }
    }
}

/* Tensors are listed in the order of the pass: those before the name keep their bits, the named one
 * has the value, and Y changes. */
static void check_number(Bench *b, const HandNumber *number) {
    TensorView tensors[TENSORS_MAX];
    float now[NUMBERS_MAX];
    int count = read_all(before, tensors, b);
    change(b, number, true);
    check_fresh(b, TOKENS, hand_name_id(number->name));
    count = tensors_of_run(tensors, &b->run, 0);
    bool is_found = false, in_z = number->name >= HAND_GAIN; /* it is no tensor itself */
    bool in_weights = number->name == HAND_SIGMA; /* nor this; test_hand_sigma.c has its value */
    const char *of_sigma = shape_of(b)->form == FORM_FREE ? "W_QK" : "W_Q";
    const char *id = in_z ? "Z" : in_weights ? of_sigma : hand_name_id(number->name);
    for (int i = 0; i < count; i++) {
        size_t size = read_tensor(now, NUMBERS_MAX, &tensors[i]);
        if (strcmp(tensors[i].name, id) == 0 && in_z) {
            is_found = true;
            expect_output(now, before[i], number, shape_of(b));
            assert_memory_equal(now, before[i], size * sizeof now[0]);
        } else if (strcmp(tensors[i].name, id) == 0) {
            is_found = true;
            size_t changed = 0;
            for (size_t k = 0; k < size; k++)
                changed += memcmp(&now[k], &before[i][k], sizeof now[k]) != 0;
            assert_true(in_weights ? changed > 1 : changed == 1);
            assert_true(in_weights || now[size - 1] == WRITTEN);
        } else if (!is_found && !is_derived(tensors[i].name, shape_of(b)) &&
                   memcmp(now, before[i], size * sizeof now[0]) != 0) {
            fail_msg("%s changed when %s was set", tensors[i].name, hand_name_id(number->name));
        }
        bool follows =
            strcmp(tensors[i].name, "Y") == 0 && !is_lost_in_softmax(number, shape_of(b));
        if (follows && memcmp(now, before[i], size * sizeof now[0]) == 0)
            fail_msg("Y does not follow %s", hand_name_id(number->name));
    }
    assert_true(is_found);
}

static void check_state(const Bench *b) {
    LOCAL(free_at) char *string = state_make(&b->session, NULL);
    LOCAL(session_release) Session again = session_opened(string);
    assert_true(session_equal(&again, &b->session));
}

static void check_undone(const Bench *b, const char *name) {
    TensorView tensors[TENSORS_MAX];
    float now[NUMBERS_MAX];
    int count = tensors_of_run(tensors, &b->run, 0);
    for (int i = 0; i < count; i++) {
        size_t size = read_tensor(now, NUMBERS_MAX, &tensors[i]);
        if (memcmp(now, before[i], size * sizeof now[0]) != 0)
            fail_msg("%s is not as it was before %s was set", tensors[i].name, name);
    }
}

TEST(every_number_is_set_written_and_taken_back) {
    int tried[HAND_NAME_COUNT] = {0};
    for (int i = 0; i < (int)ARRAY_COUNT(LAYERS); i++) {
        BENCH(b, open_layer, i);
        for (int name = 0; name < HAND_NAME_COUNT; name++) {
            HandNumber number;
            if (!last_of(&number, name, shape_of(&b)))
                continue;
            tried[name]++;
            check_number(&b, &number);
            check_state(&b);
            change(&b, &number, false);
            check_fresh(&b, TOKENS, "taking it back");
            check_undone(&b, hand_name_id(name));
            assert_null(b.session.hand);
        }
    }
    for (int name = 0; name < HAND_NAME_COUNT; name++)
        if (tried[name] == 0)
            fail_msg("%s was never set", hand_name_id(name));
}

TEST(a_score_moves_one_row_and_a_weight_moves_all) {
    BENCH(b, open_layer, 0);
    const HandNumber numbers[] = {{HAND_S, 1, 3, 2, 5}, {ATTN_W_Q, 1, 4, 0, 3}};
    const int rows[] = {1, 6};
    for (int i = 0; i < 2; i++) {
        float old[64];
        Mat A = results_weights(&b.run, 0, 1);
        for (int k = 0; k < A.rows; k++)
            old[k] = mat_row(&A, k)[0];
        change(&b, &numbers[i], true);
        check_fresh(&b, TOKENS, "a number");
        int moved = 0;
        A = results_weights(&b.run, 0, 1);
        for (int k = 0; k < A.rows; k++)
            moved += fabsf(mat_row(&A, k)[0] - old[k]) > 1e-6f;
        assert_int_equal(moved, rows[i]);
        change(&b, &numbers[i], false);
        check_fresh(&b, TOKENS, "no number");
    }
}

static double loss_of(Bench *b, const HandNumber *number) {
    change(b, number, true);
    assert_true(update(b));
    must(results_gradient(&b->run, 0, &told));
    const Mat *G = &b->run.layers[0].gradient.G, *Y = &results_trace(&b->run, 0)->Y;
    double loss = 0;
    for (int t = 0; t < Y->rows; t++)
        for (int d = 0; d < Y->cols; d++)
            loss += (double)mat_row(G, t)[d] * (double)mat_row(Y, t)[d];
    return loss;
}

/* Nothing reaches W_Q through the scores that are set, and everything passes the gain, so finite
 * differences agree. */
TEST(gradients_follow_scores_and_gains_set_by_hand) {
    static const char *const scores =
        "S2(1,1)=1;S2(1,2)=0;S2(1,3)=0;S2(1,4)=-1;S2(1,5)=2;S2(1,6)=0;"
        "gain2(1,1)=-1.5;mean2(1,1)=0.75";
    BENCH(b, open_layer, 0);
    must(hand_set_read(&b.session.hand, scores, strlen(scores), &told));
    for (int i = 0; i < 8; i++) {
        const float step = 0.01f;
        int row = i / 2;
        AttnParam of = i % 2 == 0 ? ATTN_W_Q : ATTN_W_V;
        HandNumber number = {(int)of, 1, row, 1, 0.25f};
        loss_of(&b, &number);
        Mat dW = attn_head_query(&b.run.layers[0].gradient.params.p[of], shape_of(&b), 1);
        double expected = mat_row(&dW, row)[1];
        number.value = 0.25f + step;
        double more = loss_of(&b, &number);
        number.value = 0.25f - step;
        double slope = (more - loss_of(&b, &number)) / (2 * (double)step);
        if (fabs(slope - expected) > 2e-3 + 0.01 * fabs(expected))
            fail_msg("row %d: %g by differences, %g by the backward pass", row, slope, expected);
    }
}

TEST(a_product_set_by_hand_has_no_form_to_compare_with) {
    BENCH(b, open_layer, 2);
    assert_int_equal(b.run.layers[0].checked, FORM_SEPARATE);
    HandNumber number = {ATTN_W_QK, 0, 0, 0, 4};
    change(&b, &number, true);
    check_fresh(&b, TOKENS, "the product");
    assert_int_equal(b.run.layers[0].checked, FORM_UNCHECKED);
}

/* Change a setting, and count the changed numbers. */
static ResultsChange change_by(Bench *b, const char *key, const char *value) {
    Results was;
    must(results_share(&was, &b->run, &told));
    if (key == NULL)
        write_text(b, value);
    else if (strcmp(key, "numbers") == 0)
        must(hand_set_read(&b->session.hand, value, strlen(value), &told));
    else
        set(b, key, value);
    check_fresh(b, TOKENS, "the change");
    ResultsChange change = results_change(&was, &b->run, 1);
    results_release(&was);
    return change;
}

TEST(a_text_changes_weights_and_a_seed_changes_learned_numbers) {
    for (int i = 0; i < (int)ARRAY_COUNT(LAYERS); i++) {
        BENCH(b, open_layer, i);
        const AttnShape *shape = shape_of(&b);
        ResultsChange c = change_by(&b, NULL, "the dog sat on a mat");
        assert_true(c.learned == 0 && c.weights > 0 && c.weights_all == 36);
        bool is_product = !attn_has_factors(shape) || shape->form != FORM_MERGED;
        if (is_product)
            assert_int_equal(c.learned_all, cost_of(shape).parameters);
        c = change_by(&b, NULL, "the dog sat");
        assert_true(c.learned == 0 && c.weights == 9 && c.weights_all == 9);
        c = change_by(&b, "temperature", "2");
        assert_true(c.learned == 0 && c.weights == 9);
        c = change_by(&b, "seed", "2");
        assert_true(c.learned > c.learned_all * 3 / 4 && c.learned <= c.learned_all);
        assert_int_equal(c.weights, 9);
        if (i == 0) {
            c = change_by(&b, "numbers", "W_Q2(3,1)=1");
            assert_true(c.learned == 1 && c.weights == 9);
            c = change_by(&b, "numbers", "W_Q2(3,1)=1;S2(2,1)=3");
            assert_true(c.learned == 0 && c.weights == 3);
        }
    }
}
