#include "results/model_output.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "results/by_hand.h"
#include "results/layer.h"
#include "text/display.h"
#include "text/vocabulary.h"

static bool push(ModelOutput *out, Mat *attention, Mat *x, const Results *run,
                 const WeightsModel *model, int n, Err *err) {
    int T = run->T, D = run->X.cols;
    uint64_t narrow = mat_bytes(T, D), wide = mat_bytes(n, model->logits);
    uint64_t bytes = narrow + narrow + narrow + wide;
    if (bytes > ARENA_BYTES_MAX)
        return err_fail(err, "logits", "would take %.1f GB for %d tokens; use fewer",
                        (double)bytes / 1e9, T);
    if (!arena_reserve(&out->arena, bytes, err))
        return false;
    out->hidden = mat_push(&out->arena, T, D);
    *attention = mat_push(&out->arena, T, D);
    *x = mat_push(&out->arena, T, D);
    if (model->logits > 0)
        out->logits = mat_push(&out->arena, n, model->logits);
    return true;
}

bool model_output_make(ModelOutput *out, const Results *run, int n, const Job *job, Err *err) {
    const Session *session = results_source(run);
    const WeightsModel *model = session->weights != NULL ? session->weights->model : NULL;
    const LayerResults *layer = &run->layers[0];
    Mat attention, x;
    *out = (ModelOutput){0};
    assert(run->valid && run->T > 0);
    if (model == NULL || model->D != run->X.cols)
        return true;
    if (!push(out, &attention, &x, run, model, n, err))
        return false;
    int first = session->weights->layer - 1;
    attn_output(&attention, results_trace(run, 0), &layer->shape[run->form], &layer->params);
    mat_copy(&out->hidden, &run->X);
    ModelPass block = {
        .x = &out->hidden, .first = first, .last = first + 1, .attention = &attention, .job = job};
    if (!model->run(model, &block, err))
        return false;
    mat_copy(&x, &out->hidden);
    ModelPass above = {.x = &x,
                       .first = first + 1,
                       .last = session->weights->layers,
                       .logits = &out->logits,
                       .job = job};
    return out->logits.rows == 0 || model->run(model, &above, err);
}

void model_output_release(ModelOutput *out) {
    arena_release(&out->arena);
    *out = (ModelOutput){0};
}

bool results_has_next_tokens(const Session *session) {
    return session_streams(session) && session->weights->model->logits > 0;
}

/* Write the token's word or, if the vocabulary is unknown, its id. */
static void name_token(struct NextToken *token, const Results *run, const WeightsModel *model) {
    char bytes[NEXT_NAME_BYTES], shown[TOKEN_DISPLAY_MAX];
    const Vocabulary *gpt2 = model->words == GPT2_WORDS ? run->cache->resources.text.gpt2 : NULL;
    const Vocabulary *v = model->vocabulary != NULL ? model->vocabulary : gpt2;
    size_t size = v != NULL ? vocabulary_text(bytes, sizeof bytes, v, token->id) : 0;
    snprintf(token->name, sizeof token->name, "id %d", token->id);
    if (size == 0)
        return;
    size = token_display(shown, bytes, size);
    size = utf8_floor(shown, size, size < NEXT_NAME_BYTES ? size : NEXT_NAME_BYTES - 1);
    memcpy(token->name, shown, size);
    token->name[size] = '\0';
}

static double log_sum(const float *logits, int count) {
    double most = -INFINITY, sum = 0;
    if (count <= 0)
        return most;
    for (int i = 0; i < count; i++)
        most = fmax(most, (double)logits[i]);
    for (int i = 0; i < count; i++)
        sum += exp((double)logits[i] - most);
    return most + log(sum);
}

/* List the most probable words by either row of logits: [0] with edits, [1] without. */
static void list_most(NextTokens *next, const float *const logits[2], int words) {
    const double sum[] = {log_sum(logits[0], words), log_sum(logits[1], words)};
    int count = 0;
    for (int id = 0; id < words; id++) {
        struct NextToken token = {.id = id};
        for (int k = 0; k < 2; k++) {
            token.logit[k] = (double)logits[k][id];
            token.share[k] = exp(token.logit[k] - sum[k]);
        }
        double most = fmax(token.share[0], token.share[1]);
        int at = count;
        for (; at > 0 && most > fmax(next->at[at - 1].share[0], next->at[at - 1].share[1]); at--)
            if (at < NEXT_TOKENS)
                next->at[at] = next->at[at - 1];
        count += count < NEXT_TOKENS;
        if (at < NEXT_TOKENS)
            next->at[at] = token;
    }
    next->count = count;
}

static int by_share(const void *a, const void *b) {
    double left = ((const struct NextToken *)a)->share[0];
    double right = ((const struct NextToken *)b)->share[0];
    return (left < right) - (left > right);
}

/* Store the logits without edits, to compare later edits with them. */
static bool keep_plain(ResultsCache *cache, const Mat *logits, Err *err) {
    size_t bytes = (size_t)logits->cols * sizeof(float);
    Arena *arena = part_reserve(&cache->plain, arena_padded(bytes), err);
    if (arena == NULL)
        return false;
    float *at = arena_push(arena, bytes);
    memcpy(at, logits->at, bytes);
    cache->plain_logits = at;
    return true;
}

static bool make_plain(const Results *run, const Job *job, Err *err) {
    ModelOutput output = {0};
    Results plain = {0};
    if (run->cache->plain_logits != NULL)
        return true;
    bool made = results_plain_make(&plain, run, false, job)
                    ? model_output_make(&output, &plain, 1, job, err)
                    : err_fail(err, "next words", "%s", plain.err.why);
    made = made && keep_plain(run->cache, &output.logits, err);
    results_plain_release(&plain);
    model_output_release(&output);
    return made;
}

bool results_next_tokens(Results *run, const Job *job, Err *err) {
    const Session *session = results_source(run);
    ModelOutput now;
    bool is_known = run->next.count > 0 && !run->next.is_stale;
    if (is_known || !results_has_next_tokens(session))
        return true;
    bool edited = session->hand != NULL || session->edges != NULL;
    bool made = model_output_make(&now, run, 1, job, err);
    made = made && (edited ? make_plain(run, job, err) : keep_plain(run->cache, &now.logits, err));
    if (made) {
        const WeightsModel *model = session->weights->model;
        const float *logits[] = {now.logits.at, run->cache->plain_logits};
        run->next.edited = edited;
        run->next.is_stale = false;
        list_most(&run->next, logits, model->logits);
        qsort(run->next.at, (size_t)run->next.count, sizeof run->next.at[0], by_share);
        for (int i = 0; i < run->next.count; i++)
            name_token(&run->next.at[i], run, model);
    }
    model_output_release(&now);
    return made;
}
