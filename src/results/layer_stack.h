/* layer_stack.h: a stack of layers above one layer of the Results. Its number of layers is the
 * session's depth, at most LAYER_STACK_MAX. Every layer's intermediates are computed when a view
 * requests them, and kept until the Results change. The lowest layer is that of the Results; the
 * others have the seeds of study_layer_seed. No clock, no I/O. */
#ifndef HEADLIGHT_RESULTS_LAYER_STACK_H
#define HEADLIGHT_RESULTS_LAYER_STACK_H

#include "results/study_plan.h"

#define LAYER_STACK_MAX 12 /* most layers; a deeper stack is cut to this number */

/* The stack. All zero is an empty stack. */
typedef struct LayerStack {
    StudyBench bench; /* trace[layer] and params[layer]; layer 0 is the lowest */
    AttnShape shape;  /* the same for every layer */
    int layers;       /* number of layers; 0 if the stack is empty */
    uint64_t revision;
    /* depth: the session's depth. of: index of the Results' layer that is the lowest layer of the
     * stack. */
    int depth, of;
} LayerStack;

/* Compute the stack above one of run's layers, unless it exists. run must be valid and have tokens.
 * Fails if the stack takes too much memory, or if study_forward fails; then layers is 0. */
bool layer_stack_update(LayerStack *stack, const Results *run, const Session *session, int layer,
                        Err *err);
void layer_stack_release(LayerStack *stack);

#endif
