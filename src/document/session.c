#include "document/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

/* Return a text of this size with one owner. Only its NUL is set yet. */
static Text *text_new(size_t size, Err *err) {
    Text *text = heap_get(sizeof *text + size + 1);
    if (text == NULL)
        return err_null(err, "memory",
                        "%zu bytes for the text could not be allocated; close other programs",
                        size);
    text->owners = 1;
    text->size = size;
    text->bytes[size] = '\0';
    return text;
}

static void text_drop(Text *text) {
    if (text != NULL && --text->owners == 0)
        free(text);
}

bool session_init(Session *session, Err *err) {
    *session = (Session){0};
    option_set_standard(&session->options, &STATE_OPTIONS);
    session->text = text_new(strlen(SESSION_TEXT_STANDARD), err);
    if (session->text == NULL)
        return false;
    memcpy(session->text->bytes, SESSION_TEXT_STANDARD, session->text->size);
    return true;
}

Session session_share(const Session *session) {
    session->text->owners++;
    if (session->edges != NULL)
        session->edges->owners++;
    if (session->hand != NULL)
        session->hand->owners++;
    if (session->weights != NULL)
        session->weights->owners++;
    return *session;
}

void session_release(Session *session) {
    text_drop(session->text);
    edges_drop(session->edges);
    hand_set_drop(session->hand);
    weights_drop(session->weights);
    *session = (Session){0};
}

static bool insert_check(const char *insert, size_t bytes, Err *err) {
    size_t invalid = utf8_first_invalid(insert, bytes);
    const char *nul = bytes > 0 ? memchr(insert, '\0', bytes) : NULL;
    if (nul != NULL && (size_t)(nul - insert) < invalid)
        return err_usage(err, "text", "has a NUL at byte %zu; remove it", (size_t)(nul - insert));
    if (invalid < bytes)
        return err_usage(err, "text", "is not UTF-8 at byte %zu; convert it to UTF-8", invalid);
    return true;
}

bool session_edit_text(Session *session, size_t from, size_t to, const char *insert, size_t bytes,
                       Err *err) {
    const Text *old = session->text;
    assert(from <= to && to <= old->size);
    assert(utf8_floor(old->bytes, old->size, from) == from);
    assert(utf8_floor(old->bytes, old->size, to) == to);
    if (!insert_check(insert, bytes, err))
        return false;
    size_t kept = old->size - (to - from);
    if (bytes > TOKEN_TEXT_MAX - kept)
        return err_usage(err, "text", "would be %zu bytes long; the limit is %u", kept + bytes,
                         TOKEN_TEXT_MAX);
    Text *text = text_new(kept + bytes, err);
    if (text == NULL)
        return false;
    memcpy(text->bytes, old->bytes, from);
    if (bytes > 0)
        memcpy(text->bytes + from, insert, bytes);
    memcpy(text->bytes + from + bytes, old->bytes + to, old->size - to);
    text_drop(session->text);
    session->text = text;
    return true;
}

/* Check the weights before the options, because only the weights' message explains why a width is
 * fixed. */
static bool check(const Options *options, const Weights *weights, Err *err) {
    Options same = *options;
    return weights_fit(&same, weights, WEIGHTS_FIXED_ALL, err) && options_check(options, err);
}

static AttnShape shape_of(const Session *session) {
    return options_shape(&session->options, TOKENS_MAX, (AttnForm)session->options.form.row);
}

bool session_fit_numbers(Session *session, Err *err) {
    AttnShape shape = shape_of(session);
    return hand_set_check(session->hand, &shape, NULL) ||
           hand_set_prune(&session->hand, &shape, err);
}

bool session_set(Session *session, const OptionRow *row, const char *value, size_t bytes,
                 Err *err) {
    Options changed = session->options;
    if (!option_set(&changed, row, value, bytes, err))
        return false;
    bool fewer_heads = changed.heads < session->options.heads;
    if (fewer_heads && changed.head > changed.heads)
        changed.head = changed.heads;
    if (!check(&changed, session->weights, err))
        return false;
    session->options = changed;
    return true;
}

bool session_check(const Session *session, Err *err) {
    if (!check(&session->options, session->weights, err))
        return false;
    AttnShape shape = shape_of(session);
    return hand_set_check(session->hand, &shape, err);
}

bool session_set_weights(Session *session, Weights *weights, uint64_t fixed, Err *err) {
    Options changed = session->options;
    const WeightsModel *model = weights != NULL ? weights->model : NULL;
    bool has_vocabulary = model != NULL && model->vocabulary != NULL;
    if (changed.tokenizer == TOKENIZER_MODEL && !has_vocabulary)
        changed.tokenizer = TOKENIZER_WORDS;
    weights_set_options(&changed, weights, fixed);
    if (!weights_fit(&changed, weights, fixed, err) || !options_check(&changed, err)) {
        weights_drop(weights);
        return false;
    }
    weights_drop(session->weights);
    session->weights = weights;
    session->options = changed;
    return true;
}

bool session_set_ids(Session *session, const char *list, size_t bytes, Err *err) {
    bool has_id = false;
    for (size_t at = 0, size; (size = ids_next(&at, list, bytes)) > 0; at += size) {
        if (ids_number(list + at, size) < 0)
            return err_usage(err, "--ids", "“%.*s” is not a token id; give numbers, as in 5,17,2",
                             size < 40 ? (int)size : 40, list + at);
        has_id = true;
    }
    if (!has_id)
        return err_usage(err, "--ids", "has no token ids; give numbers, as in 5,17,2");
    if (!session_edit_text(session, 0, session->text->size, list, bytes, err))
        return false;
    session->options.tokenizer = TOKENIZER_IDS;
    return true;
}

bool session_streams(const Session *session) {
    const WeightsModel *model = session->weights != NULL ? session->weights->model : NULL;
    int tokenizer = session->options.tokenizer;
    return model != NULL && model->words > 0 &&
           (tokenizer == TOKENIZER_IDS || tokenizer == TOKENIZER_MODEL ||
            (tokenizer == TOKENIZER_GPT2 && model->words == GPT2_WORDS));
}

const Vocabulary *session_vocabulary(const Session *session) {
    const Weights *weights = session->weights;
    return weights != NULL && weights->model != NULL ? weights->model->vocabulary : NULL;
}

const Registry *session_tokenizers(const Session *session) {
    const Weights *weights = session->weights;
    int chosen = session->options.tokenizer;
    bool has_ids = weights != NULL && weights->model != NULL && weights->model->words > 0;
    if (chosen == TOKENIZER_MODEL || session_vocabulary(session) != NULL)
        return &TOKENIZER_REGISTRY;
    return has_ids || chosen == TOKENIZER_IDS ? &ID_TOKENIZERS : &TEXT_TOKENIZERS;
}

static TextResources with_vocabulary(const Session *session, const TextResources *resources) {
    TextResources all = resources != NULL ? *resources : (TextResources){0};
    all.model = session_vocabulary(session);
    return all;
}

bool session_split(TokenList *out, const Session *session, const TextResources *resources,
                   Err *err) {
    TextResources all = with_vocabulary(session, resources);
    return tokenizer_split(out, session->options.tokenizer, session->text->bytes,
                           session->text->size, &all, err);
}

bool session_split_ready(const Session *session, const TextResources *resources, Err *err) {
    TextResources all = with_vocabulary(session, resources);
    return tokenizer_ready(session->options.tokenizer, &all, err);
}

bool session_has_layers(const Session *session) {
    return session->weights != NULL && session->weights->layers > 1;
}

bool session_gives_x(const Session *session) {
    return weights_has(session->weights, WEIGHTS_X) || session_streams(session);
}

bool session_equal(const Session *a, const Session *b) {
    if (!option_values_equal(&STATE_OPTIONS, &a->options, &b->options) ||
        !edges_equal(a->edges, b->edges) || !hand_set_equal(a->hand, b->hand) ||
        !weights_equal(a->weights, b->weights))
        return false;
    return a->text == b->text || (a->text->size == b->text->size &&
                                  memcmp(a->text->bytes, b->text->bytes, a->text->size) == 0);
}
