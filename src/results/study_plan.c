#include "results/study_plan.h"

#include <assert.h>
#include <string.h>

#include "results/layer.h"

static void plan_input(StudyPlan *plan, const Results *run, const Session *session) {
    const Options *options = &session->options;
    bool drawn = options->embedding == EMBEDDING_RANDOM || options->positions == POSITION_LEARNED;
    plan->draws_x = drawn && !session_gives_x(session) &&
                    !weights_has(session->weights, WEIGHTS_EMBEDDING) &&
                    !weights_has(session->weights, WEIGHTS_POSITIONS);
    plan->input = (StudyInput){results_embed_input(run, options, run->cache->resources.words),
                               (PositionKind)options->positions};
}

StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts) {
    const Options *options = &session->options;
    assert(run->valid && run->T > 0 && count >= 1 && count <= STUDY_SCHEMES_MAX);
    StudyPlan plan = {.shape = options_shape(options, run->T, run->form),
                      .x = &run->X,
                      .mask = run->mask,
                      .scheme_count = count,
                      .layers = options->depth,
                      .seeds = seeds,
                      .parts = parts};
    plan_input(&plan, run, session);
    for (int i = 0; i < count; i++)
        plan.schemes[i] =
            (StudyScheme){.scheme = schemes[i], .plan = options_plan(options, schemes[i])};
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (weights_give(session->weights, p))
            plan.given[p] = run->layers[0].params.p[p];
    return plan;
}

void study_plan_sample_all(StudyPlan *plan, const Session *session) {
    if (weights_give_all(session->weights))
        memset(plan->given, 0, sizeof plan->given);
}
