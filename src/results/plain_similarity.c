#include "results/plain_similarity.h"

#include <string.h>

#include "base/util.h"
#include "model/attention/position.h"

typedef struct Setting {
    const char *key, *value;
} Setting;

/* The options of the special case W_Q = W_K = W_V = I, in an order in which each value is valid
 * when it is set. */
static const Setting ENTER[] = {
    {"form", "separate"},   {"bias", "none"},       {"positions", "none"},  {"block", "attention"},
    {"mask", "none"},       {"head", "1"},          {"pin", "none"},        {"d-k", "auto"},
    {"d-v", "auto"},        {"heads", "1"},         {"init-q", "identity"}, {"init-k", "identity"},
    {"init-v", "identity"}, {"tokenizer", "words"}, {"embedding", "glove"},
};
static const Setting LEAVE[] = {{"init-q", "auto"}, {"init-k", "auto"}, {"init-v", "auto"}};

static bool set_all(Session *session, const Setting *settings, size_t count, Err *err) {
    for (size_t i = 0; i < count; i++) {
        const char *key = settings[i].key, *value = settings[i].value;
        const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
        if (strcmp(value, "auto") == 0)
            value = row->standard;
        if (!session_set(session, row, value, strlen(value), err))
            return false;
    }
    return true;
}

bool plain_is(const Session *session) {
    const Options *o = &session->options;
    int identity = registry_find(&SCHEME_REGISTRY, "identity", strlen("identity"));
    int q = o->init_q >= 0 ? o->init_q : o->init, k = o->init_k >= 0 ? o->init_k : o->init;
    int v = o->init_v >= 0 ? o->init_v : o->init;
    AttnShape shape = options_shape(o, 1, FORM_SEPARATE);
    return session->weights == NULL && o->heads == 1 && shape.K == shape.D && shape.V == shape.D &&
           q == identity && k == identity && v == identity && o->bias == BIAS_NONE &&
           o->positions == POSITION_NONE;
}

/* True if the byte belongs to a word. All bytes of non-ASCII characters count as letters. */
static bool is_of_word(char byte) {
    char small = (char)(byte | 0x20);
    return (small >= 'a' && small <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' ||
           ((unsigned char)byte & 0x80) != 0;
}

static bool has_word(const char *text, const char *word) {
    size_t bytes = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += bytes)
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[bytes]))
            return true;
    return false;
}

static bool has_words(const Session *session) {
    static const char *const words[] = {"king", "queen", "dog"};
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (!has_word(session->text->bytes, words[i]))
            return false;
    return true;
}

bool plain_enter(Session *session, const Session *kept, Err *err) {
    (void)kept;
    return (session->weights == NULL || session_set_weights(session, NULL, 0, err)) &&
           set_all(session, ENTER, ARRAY_COUNT(ENTER), err) &&
           (has_words(session) || session_edit_text(session, 0, session->text->size, PLAIN_TEXT,
                                                    strlen(PLAIN_TEXT), err));
}

bool plain_leave(Session *session, const Session *kept, Err *err) {
    if (kept == NULL)
        return set_all(session, LEAVE, ARRAY_COUNT(LEAVE), err);
    Session back = session_share(kept);
    session_release(session);
    *session = back;
    return true;
}
