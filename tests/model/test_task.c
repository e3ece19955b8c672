/* What each task asks a token to output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model/layer.h"
#include "model/task.h"

#define D      5
#define T_MOST 9

/* Words of T tokens, and what the task makes of them. */
typedef struct Asked {
    Arena arena;
    Mat words, target;
    Mask mask;
} Asked;

static Asked ask(TaskKind task, int T, MaskKind mask) {
    Asked a = {0};
    Err err;
    assert_true(arena_reserve(&a.arena, 2 * mat_bytes(T, D) + mask_bytes(T), &err));
    a.words = mat_push(&a.arena, T, D);
    a.target = mat_push(&a.arena, T, D);
    a.mask = mask_push(&a.arena, T, mask, 0);
    layer_draw(&a.words, 1, 7, 0);
    task_target(&a.target, task, &a.words, &a.mask);
    return a;
}

static void a_word_that_is_asked_for_is_a_row_of_words(void **state) {
    (void)state;
    for (TaskKind task = 0; task < TASK_KIND_COUNT; task++)
        for (int T = 1; T <= T_MOST && TASKS[task].source != NULL; T++) {
            Asked a = ask(task, T, MASK_CAUSAL);
            for (int i = 0; i < T; i++) {
                int from = TASKS[task].source(i, T);
                assert_in_range(from, 0, T - 1);
                assert_memory_equal(mat_row(&a.target, i), mat_row(&a.words, from),
                                    D * sizeof(float));
            }
            arena_release(&a.arena);
        }
}

static void a_task_says_which_way_it_reads(void **state) {
    (void)state;
    for (TaskKind task = 0; task < TASK_KIND_COUNT; task++) {
        bool back = false, forward = false;
        for (int i = 0; i < T_MOST && TASKS[task].source != NULL; i++) {
            int from = TASKS[task].source(i, T_MOST);
            back = back || from < i;
            forward = forward || from > i;
        }
        assert_int_equal(back, TASKS[task].reads_back);
        assert_int_equal(forward, TASKS[task].reads_forward);
    }
}

static void the_word_before_and_the_one_after_end_at_themselves(void **state) {
    (void)state;
    assert_int_equal(TASKS[TASK_PREVIOUS].source(0, 4), 0);
    assert_int_equal(TASKS[TASK_PREVIOUS].source(3, 4), 2);
    assert_int_equal(TASKS[TASK_NEXT].source(0, 4), 1);
    assert_int_equal(TASKS[TASK_NEXT].source(3, 4), 3);
    assert_int_equal(TASKS[TASK_MIRROR].source(0, 4), 3);
    assert_int_equal(TASKS[TASK_LAST].source(0, 4), 3);
}

static void the_mean_is_of_the_open_words(void **state) {
    (void)state;
    Asked a = ask(TASK_MEAN, T_MOST, MASK_CAUSAL);
    memset(a.mask.open + T_MOST, 0, T_MOST); /* the second token reads none */
    task_target(&a.target, TASK_MEAN, &a.words, &a.mask);
    for (int i = 0; i < T_MOST; i++)
        for (int c = 0; c < D; c++) {
            double sum = 0;
            for (int j = 0; j <= i; j++)
                sum += (double)mat_row(&a.words, j)[c];
            double wanted = i == 1 ? 0 : sum / (i + 1);
            assert_true(fabs((double)mat_row(&a.target, i)[c] - wanted) < 1e-6);
        }
    arena_release(&a.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_that_is_asked_for_is_a_row_of_words),
        cmocka_unit_test(a_task_says_which_way_it_reads),
        cmocka_unit_test(the_word_before_and_the_one_after_end_at_themselves),
        cmocka_unit_test(the_mean_is_of_the_open_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
