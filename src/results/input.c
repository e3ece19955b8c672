#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "model/attention/hand_numbers.h"
#include "model/attention/position.h"
#include "results/layer.h"
#include "text/display.h"
#include "text/vocabulary.h"

/* Use the row names of an X from a file as the tokens. */
static void take_names(Results *run, const Weights *weights, ResultsLimits limits) {
    run->text = weights->names;
    run->token_total = weights->size[WEIGHTS_T];
    run->T = run->token_total < limits.tokens_max ? run->token_total : limits.tokens_max;
    memcpy(run->tokens, weights->tokens, (size_t)run->T * sizeof *run->tokens);
    for (int i = 0; i < run->T; i++)
        run->notes[i] = (EmbedNote){EMBED_OWN, -1};
}

static bool split_text(Results *run, const Session *session, const ResultsResources *resources,
                       ResultsLimits limits) {
    TokenList list = {.at = run->tokens, .capacity = limits.tokens_max};
    run->text = session->text;
    if (!session_split(&list, session, &resources->text, &run->err))
        return false;
    run->token_total = list.total;
    run->T = run->token_total < limits.tokens_max ? run->token_total : limits.tokens_max;
    return true;
}

static bool push_tokens(Results *run, ResultsLimits limits) {
    size_t room = (size_t)limits.tokens_max;
    uint64_t bytes = arena_padded(room * sizeof(Token)) + room * sizeof(EmbedNote);
    Arena *arena = part_reserve(&run->cache->tokens, bytes, &run->err);
    if (arena == NULL)
        return false;
    run->tokens = arena_push(arena, room * sizeof(Token));
    run->notes = arena_push_zero(arena, room * sizeof(EmbedNote));
    return true;
}

TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count,
                        const Vocabulary *own, Err *err) {
    assert(count > 0);
    size_t head = (size_t)count * sizeof(TokenLabel), most = (size_t)count * TOKEN_DISPLAY_MAX;
    if (!arena_reserve(arena, arena_padded(head) + arena_padded(most), err))
        return NULL;
    TokenLabel *labels = arena_push(arena, head);
    char *shown = arena_push(arena, most);
    for (int i = 0; i < count; i++) {
        char word[TOKEN_DISPLAY_MAX];
        const char *bytes = text + tokens[i].at, *in_text = bytes;
        size_t size = tokens[i].bytes;
        if (own != NULL) {
            size = vocabulary_text(word, sizeof word, own, tokens[i].id);
            bytes = word;
        }
        bool as_is = size == tokens[i].bytes && memcmp(bytes, in_text, size) == 0;
        if (as_is && token_is_plain(bytes, size)) {
            labels[i] = (TokenLabel){in_text, size};
            continue;
        }
        labels[i] = (TokenLabel){shown, token_display(shown, bytes, size)};
        if (as_is && labels[i].size == size && memcmp(shown, in_text, size) == 0)
            labels[i].bytes = in_text;
        else
            shown += labels[i].size;
    }
    return labels;
}

static bool update_tokens(Results *run, const Session *session, const ResultsResources *resources,
                          ResultsLimits limits) {
    if (!push_tokens(run, limits))
        return false;
    if (weights_has(session->weights, WEIGHTS_X))
        take_names(run, session->weights, limits);
    else if (!split_text(run, session, resources, limits))
        return false;
    if (run->T == 0)
        return true;
    bool is_own = session->options.tokenizer == TOKENIZER_MODEL && run->text == session->text;
    const Vocabulary *own = is_own ? session_vocabulary(session) : NULL;
    Arena *arena = part_own(&run->cache->labels, &run->err);
    run->labels = arena == NULL
                      ? NULL
                      : labels_make(arena, run->text->bytes, run->tokens, run->T, own, &run->err);
    return run->labels != NULL;
}

TokenLabel results_token_text(const Results *run, int i) {
    size_t bytes = run->tokens[i].bytes;
    bool whole = bytes > 0 && utf8_first_invalid(results_token(run, i), bytes) == bytes;
    return whole ? (TokenLabel){results_token(run, i), bytes} : run->labels[i];
}

EmbedInput results_embed_input(const Results *run, const Options *options,
                               const WordVectors *words) {
    return (EmbedInput){.kind = (EmbeddingKind)options->embedding,
                        .words = words,
                        .text = run->text->bytes,
                        .text_bytes = run->text->size,
                        .tokens = run->tokens,
                        .cuts_words = TOKENIZERS[options->tokenizer].cuts_words,
                        .seed = options->seed};
}

bool results_embed(Mat *words, EmbedNote *notes, const Results *run, const Session *session,
                   Err *err) {
    EmbedInput in = results_embed_input(run, &session->options, run->cache->resources.words);
    if (!embed(words, notes, &in, err))
        return false;
    for (int i = 0; i < run->T; i++) {
        TokenLabel text = results_token_text(run, i);
        if (session->weights != NULL &&
            weights_word(mat_row(words, i), session->weights, i, text.bytes, text.size))
            notes[i] = (EmbedNote){EMBED_TRAINED, -1};
    }
    return true;
}

void results_add_positions(Mat *x, int first, const Session *session) {
    const Options *o = &session->options;
    bool own = o->positions == POSITION_LEARNED && weights_has(session->weights, WEIGHTS_POSITIONS);
    if (!own)
        position_add(x, first, (PositionKind)o->positions, o->seed);
    if (own) {
        float *at = session->weights->tensors[WEIGHTS_POSITIONS].at;
        mat_add_rows(x, &(Mat){at + first * x->cols, x->rows, x->cols, x->cols});
    }
}

void results_ids(int *ids, const Results *run) {
    for (int i = 0; i < run->T; i++)
        ids[i] = run->tokens[i].id;
}

void results_words(int *word, const Results *run) {
    for (int i = 0; i < run->T; i++) {
        size_t bytes = run->tokens[i].bytes;
        word[i] = 0;
        while (word[i] < i &&
               (run->tokens[word[i]].bytes != bytes ||
                memcmp(results_token(run, word[i]), results_token(run, i), bytes) != 0))
            word[i]++;
    }
}

/* Run the checkpoint's blocks below this layer, so that X is the residual stream that enters it. */
static bool stream(Results *run, const Session *session) {
    const WeightsModel *model = session->weights->model;
    int *ids = heap_get((size_t)run->T * sizeof *ids);
    if (ids == NULL)
        return err_fail(&run->err, "memory", "too little for the tokens; close other programs");
    results_ids(ids, run);
    for (int i = 0; i < run->T; i++)
        run->notes[i] = (EmbedNote){EMBED_TRAINED, -1};
    ModelPass pass = {
        .x = &run->X, .ids = ids, .last = session->weights->layer - 1, .job = run->cache->job};
    bool ran = model->run(model, &pass, &run->err);
    free(ids);
    return ran;
}

/* Fail if the weights have a table of positions that is too short for the text. */
static bool check_positions(Results *run, const Session *session) {
    const Weights *w = session->weights;
    if (session->options.positions != POSITION_LEARNED || !weights_has(w, WEIGHTS_POSITIONS) ||
        run->T <= w->size[WEIGHTS_PLACES])
        return true;
    return err_usage(&run->err, "text",
                     "has %d tokens, but %.160s has only %d positions; shorten the text", run->T,
                     w->path, w->size[WEIGHTS_PLACES]);
}

static bool update_x(Results *run, const Session *session) {
    const Options *o = &session->options;
    Arena *arena = part_reserve(&run->cache->x, mat_bytes(run->T, o->d_model), &run->err);
    if (arena == NULL)
        return false;
    run->X = mat_push(arena, run->T, o->d_model);
    if (weights_has(session->weights, WEIGHTS_X)) {
        Mat given = {session->weights->tensors[WEIGHTS_X].at, run->T, o->d_model, o->d_model};
        mat_copy(&run->X, &given);
    } else if (session_streams(session)) {
        if (!stream(run, session))
            return false;
    } else {
        if (!check_positions(run, session) ||
            !results_embed(&run->X, run->notes, run, session, &run->err))
            return false;
        results_add_positions(&run->X, 0, session);
    }
    hand_numbers_apply(&run->X, hand_set_numbers(session->hand), HAND_X, 1);
    run->missing = 0;
    for (int i = 0; i < run->T; i++)
        run->missing += run->notes[i].source == EMBED_HASHED;
    return true;
}

static bool update_mask(Results *run, const Session *session) {
    const Options *o = &session->options;
    Arena *arena = part_reserve(&run->cache->mask, mask_bytes(run->T), &run->err);
    if (arena == NULL)
        return false;
    run->mask = mask_push(arena, run->T, (MaskKind)o->mask.row, o->mask.number);
    mask_limit(&run->mask, o->traits.window);
    run->edges_edited = edges_apply(&run->mask, session->edges);
    return true;
}

bool results_input_update(Results *run, const Session *session, const ResultsResources *resources,
                          ResultsLimits limits) {
    Reach reach = run->cache->reach;
    if (reach.input && !update_tokens(run, session, resources, limits))
        return false;
    if (run->T == 0)
        return true;
    return (!reach.input || update_x(run, session)) && (!reach.mask || update_mask(run, session));
}
