#include <string.h>

#include "document/state.h"
#include "results/study_plan.h"
#include "support/opened.h"
#include "support/test.h"

static void set(Session *session, const char *state) {
    must(state_read(session, NULL, state, strlen(state), &told));
}

static void check_same(const Mat *a, const Mat *b) {
    assert_int_equal(a->rows, b->rows);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            assert_true(mat_row(a, i)[j] == mat_row(b, i)[j]);
}

static void check_output(const LayerStack *stack, const Results *run, int layer) {
    const AttnTrace whole = *results_trace(run, layer);
    check_same(&stack->bench.trace[0].Y, &whole.Y);
}

/* The lowest layer equals the layer of all other views, to the bit. */
TEST(the_lowest_layer_is_the_runs_own) {
    static const char *const states[] = {
        "depth=3&embedding=random", "depth=2&form=merged&bias=all&embedding=random",
        "depth=2&mask=causal&block=pre-norm&init=gpt2&embedding=random",
        "depth=5&form=nested&positions=rope&embedding=random"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        LOCAL(session_release) Session session;
        LOCAL(layer_stack_release) LayerStack stack = {0};
        session = session_opened(states[i]);
        RESULTS(run);
        assert_true(results_update(&run, &session, NULL, (ResultsLimits){1024}));
        must(layer_stack_update(&stack, &run, &session, 0, &told));
        assert_int_equal(stack.layers, session.options.depth);
        for (int h = 0; h < session.options.heads; h++) {
            Mat own = results_weights(&run, 0, h);
            Mat low = attn_head_scores(&stack.bench.trace[0].A, &stack.shape, h);
            check_same(&own, &low);
        }
        check_output(&stack, &run, 0);
        assert_true(mat_max_difference(&stack.bench.trace[1].Y, &stack.bench.trace[0].Y) > 0);
    }
}

/* The stack of the scheme to compare with equals that of a session with only this scheme. */
TEST(a_second_layer_has_a_stack_of_its_own) {
    static const char *const states[] = {"depth=3&embedding=random&beside=normal",
                                         "depth=3&embedding=random&init=normal"};
    Session session[2];
    Results run[2];
    LayerStack stack[2];
    for (int i = 0; i < 2; i++) {
        session[i] = session_opened(states[i]);
        must(results_init(&run[i], &told));
        assert_true(results_update(&run[i], &session[i], NULL, (ResultsLimits){1024}));
        stack[i] = (LayerStack){0};
        must(layer_stack_update(&stack[i], &run[i], &session[i], 1 - i, &told));
    }
    for (int layer = 0; layer < 3; layer++)
        check_same(&stack[0].bench.trace[layer].Y, &stack[1].bench.trace[layer].Y);
    check_output(&stack[0], &run[0], 1);
    must(layer_stack_update(&stack[0], &run[0], &session[0], 0, &told));
    check_output(&stack[0], &run[0], 0);
    for (int i = 0; i < 2; i++) {
        layer_stack_release(&stack[i]);
        results_release(&run[i]);
        session_release(&session[i]);
    }
}

TEST(it_is_made_anew_when_something_changed_and_cut_where_it_is_too_deep) {
    LOCAL(session_release) Session session;
    LOCAL(results_release) Results run;
    LayerStack stack = {0};
    must(session_init(&session, &told) && results_init(&run, &told));
    set(&session, "embedding=random&depth=2");
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){1024}));
    must(layer_stack_update(&stack, &run, &session, 0, &told));
    float before = stack.bench.trace[1].Y.at[0];
    must(layer_stack_update(&stack, &run, &session, 0, &told));
    assert_true(stack.bench.trace[1].Y.at[0] == before);
    set(&session, "seed=9");
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){1024}));
    must(layer_stack_update(&stack, &run, &session, 0, &told));
    assert_true(stack.bench.trace[1].Y.at[0] != before);
    set(&session, "depth=900");
    assert_true(results_update(&run, &session, NULL, (ResultsLimits){1024}));
    must(layer_stack_update(&stack, &run, &session, 0, &told));
    assert_int_equal(stack.layers, LAYER_STACK_MAX);
    layer_stack_release(&stack);
    assert_int_equal(stack.layers, 0);
}
