#include "results/layer_stack.h"

void layer_stack_release(LayerStack *stack) {
    study_bench_release(&stack->bench);
    *stack = (LayerStack){0};
}

bool layer_stack_update(LayerStack *stack, const Results *run, const Session *session, int layer,
                        Err *err) {
    int depth = session->options.depth;
    if (stack->layers > 0 && stack->revision == run->revision && stack->depth == depth &&
        stack->of == layer)
        return true;
    layer_stack_release(stack);
    StudyPlan plan = study_plan(run, session, &run->layers[layer].scheme, 1, 1, 0);
    if (plan.layers > LAYER_STACK_MAX)
        plan.layers = LAYER_STACK_MAX;
    if (!study_forward(&stack->bench, &plan, 0, err)) {
        study_bench_release(&stack->bench);
        return false;
    }
    stack->shape = plan.shape;
    stack->layers = plan.layers;
    stack->revision = run->revision;
    stack->depth = depth;
    stack->of = layer;
    return true;
}
