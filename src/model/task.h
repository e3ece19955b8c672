/* task.h: what a layer is trained to do: which word each token is to output. Pure.
 * To add a task, add a row to TASKS. T tokens, D model width. */
#ifndef HEADLIGHT_MODEL_TASK_H
#define HEADLIGHT_MODEL_TASK_H

#include "base/registry.h"
#include "math/mat.h"
#include "model/mask.h"

typedef enum TaskKind {
    TASK_PREVIOUS,
    TASK_NEXT,
    TASK_ITSELF,
    TASK_FIRST,
    TASK_LAST,
    TASK_MIRROR,
    TASK_MEAN,
    TASK_KIND_COUNT
} TaskKind;

typedef struct Task {
    Entry entry;
    /* The token whose word token i of T is to output; NULL where that is no single one's. */
    int (*source)(int i, int T);
    bool reads_back;    /* some token is to output the word of one before it */
    bool reads_forward; /* or of one after it: of no use with a causal mask but by heart */
} Task;

extern const Task TASKS[TASK_KIND_COUNT];
extern const Registry TASK_REGISTRY;

/* Fill target (T, D) with the rows of words (T, D), each token's vector without its position, that
 * the tokens are to output. The mean is over the words that the mask lets a token read, and 0 where
 * it lets it read none; the other tasks ask for the same word whatever the mask. */
void task_target(Mat *target, TaskKind task, const Mat *words, const Mask *mask);

#endif
