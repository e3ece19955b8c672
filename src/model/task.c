#include "model/task.h"

#include <assert.h>
#include <string.h>

static int previous_of(int i, int T) {
    (void)T;
    return i > 0 ? i - 1 : 0;
}

static int next_of(int i, int T) {
    return i + 1 < T ? i + 1 : i;
}

static int itself(int i, int T) {
    (void)T;
    return i;
}

static int first_of(int i, int T) {
    (void)i, (void)T;
    return 0;
}

static int last_of(int i, int T) {
    (void)i;
    return T - 1;
}

static int mirror_of(int i, int T) {
    return T - 1 - i;
}

const Task TASKS[TASK_KIND_COUNT] = {
    [TASK_PREVIOUS] = {{"previous", "Word before", "target_i = e_{i−1}",
                        "Each token must output the word before it; the first, which has none, its "
                        "own. Needs positions, and a head that looks one back."},
                       previous_of,
                       true,
                       false},
    [TASK_NEXT] = {{"next", "Word after", "target_i = e_{i+1}",
                    "Each token must output the word after it; the last, which has none, its own. "
                    "With a causal mask it cannot be read, only learnt by heart."},
                   next_of,
                   false,
                   true},
    [TASK_ITSELF] = {{"itself", "Itself", "target_i = e_i",
                      "Each token must output its own word, without its position. Plain likeness "
                      "of words is enough for that."},
                     itself,
                     false,
                     false},
    [TASK_FIRST] = {{"first", "First word", "target_i = e_1",
                     "Each token must output the first word: every query must find one key."},
                    first_of,
                    true,
                    false},
    [TASK_LAST] = {{"last", "Last word", "target_i = e_T",
                    "Each token must output the last word. With a causal mask only the last token "
                    "can read it; the others must learn it by heart."},
                   last_of,
                   false,
                   true},
    [TASK_MIRROR] = {{"mirror", "Mirror", "target_i = e_{T+1−i}",
                      "Each token must output the word as far from the end as it is from the "
                      "start: the text read backwards."},
                     mirror_of,
                     true,
                     true},
    [TASK_MEAN] = {{"mean", "Mean", "target_i = mean_{j∈N(i)} e_j",
                    "Each token must output the mean of all words that it may read: even weights "
                    "are what it takes."},
                   NULL,
                   false,
                   false},
};

const Registry TASK_REGISTRY = {"tasks", "task", TASKS, sizeof(Task), TASK_KIND_COUNT};

static void add_row(float *to, const Mat *words, int j, float factor) {
    const float *from = mat_row(words, j);
    for (int c = 0; c < words->cols; c++)
        to[c] += factor * from[c];
}

static void mean_of_open(float *to, const Mat *words, const Mask *mask, int query) {
    const uint8_t *open = mask_row(mask, query);
    int keys = mask_open_keys(mask, query);
    memset(to, 0, (size_t)words->cols * sizeof *to);
    for (int j = 0; j < mask->T; j++)
        if (open[j])
            add_row(to, words, j, 1 / (float)keys);
}

void task_target(Mat *target, TaskKind task, const Mat *words, const Mask *mask) {
    assert(target->rows == words->rows && target->cols == words->cols && mask->T == words->rows);
    for (int i = 0; i < target->rows; i++) {
        if (TASKS[task].source == NULL) {
            mean_of_open(mat_row(target, i), words, mask, i);
            continue;
        }
        Mat to = mat_rows(target, i, 1);
        Mat from = mat_rows(words, TASKS[task].source(i, words->rows), 1);
        mat_copy(&to, &from);
    }
}
