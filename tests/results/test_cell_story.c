/* A cell's numbers against the pass in double. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "model/attention/block.h"
#include "model/attention/position.h"
#include "results/cell_story.h"
#include "results/fresh.h"
#include "support/test.h"

#define SMALL "text=the%20cat%20sat%20on%20the%20mat&embedding=random&d-model=16&heads=2"

static void open_state(Bench *b, const char *more) {
    *b = bench_of("%s%s", SMALL, more);
    assert_true(update(b));
}

/* Relative to the size of what was summed. */
static void near(double is, double wanted, double size, const char *what, const char *state) {
    if (!(fabs(is - wanted) <= 2e-5 * (1 + fabs(size))))
        fail_msg("%s of %s is %g and not %g", what, state, is, wanted);
}

/* x = e + p, its length, and the layer's input. */
static void check_input(const Bench *b, const CellStory *n, const char *state) {
    int positions = b->session.options.positions;
    double square = 0;
    for (int m = 0; m < n->shape->D; m++) {
        double x = (double)n->x[m];
        square += x * x;
        if (n->word != NULL)
            near((double)n->word[m] + (double)n->position[m], x, 4, "e + p", state);
        if (n->shape->block == BLOCK_PRE_NORM)
            near((double)n->input[m], (x - n->input_norm.mean) / n->input_norm.std, 4, "LN(x)",
                 state);
    }
    near(n->length, sqrt(square), square, "norm", state);
    assert_int_equal(n->word != NULL,
                     positions == POSITION_SINUSOIDAL || positions == POSITION_LEARNED);
}

/* Each number of a projection is a row of the layer's input times a column of the parameter, and
 * its bias. */
static void check_projection(const Bench *b, const CellStory *n, const float *values, int count,
                             AttnParam weight, AttnParam bias, int row, const char *state) {
    const Mat *p = b->run.layers[n->at.layer].params.p;
    const float *x = mat_row(&n->trace->input, row);
    for (int m = 0; m < count; m++) {
        int col = n->at.head * count + m;
        double sum = n->shape->bias == BIAS_ALL ? (double)p[bias].at[col] : 0;
        for (int d = 0; d < n->shape->D; d++)
            sum += (double)x[d] * (double)mat_row(&p[weight], d)[col];
        near((double)values[m], sum, 4, "a projection", state);
    }
}

/* The score is the sum of its terms, the weight a share of the softmax, z the sum of all values. */
static void check_weight(const CellStory *n, const char *state) {
    const AttnShape *shape = n->shape;
    double terms = 0, size = 0, sum = 0;
    for (int m = 0; m < n->term_count; m++) {
        terms += (double)n->terms[m];
        size += fabs((double)n->terms[m]);
    }
    assert_true(n->term_count > 0 && !n->is_set);
    near(n->dot, terms, size, "q·k", state);
    near((double)n->score, terms * (double)shape->score_factor, size, "s", state);
    near((double)n->score, n->computed, size, "the computed s", state);
    for (int j = 0; j < shape->T; j++)
        sum += (double)n->weights[j];
    near(sum, n->open_keys > 0 ? 1 : 0, 1, "Σa", state);
    near((double)n->weight * n->softmax.sum, n->softmax.power, n->softmax.sum, "a", state);
    Mat V = attn_head_value(&n->trace->V, shape, n->at.head);
    for (int m = 0; m < shape->V; m++) {
        double read = 0;
        for (int j = 0; j < shape->T; j++)
            read += (double)n->weights[j] * (double)mat_row(&V, j)[m];
        near((double)n->read[m], read, 4, "z", state);
    }
}

static void check_output(const CellStory *n, const char *state) {
    double sum = n->bias + n->residual;
    for (int h = 0; h < n->shape->H; h++)
        sum += n->head_parts[h];
    near(n->sum, sum, 4, "sum", state);
    if (n->shape->block == BLOCK_POST_NORM)
        sum = (sum - n->output_norm.mean) / n->output_norm.std;
    near((double)n->output, sum, 4, "y", state);
}

/* The numbers of a few cells of both layers of one state. */
static void check_state(const char *state) {
    LOCAL(bench_close) Bench b;
    LOCAL(arena_release) Arena arena = {0};
    open_state(&b, state);
    const AttnShape *shape = shape_of(&b);
    for (int i = 0; i < 12; i++) {
        AttnCell at = {i / 6, i % 2, i % 6, 5 - i % 6};
        must(arena_reserve(&arena, cell_story_bytes(shape), &told));
        CellStory n = cell_story(&b.run, at, 3 * (i % 6), &arena);
        check_input(&b, &n, state);
        check_projection(&b, &n, n.value, shape->V, ATTN_W_V, ATTN_B_V, at.key, state);
        if (attn_has_factors(shape) && !shape->rope) {
            check_projection(&b, &n, n.query, shape->K, ATTN_W_Q, ATTN_B_Q, at.query, state);
            check_projection(&b, &n, n.key, shape->K, ATTN_W_K, ATTN_B_K, at.key, state);
        }
        check_weight(&n, state);
        check_output(&n, state);
    }
}

TEST(the_numbers_are_those_of_the_pass_in_double) {
    static const char *const rest[] = {
        "&mask=causal&temperature=0.5",  "&positions=rope&scale=none",
        "&positions=learned&d-v=4",      "&positions=none&mask=window:1",
        "&close=3-1..6&init=he_uniform", "&temperature=0.02"};
    for (int form = 0; form < ATTN_FORMS.count; form++)
        for (int block = 0; block < ATTN_BLOCKS.count; block++)
            for (int bias = 0; bias < ATTN_BIASES.count; bias++)
                for (size_t i = 0; i < ARRAY_COUNT(rest); i++) {
                    char text[160];
                    bool has_rope = strstr(rest[i], "rope") != NULL;
                    if (has_rope && (form == FORM_RANK || form == FORM_FREE))
                        continue;
                    snprintf(text, sizeof text, "&beside=gpt2&form=%s&block=%s&bias=%s%s",
                             form == FORM_RANK ? "rank:3" : registry_entry(&ATTN_FORMS, form)->id,
                             registry_entry(&ATTN_BLOCKS, block)->id,
                             registry_entry(&ATTN_BIASES, bias)->id, rest[i]);
                    check_state(text);
                }
}

/* A score set by hand, in both layers, stands next to the one that each layer computes. */
TEST(a_score_set_by_hand_keeps_what_is_computed) {
    LOCAL(bench_close) Bench b, plain;
    open_state(&b, "&beside=normal&set=S1(3,2)=5");
    open_state(&plain, "&beside=normal");
    ARENA(arena, 4 * cell_story_bytes(shape_of(&b)));
    for (int layer = 0; layer < 2; layer++) {
        AttnCell at = {layer, 0, 2, 1};
        CellStory set = cell_story(&b.run, at, -1, &arena);
        CellStory free = cell_story(&plain.run, at, -1, &arena);
        assert_true(set.is_set && !free.is_set && set.score == 5);
        assert_true(fabs(set.computed - (double)free.score) < 1e-5);
    }
}
