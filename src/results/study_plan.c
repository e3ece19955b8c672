#include "results/study_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
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

bool race_request_equal(const RaceRequest *a, const RaceRequest *b) {
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (!option_list_equal(&a->own[p], &b->own[p]))
            return false;
    return option_list_equal(&a->schemes, &b->schemes) && race_rules_equal(&a->rules, &b->rules);
}

/* The notes that embed also writes are not needed here. */
static bool embed_words(Mat *words, Arena *arena, const Results *run, const Session *session,
                        Err *err) {
    size_t notes = (size_t)run->T * sizeof(EmbedNote);
    if (!arena_reserve(arena, arena_padded(notes) + mat_bytes(run->T, run->X.cols), err))
        return false;
    *words = mat_push(arena, run->T, run->X.cols);
    return results_embed(words, arena_push(arena, notes), run, session, err);
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
                       .hand = hand_set_numbers(session->hand),
                       .scheme_count = request->schemes.count,
                       .rules = request->rules};
    for (int i = 0; i < request->schemes.count; i++)
        plan->schemes[i] = study_column_plan(&session->options, &request->schemes, request->own, i);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (weights_give(session->weights, p))
            plan->given[p] = run->layers[0].params.p[p];
    return session_gives_x(session) || embed_words(&plan->words, arena, run, session, err);
}

static bool add_words(Weights *weights, const Results *run, const Race *race, const Mat *words,
                      Err *err) {
    WeightsName *names = heap_get((size_t)run->T * sizeof *names);
    if (names == NULL)
        return err_fail(err, "memory", "too little for the words; close other programs");
    for (int i = 0; i < run->T; i++) {
        TokenLabel text = results_token_text(run, i);
        names[i] = (WeightsName){text.bytes, text.size};
    }
    bool added = weights_add_words(weights, words, race->orders.text, names, err);
    free(names);
    return added;
}

Weights *race_trained_weights(const char *path, const Results *run, const Race *race,
                              const RaceParams *trained, Err *err) {
    Weights *weights = weights_of_params(path, &race->shape, &trained->layer, err);
    assert(run->T == race->shape.T);
    if (weights == NULL || trained->words.rows == 0 ||
        add_words(weights, run, race, &trained->words, err))
        return weights;
    weights_drop(weights);
    return NULL;
}

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
