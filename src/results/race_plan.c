#include "results/race_plan.h"

#include <assert.h>
#include <stdlib.h>

#include "base/heap.h"
#include "results/layer.h"
#include "results/study_plan.h"

bool race_request_equal(const RaceRequest *a, const RaceRequest *b) {
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (!option_list_equal(&a->own[p], &b->own[p]))
            return false;
    return option_list_equal(&a->schemes, &b->schemes) && race_rules_equal(&a->rules, &b->rules);
}

/* Fill words with the embedding. The notes that embed also writes are not needed here. */
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
