/* layer_stack.h: a stack of layers above one layer of the Results, as deep as the session's depth:
 * every layer's intermediates, computed when a view requests them and kept until the Results
 * change. The lowest is the Results' own layer; the others have the seeds of study_layer_seed. No
 * clock, no I/O. */
#ifndef HEADLIGHT_RESULTS_LAYER_STACK_H
#define HEADLIGHT_RESULTS_LAYER_STACK_H

#include "results/study_plan.h"

#define LAYER_STACK_MAX 12 /* most layers; a deeper session is cut there */

/* All zero is an empty stack. */
typedef struct LayerStack {
    StudyBench bench; /* trace[layer] and params[layer], 0 the lowest */
    AttnShape shape;  /* the same for every layer */
    int layers;       /* number of layers; 0 if the stack is empty */
    uint64_t revision;
    int depth, of; /* the session's depth, and the index of the Results' layer that is the lowest */
} LayerStack;

/* Compute the stack on one of run's layers, unless it exists. run must be valid and have tokens.
 * Fails if it takes too much memory, and as study_compute does; then layers is 0. */
bool layer_stack_update(LayerStack *stack, const Results *run, const Session *session, int layer,
                        Err *err);
void layer_stack_release(LayerStack *stack);

#endif
