/* run_stack.h: a layer of the Run stacked as deep as its depth: every layer's intermediates, made
 * when a view asks for them and kept until the Run changes. The lowest is the Run's own; the
 * seeds of those above are study_layer_seed's. No clock, no I/O. */
#ifndef HEADLIGHT_SESSION_RUN_STACK_H
#define HEADLIGHT_SESSION_RUN_STACK_H

#include "session/study_plan.h"

#define RUN_STACK_LAYERS_MAX 12 /* made here; a deeper session is cut there */

/* All zero is none made yet. */
typedef struct RunStack {
    StudyBench bench; /* trace[layer] and params[layer], 0 the lowest */
    AttnShape shape;  /* of every layer */
    int layers;       /* 0 where there is none */
    uint64_t revision;
    int depth, of; /* the session's, and which of the Run's layers is the lowest */
} RunStack;

/* Make the stack on one of run's layers, unless it is the one in place. run is valid and has
 * tokens. Fails where it takes too much memory and as study_compute does; then layers is 0. */
bool run_stack_update(RunStack *stack, const Run *run, const Session *session, int layer, Err *err);
void run_stack_release(RunStack *stack);

#endif
