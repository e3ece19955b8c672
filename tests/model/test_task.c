/* Which key each task asks a query to read. */
#include <math.h>
#include <string.h>

#include "model/attention/task.h"
#include "support/test.h"

#define T 6

/* "a b a c b a", and the target of each query, from 1; 0 for none. */
static const int WORDS[T] = {0, 1, 0, 3, 1, 0};
static const int ASKED[TASK_KIND_COUNT][T] = {
    [TASK_PREVIOUS] = {1, 1, 2, 3, 4, 5}, [TASK_NEXT] = {2, 3, 4, 5, 6, 6},
    [TASK_FIRST] = {1, 1, 1, 1, 1, 1},    [TASK_EARLIER] = {0, 0, 1, 0, 2, 3},
    [TASK_MIRROR] = {6, 5, 4, 3, 2, 1},   [TASK_FOLLOWED] = {0, 0, 2, 0, 3, 4},
};

typedef struct Asked {
    Arena arena;
    Mat share, weights;
    Mask mask;
} Asked;

static Asked ask(TaskKind task, MaskKind mask) {
    Asked a = {0};
    must(arena_reserve(&a.arena, 2 * mat_bytes(T, T) + mask_bytes(T), &told));
    a.share = mat_push(&a.arena, T, T);
    a.weights = mat_push(&a.arena, T, T);
    a.mask = mask_push(&a.arena, T, mask, 0);
    task_share(&a.share, task, WORDS, &a.mask);
    return a;
}

TEST(each_query_is_asked_for_its_key) {
    for (TaskKind task = 0; task < TASK_KIND_COUNT; task++) {
        Asked a = ask(task, MASK_CAUSAL);
        for (int i = 0; i < T && TASKS[task].key != NULL; i++)
            for (int j = 0; j < T; j++)
                if (mat_row(&a.share, i)[j] != (float)(ASKED[task][i] == j + 1))
                    fail_msg("%s: query %d, key %d", TASKS[task].entry.id, i + 1, j + 1);
        arena_release(&a.arena);
    }
}

TEST(the_mean_is_of_the_open_words) {
    Asked a = ask(TASK_MEAN, MASK_CAUSAL);
    memset(a.mask.open + T, 0, T); /* the second query reads none */
    task_share(&a.share, TASK_MEAN, WORDS, &a.mask);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            float wanted = i == 1 || j > i ? 0 : 1 / (float)(i + 1);
            assert_true(mat_row(&a.share, i)[j] == wanted);
        }
    arena_release(&a.arena);
}

/* Of weights that are the shares it is 1 a row, of even ones an even share of the key. */
TEST(a_score_counts_the_rows_that_are_asked) {
    for (TaskKind task = 0; task < TASK_KIND_COUNT; task++) {
        Asked a = ask(task, MASK_NONE);
        double whole = 0, even = 0;
        int rows = task_score(&whole, &a.share, &a.share);
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++)
                mat_row(&a.weights, i)[j] = 1.0f / T;
        assert_int_equal(task_score(&even, &a.weights, &a.share), rows);
        assert_int_equal(rows, task == TASK_EARLIER || task == TASK_FOLLOWED ? 3 : T);
        assert_true(fabs(whole - rows) < 1e-6);
        assert_true(fabs(even - (task == TASK_MEAN ? T : rows / (double)T)) < 1e-6);
        arena_release(&a.arena);
    }
}
