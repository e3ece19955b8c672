/* task.h: training tasks: to which key each query should attend, and so which word it should
 * output; and the loss of an output. Pure. To add a task, add a row to TASKS. T tokens, D model
 * width. */
#ifndef HEADLIGHT_MODEL_ATTENTION_TASK_H
#define HEADLIGHT_MODEL_ATTENTION_TASK_H

#include "base/registry.h"
#include "math/mat.h"
#include "model/attention/mask.h"

typedef enum TaskKind {
    TASK_PREVIOUS,
    TASK_NEXT,
    TASK_FIRST,
    TASK_EARLIER,
    TASK_MEAN,
    TASK_MIRROR,
    TASK_FOLLOWED,
    TASK_KIND_COUNT
} TaskKind;

typedef struct Task {
    Entry entry;
    const char *asked; /* the key that the task asks for, in words */
    /* Return the key whose word the query must output, or -1. word[T]: equal numbers for equal
     * words. NULL if the output is the mean of the open keys. */
    int (*key)(int query, int T, const int *word);
    bool repeats;      /* sequences must contain words that occur twice */
    const char *limit; /* why one layer cannot learn it, or NULL */
} Task;

extern const Task TASKS[TASK_KIND_COUNT];
extern const Registry TASK_REGISTRY;

/* Fill share (T, T) with the ideal weights: 1 for the wanted key of each query; for the mean, an
 * even share for each open key. A row without a wanted key is 0. The target of training is share
 * times the words (T, D). */
void task_share(Mat *share, TaskKind task, const int *word, const Mask *mask);

/* Add Σ_j min(A_ij, share_ij) to *sum for each row with a wanted key. Return the number of these
 * rows. With one wanted key, a row adds the weight on that key; for the mean, even weights add 1.
 */
int task_score(double *sum, const Mat *A, const Mat *share);

/* Return the mean squared error L = Σ (Y − target)² / (T·D), summed in double; fill dY (T, D) with
 * ∂L/∂Y = 2·(Y − target) / (T·D). Not finite if L exceeds float32 or Y is not finite. Source:
 * torch.nn.functional.mse_loss. */
float task_loss(Mat *dY, const Mat *Y, const Mat *target);

#endif
