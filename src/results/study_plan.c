#include "results/study_plan.h"

#include <assert.h>
#include <string.h>

#include "results/layer.h"

StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts) {
    const Options *options = &session->options;
    assert(run->valid && run->T > 0 && count >= 1 && count <= STUDY_SCHEMES_MAX);
    bool is_drawn =
        options->embedding == EMBEDDING_RANDOM || options->positions == POSITION_LEARNED;
    bool is_given = session_gives_x(session) || weights_has(session->weights, WEIGHTS_EMBEDDING) ||
                    weights_has(session->weights, WEIGHTS_POSITIONS);
    StudyPlan plan = {.shape = options_shape(options, run->T, run->form),
                      .draws_x = is_drawn && !is_given,
                      .input = {results_embed_input(run, options, run->cache->resources.words),
                                (PositionKind)options->positions},
                      .x = &run->X,
                      .mask = run->mask,
                      .scheme_count = count,
                      .layers = options->depth,
                      .seeds = seeds,
                      .parts = parts};
    for (int i = 0; i < count; i++)
        plan.schemes[i] =
            (StudyScheme){.scheme = schemes[i], .plan = options_plan(options, schemes[i])};
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (weights_give(session->weights, p))
            plan.given[p] = run->layers[0].params.p[p];
    return plan;
}

SchemePlan study_column_plan(const Options *options, const OptionList *schemes,
                             const OptionList own[ATTN_WEIGHT_COUNT], int column) {
    SchemePlan plan = options_plan(options, schemes->rows[column]);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (column < own[p].count && own[p].rows[column] >= 0)
            plan.scheme[p] = own[p].rows[column];
    return plan;
}

void study_plan_sample_all(StudyPlan *plan, const Session *session) {
    if (weights_give_all(session->weights))
        memset(plan->given, 0, sizeof plan->given);
}
