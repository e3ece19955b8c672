/* weights_check.h: assertions on weights that were read, or on the error if they were refused. */
#ifndef HEADLIGHT_TESTS_FUZZ_WEIGHTS_CHECK_H
#define HEADLIGHT_TESTS_FUZZ_WEIGHTS_CHECK_H

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "document/session.h"
#include "results/model_output.h"
#include "results/results.h"

static inline void check_err(const Err *err) {
    size_t bytes = strlen(err->why);
    check(err->kind != ERR_NONE && bytes > 0 && utf8_first_invalid(err->why, bytes) == bytes);
}

static inline size_t entries(const WeightsTensor *tensor) {
    size_t count = tensor->rank > 0;
    for (int d = 0; d < tensor->rank; d++)
        count *= tensor->shape[d];
    return count;
}

/* A small layer with the weights can be computed, and its parameters are weights again. */
static inline void check_layer(const Session *session) {
    Results results;
    Err err;
    if (session->options.d_model > 16 || session->options.heads > 4)
        return;
    check(results_init(&results, &err));
    if (results_update(&results, session, NULL, (ResultsLimits){8})) {
        LayerResults *layer = &results.layers[0];
        const AttnShape *shape = &layer->shape[results.form];
        Weights *again = weights_of_params("", shape, &layer->params, &err);
        Weights *twin = weights_of_params("", shape, &layer->params, &err);
        check(again != NULL || err.why[0] != '\0');
        const WeightsName names[] = {{"a", 1}, {"b", 1}};
        check(again == NULL || (weights_equal(again, twin) && weights_give_all(again)));
        weights_drop(twin);
        Mat two = results.X; /* two words, whose vectors are the first one's */
        two.rows = 2;
        check(again == NULL || !weights_add_words(again, &two, (int[]){0, 0}, names, &err) ||
              weights_has(again, WEIGHTS_EMBEDDING));
        weights_drop(again);
    }
    results_release(&results);
}

/* Every row of words has a name, and rows outside have none. */
static inline void check_words(const Weights *weights) {
    static float x[OPTION_WIDTH_MAX];
    int words = weights->size[WEIGHTS_WORDS];
    if (weights_has(weights, WEIGHTS_EMBEDDING) && !weights_has(weights, WEIGHTS_X)) {
        const Token *last = &weights->tokens[words - 1];
        const char *text = weights->names->bytes + last->at;
        check(weights_word(x, weights, words - 1, text, last->bytes));
        check(weights_word(x, weights, words, text, last->bytes));
    }
}

/* The model around a layer runs, or says why not. */
static inline void check_model(Session *session) {
    Results results;
    ModelOutput out;
    Err err = {0};
    if (session->weights->model == NULL || session->options.d_model > 16)
        return;
    check(session_set_ids(session, "0,1,0", 5, &err) && results_init(&results, &err));
    if (!results_update(&results, session, NULL, (ResultsLimits){8}))
        check_err(&results.err);
    else if (!model_output_make(&out, &results, results.T, NULL, &err))
        check_err(&err);
    else
        check(out.hidden.rows == 3);
    if (results.valid)
        model_output_release(&out);
    results_release(&results);
}

/* Accepted weights are finite and consistent, and a session uses them or gives an error. */
static inline void check_weights(Weights *weights) {
    Session session;
    Err err = {0};
    for (int p = 0; p < WEIGHTS_PART_COUNT; p++)
        for (size_t i = 0; i < entries(&weights->tensors[p]); i++)
            check(isfinite(weights->tensors[p].at[i]));
    check(weights_has(weights, weights_named(weights)) == (weights->names != NULL));
    check_words(weights);
    check(weights_agree(weights, &err) && session_init(&session, &err));
    int kind = weights->size[WEIGHTS_D] + 4 * weights->size[WEIGHTS_K];
    uint64_t fixed = kind % 4 == 3 ? WEIGHTS_FIXED_ALL : 0;
    session.options.heads = kind % 8 == 5 ? 3 : session.options.heads;
    session.options.layer = kind % 16 == 6 ? 2 : 1;
    session.options.form.row = kind % 16 == 7 ? FORM_NESTED : kind % 16 == 9 ? FORM_FREE : 0;
    if (!session_set_weights(&session, weights, fixed, &err)) {
        check_err(&err);
    } else {
        check(session_check(&session, &err));
        check_layer(&session);
        check_model(&session);
    }
    session_release(&session);
}

#endif
