#include "session/run_stack.h"

void run_stack_release(RunStack *stack) {
    if (stack->layers > 0)
        study_bench_release(&stack->bench);
    *stack = (RunStack){0};
}

bool run_stack_update(RunStack *stack, const Run *run, const Session *session, int layer,
                      Err *err) {
    int depth = session->options.depth;
    if (stack->layers > 0 && stack->revision == run->revision && stack->depth == depth &&
        stack->of == layer)
        return true;
    run_stack_release(stack);
    StudyPlan plan = study_plan(run, session, &run->layers[layer].scheme, 1, 1, 0);
    float values[RUN_STACK_LAYERS_MAX * STUDY_STAT_COUNT];
    if (plan.layers > RUN_STACK_LAYERS_MAX)
        plan.layers = RUN_STACK_LAYERS_MAX;
    if (!study_bench_init(&stack->bench, &plan, err))
        return false;
    if (!study_compute(values, &stack->bench, &plan, 0, err)) {
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
