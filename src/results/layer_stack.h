/* layer_stack.h: a layer of the Results stacked as deep as its depth: every layer's intermediates,
 * made when a view asks for them and kept until the Results changes. The lowest is the Results's
 * own; the seeds of those above are study_layer_seed's. No clock, no I/O. */
#ifndef HEADLIGHT_RESULTS_LAYER_STACK_H
#define HEADLIGHT_RESULTS_LAYER_STACK_H

#include "results/study_plan.h"

#define LAYER_STACK_MAX 12 /* made here; a deeper session is cut there */

/* All zero is none made yet. */
typedef struct LayerStack {
    StudyBench bench; /* trace[layer] and params[layer], 0 the lowest */
    AttnShape shape;  /* of every layer */
    int layers;       /* 0 if there is no layer */
    uint64_t revision;
    int depth, of; /* the session's, and which of the Results's layers is the lowest */
} LayerStack;

/* Make the stack on one of run's layers, unless it is the one in place. run is valid and has
 * tokens. Fails where it takes too much memory and as study_compute does; then layers is 0. */
bool layer_stack_update(LayerStack *stack, const Results *run, const Session *session, int layer,
                        Err *err);
void layer_stack_release(LayerStack *stack);

#endif
