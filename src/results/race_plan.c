#include "results/race_plan.h"

#include <assert.h>

#include "results/layer.h"

bool race_request_equal(const RaceRequest *a, const RaceRequest *b) {
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (!option_list_equal(&a->own[p], &b->own[p]))
            return false;
    return option_list_equal(&a->schemes, &b->schemes) && race_rules_equal(&a->rules, &b->rules);
}

/* Notes say what embed did; nobody asks here. */
static bool embed_words(Mat *words, Arena *arena, const Results *run, const Session *session,
                        Err *err) {
    size_t notes = (size_t)run->T * sizeof(EmbedNote);
    if (!arena_reserve(arena, arena_padded(notes) + mat_bytes(run->T, run->X.cols), err))
        return false;
    *words = mat_push(arena, run->T, run->X.cols);
    EmbedInput in = results_embed_input(run, &session->options, run->cache->resources.words);
    return embed(words, arena_push(arena, notes), &in, err);
}

static SchemePlan scheme_of(const RaceRequest *request, const Options *options, int column) {
    SchemePlan plan = options_plan(options, request->schemes.rows[column]);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (column < request->own[p].count && request->own[p].rows[column] >= 0)
            plan.scheme[p] = request->own[p].rows[column];
    return plan;
}

bool race_plan(RacePlan *plan, Arena *arena, const Results *run, const RaceRequest *request,
               Err *err) {
    const Session *session = results_session(run);
    assert(run->valid && run->T > 0 && session != NULL);
    assert(request->schemes.count >= 1 && request->schemes.count <= COMPARISON_MAX);
    *plan = (RacePlan){.shape = options_shape(&session->options, run->T, run->form),
                       .x = run->X,
                       .words = run->X,
                       .mask = run->mask,
                       .scheme_count = request->schemes.count,
                       .rules = request->rules};
    for (int i = 0; i < request->schemes.count; i++)
        plan->schemes[i] = scheme_of(request, &session->options, i);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (weights_give(session->weights, p))
            plan->given[p] = run->layers[0].params.p[p];
    return weights_has(session->weights, WEIGHTS_X) ||
           embed_words(&plan->words, arena, run, session, err);
}
