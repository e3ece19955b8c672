#include "model/attention/task.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SUMS 16 /* number of independent partial sums, so that additions can overlap */

static int previous_of(int i, int T, const int *word) {
    (void)T, (void)word;
    return i > 0 ? i - 1 : 0;
}

static int next_of(int i, int T, const int *word) {
    (void)word;
    return i + 1 < T ? i + 1 : i;
}

static int first_of(int i, int T, const int *word) {
    (void)i, (void)T, (void)word;
    return 0;
}

static int mirror_of(int i, int T, const int *word) {
    (void)word;
    return T - 1 - i;
}

static int earlier_of(int i, int T, const int *word) {
    (void)T;
    for (int j = i - 1; j >= 0; j--)
        if (word[j] == word[i])
            return j;
    return -1;
}

static int followed_of(int i, int T, const int *word) {
    int earlier = earlier_of(i, T, word);
    return earlier < 0 ? -1 : earlier + 1;
}

const Task TASKS[TASK_KIND_COUNT] = {
    [TASK_PREVIOUS] = {.entry = {"previous", "Word before", "target_i = e_{i−1}",
                                 "Each token must output the word before it. The first token must "
                                 "output its own word."},
                       .asked = "the word before",
                       .key = previous_of},
    [TASK_NEXT] = {.entry = {"next", "Word after", "target_i = e_{i+1}",
                             "Each token must output the word after it. The last token must output "
                             "its own word. A causal mask hides the token after it."},
                   .asked = "the word after",
                   .key = next_of},
    [TASK_FIRST] = {.entry = {"first", "First word", "target_i = e_1",
                              "Each token must output the first word."},
                    .asked = "the first word",
                    .key = first_of},
    [TASK_EARLIER] = {.entry = {"earlier", "Same word earlier",
                                "target_i = e_j, j < i, word_j = word_i",
                                "Each token must output its own word if the word occurred earlier, "
                                "and 0 if it did not. To know this, it must find the earlier "
                                "occurrence."},
                      .asked = "the same word earlier",
                      .key = earlier_of,
                      .repeats = true},
    [TASK_MEAN] = {.entry = {"mean", "Mean of all", "target_i = mean_{j∈N(i)} e_j",
                             "Each token must output the mean of all words that it may read. Even "
                             "weights give this mean."},
                   .asked = "an even share each",
                   .repeats = true},
    [TASK_MIRROR] = {.entry = {"mirror", "Mirror", "target_i = e_{T+1−i}",
                               "Each token must output the word at the mirrored position: the "
                               "first token the last word, and so on."},
                     .asked = "the mirrored word",
                     .key = mirror_of},
    [TASK_FOLLOWED] = {.entry = {"followed", "What followed last time",
                                 "target_i = e_{j+1}, j < i, word_j = word_i",
                                 "Each token must output the word that came after the previous "
                                 "occurrence of its own word. One layer cannot learn this."},
                       .asked = "what followed last time",
                       .key = followed_of,
                       .repeats = true,
                       .limit = "One layer cannot learn this: the key to read holds its own word "
                                "and position, but not the word before it. A first layer would "
                                "have to write that word there."},
};

const Registry TASK_REGISTRY = REGISTRY("tasks", "task", TASKS);

void task_share(Mat *share, TaskKind task, const int *word, const Mask *mask) {
    int T = share->rows;
    assert(share->cols == T && mask->T == T);
    for (int i = 0; i < T; i++) {
        float *row = mat_row(share, i);
        memset(row, 0, (size_t)T * sizeof *row);
        if (TASKS[task].key == NULL) {
            const uint8_t *open = mask_row(mask, i);
            int keys = mask_open_keys(mask, i);
            for (int j = 0; j < mask->T; j++)
                row[j] = open[j] ? 1 / (float)keys : 0;
            continue;
        }
        int key = TASKS[task].key(i, T, word);
        if (key >= 0)
            row[key] = 1;
    }
}

int task_score(double *sum, const Mat *A, const Mat *share) {
    int rows = 0;
    for (int i = 0; i < share->rows; i++) {
        const float *a = mat_row(A, i), *asked = mat_row(share, i);
        float given = 0, all = 0;
        for (int j = 0; j < share->cols; j++) {
            given += fminf(a[j], asked[j]);
            all += asked[j];
        }
        *sum += all > 0 ? (double)given : 0;
        rows += all > 0;
    }
    return rows;
}

static void row_loss(double sums[SUMS], float *dy, const float *y, const float *target, int count,
                     float scale) {
    int c = 0;
    for (; c + SUMS <= count; c += SUMS)
        for (int k = 0; k < SUMS; k++) {
            float away = y[c + k] - target[c + k];
            dy[c + k] = scale * away;
            sums[k] += (double)away * (double)away;
        }
    for (int k = 0; c < count; c++, k++) {
        float away = y[c] - target[c];
        dy[c] = scale * away;
        sums[k] += (double)away * (double)away;
    }
}

float task_loss(Mat *dY, const Mat *Y, const Mat *target) {
    double entries = (double)Y->rows * Y->cols, sums[SUMS] = {0}, sum = 0;
    assert(target->rows == Y->rows && target->cols == Y->cols);
    assert(dY->rows == Y->rows && dY->cols == Y->cols);
    for (int i = 0; i < Y->rows; i++)
        row_loss(sums, mat_row(dY, i), mat_row(Y, i), mat_row(target, i), Y->cols,
                 (float)(2 / entries));
    for (int k = 0; k < SUMS; k++)
        sum += sums[k];
    return (float)(sum / entries);
}
