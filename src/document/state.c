#include "document/state.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"

/* Where the string is written. used also counts what did not fit. */
typedef struct StateOut {
    char *out;
    size_t capacity, used;
} StateOut;

static void put(StateOut *to, char c) {
    if (to->used + 1 < to->capacity)
        to->out[to->used] = c;
    to->used++;
}

static void put_text(StateOut *to, const char *text) {
    for (; *text != '\0'; text++)
        put(to, *text);
}

static bool is_plain(unsigned char c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || (c != '\0' && strchr("-._~,:", c) != NULL);
}

static void put_value(StateOut *to, const char *bytes, size_t size) {
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (is_plain(c)) {
            put(to, (char)c);
            continue;
        }
        put(to, '%');
        put(to, digits[c >> 4]);
        put(to, digits[c & 15]);
    }
}

/* Write all values that differ from their default or from base. base, or NULL, has the values that
 * readers start with in place of the defaults. */
static void put_table(StateOut *to, const OptionTable *table, const void *values,
                      const void *base) {
    for (int i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        if (option_is_standard(row, values) &&
            (base == NULL || option_value_equal(row, values, base)))
            continue;
        char value[OPTION_TEXT_MAX];
        option_get(value, row, values);
        if (to->used > 0)
            put(to, '&');
        put_text(to, row->entry.id);
        put(to, '=');
        put_value(to, value, strlen(value));
    }
}

/* Write the edges of one key, which need no encoding. */
static void put_edges(StateOut *to, const EdgeSet *edges, const EdgeKey *key) {
    if (edges_write(NULL, 0, edges, key->state) == 0)
        return;
    if (to->used > 0)
        put(to, '&');
    put_text(to, key->entry.id);
    put(to, '=');
    bool room = to->used < to->capacity;
    to->used += edges_write(room ? to->out + to->used : NULL, room ? to->capacity - to->used : 0,
                            edges, key->state);
}

/* Write the numbers set by hand, which need no encoding either. */
static void put_hand(StateOut *to, const HandSet *hand) {
    if (hand == NULL)
        return;
    if (to->used > 0)
        put(to, '&');
    put_text(to, HAND_KEY.id);
    put(to, '=');
    bool room = to->used < to->capacity;
    to->used +=
        hand_set_write(room ? to->out + to->used : NULL, room ? to->capacity - to->used : 0, hand);
}

size_t state_write(char *out, size_t capacity, const Session *session, const StateExtra *extra) {
    StateOut to = {out, capacity, 0};
    const Text *text = session->text;
    bool standard = text->size == strlen(SESSION_TEXT_STANDARD) &&
                    memcmp(text->bytes, SESSION_TEXT_STANDARD, text->size) == 0;
    if (!standard) {
        put_text(&to, "text=");
        put_value(&to, text->bytes, text->size);
    }
    if (session->weights != NULL) {
        if (to.used > 0)
            put(&to, '&');
        put_text(&to, "weights=");
        put_value(&to, session->weights->path, strlen(session->weights->path));
    }
    Options base = {0}; /* a default that the weights would change is written, too */
    option_set_standard(&base, &STATE_OPTIONS);
    weights_set_options(&base, session->weights, 0);
    put_table(&to, &STATE_OPTIONS, &session->options, &base);
    for (int i = 0; i < EDGE_KEYS.count; i++)
        put_edges(&to, session->edges, session_edge_key(i));
    put_hand(&to, session->hand);
    if (extra != NULL)
        put_table(&to, extra->table, extra->values, NULL);
    if (capacity > 0)
        out[to.used < capacity ? to.used : capacity - 1] = '\0';
    return to.used;
}

char *state_make(const Session *session, const StateExtra *extra) {
    size_t bytes = state_write(NULL, 0, session, extra);
    char *text = heap_get(bytes + 1);
    if (text != NULL)
        state_write(text, bytes + 1, session, extra);
    return text;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undo the percent encoding into out, which has room for `bytes` bytes. A '+' stays a plus. */
bool state_decode(char *out, size_t *out_bytes, const char *value, size_t bytes) {
    size_t used = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (value[i] != '%') {
            out[used++] = value[i];
            continue;
        }
        if (i + 2 >= bytes || hex_digit(value[i + 1]) < 0 || hex_digit(value[i + 2]) < 0)
            return false;
        out[used++] = (char)(hex_digit(value[i + 1]) * 16 + hex_digit(value[i + 2]));
        i += 2;
    }
    *out_bytes = used;
    return true;
}

/* The state being read: copies, so that a failure changes nothing. */
typedef struct StateDraft {
    Session session;
    _Alignas(max_align_t) unsigned char extra[STATE_EXTRA_MAX];
    const StateExtra *to;
    uint64_t fixed; /* rows of STATE_OPTIONS that the string sets */
    bool sets_numbers;
    char *weights; /* owned: path of the file that the string names, or NULL */
} StateDraft;

static StateDraft draft_begin(const Session *session, const StateExtra *extra) {
    StateDraft draft = {.session = session_share(session), .to = extra};
    assert(extra == NULL || extra->values_bytes <= sizeof draft.extra);
    if (extra != NULL)
        memcpy(draft.extra, extra->values, extra->values_bytes);
    if (extra != NULL && extra->fixed != NULL)
        draft.fixed = *extra->fixed;
    return draft;
}

static void draft_end(StateDraft *draft, Session *session, const StateExtra *extra, bool keep) {
    free(draft->weights);
    session_release(keep ? session : &draft->session);
    if (!keep)
        return;
    *session = draft->session;
    if (extra != NULL)
        memcpy(extra->values, draft->extra, extra->values_bytes);
    if (extra != NULL && extra->fixed != NULL)
        *extra->fixed = draft->fixed;
}

/* Write a key for an error message, cut at a whole character. */
static void key_name(char *out, size_t capacity, const char *key, size_t bytes) {
    size_t repairs;
    out[utf8_repair(out, capacity - 1, key, bytes, &repairs)] = '\0';
}

/* Keep the path of the weights' file until all keys are read, because loading depends on which
 * options were set. */
static bool keep_path(StateDraft *draft, const char *value, size_t bytes, Err *err) {
    free(draft->weights);
    draft->weights = heap_get(bytes + 1);
    if (draft->weights == NULL)
        return err_fail(err, "memory", "too little to read the state string");
    memcpy(draft->weights, value, bytes);
    draft->weights[bytes] = '\0';
    return memchr(value, '\0', bytes) == NULL
               ? true
               : err_usage(err, "weights", "has a NUL in its name; remove it");
}

/* Load the weights' file. An empty name removes the current weights. */
static bool load_weights(StateDraft *draft, Err *err) {
    const WeightsRequest request = weights_request(&draft->session.options, draft->fixed);
    Weights *weights = NULL;
    if (draft->weights == NULL)
        return true;
    if (draft->weights[0] != '\0') {
        if (draft->to == NULL || draft->to->load == NULL)
            return err_usage(err, "weights", "no file of weights can be read here; leave this out");
        weights = draft->to->load(draft->weights, &request, err);
        if (weights == NULL)
            return false;
    }
    return session_set_weights(&draft->session, weights, draft->fixed, err);
}

static bool is_hand_key(const char *key, size_t bytes) {
    return bytes == strlen(HAND_KEY.id) && memcmp(key, HAND_KEY.id, bytes) == 0;
}

bool state_is_list(const char *key, size_t bytes) {
    return registry_find(&EDGE_KEYS, key, bytes) >= 0 || is_hand_key(key, bytes);
}

static bool pair_apply(StateDraft *draft, const char *key, size_t key_bytes, const char *value,
                       size_t bytes, Err *err) {
    if (key_bytes == 4 && memcmp(key, "text", 4) == 0)
        return session_edit_text(&draft->session, 0, draft->session.text->size, value, bytes, err);
    if (key_bytes == 3 && memcmp(key, "ids", 3) == 0) {
        draft->fixed |= weights_fixed_bit(option_find(&STATE_OPTIONS, "tokenizer", 9));
        return session_set_ids(&draft->session, value, bytes, err);
    }
    const OptionRow *row = option_find(&STATE_OPTIONS, key, key_bytes);
    if (row != NULL) {
        draft->fixed |= weights_fixed_bit(row);
        return option_set(&draft->session.options, row, value, bytes, err);
    }
    if (key_bytes == 7 && memcmp(key, "weights", 7) == 0)
        return keep_path(draft, value, bytes, err);
    int edges = registry_find(&EDGE_KEYS, key, key_bytes);
    if (edges >= 0)
        return session_read_edges(&draft->session, session_edge_key(edges), value, bytes, err);
    draft->sets_numbers = draft->sets_numbers || is_hand_key(key, key_bytes);
    if (is_hand_key(key, key_bytes))
        return session_read_numbers(&draft->session, value, bytes, err);
    if (draft->to != NULL)
        row = option_find(draft->to->table, key, key_bytes);
    if (row != NULL)
        return option_set(draft->extra, row, value, bytes, err);
    char name[80];
    key_name(name, sizeof name, key, key_bytes);
    return err_usage(err, name, "no such key in a state string; see headlight render --help");
}

static bool not_a_pair(const char *key, size_t bytes, Err *err) {
    char name[80];
    key_name(name, sizeof name, key, bytes);
    return err_usage(err, name, "is not written as key=value with %%XX for odd bytes");
}

/* A pair of the string, with its value still encoded. */
typedef struct StatePair {
    const char *key, *value;
    size_t key_bytes, bytes;
} StatePair;

/* The last pair of each key of a list, in the order in which they are to be set. Only these are
 * read, because a list takes milliseconds and a string may repeat it a million times. */
typedef struct LastLists {
    StatePair at[STATE_LISTS_MAX];
    int count;
} LastLists;

static void keep_list(LastLists *last, const StatePair *pair) {
    int kept = 0;
    for (int i = 0; i < last->count; i++)
        if (last->at[i].key_bytes != pair->key_bytes ||
            memcmp(last->at[i].key, pair->key, pair->key_bytes) != 0)
            last->at[kept++] = last->at[i];
    assert(kept < STATE_LISTS_MAX);
    last->at[kept] = *pair;
    last->count = kept + 1;
}

static bool encoded_apply(StateDraft *draft, char *room, const StatePair *pair, Err *err) {
    size_t bytes;
    return pair->value != NULL && state_decode(room, &bytes, pair->value, pair->bytes)
               ? pair_apply(draft, pair->key, pair->key_bytes, room, bytes, err)
               : not_a_pair(pair->key, pair->key_bytes, err);
}

static bool string_apply(StateDraft *draft, char *room, const char *string, size_t bytes,
                         Err *err) {
    size_t at = 0;
    LastLists last = {.count = 0};
    while (at < bytes) {
        StatePair pair = {.key = string + at};
        const char *end = memchr(pair.key, '&', bytes - at);
        size_t pair_bytes = end != NULL ? (size_t)(end - pair.key) : bytes - at;
        at += pair_bytes + 1;
        if (pair_bytes == 0)
            continue;
        const char *equals = pair.key[0] != '=' ? memchr(pair.key, '=', pair_bytes) : NULL;
        pair.key_bytes = equals != NULL ? (size_t)(equals - pair.key) : pair_bytes;
        if (equals != NULL) {
            pair.value = equals + 1;
            pair.bytes = pair_bytes - pair.key_bytes - 1;
        }
        if (state_is_list(pair.key, pair.key_bytes))
            keep_list(&last, &pair);
        else if (!encoded_apply(draft, room, &pair, err))
            return false;
    }
    for (int i = 0; i < last.count; i++)
        if (!encoded_apply(draft, room, &last.at[i], err))
            return false;
    return load_weights(draft, err) &&
           (draft->sets_numbers || session_fit_numbers(&draft->session, err)) &&
           session_check(&draft->session, err);
}

bool state_set(Session *session, const StateExtra *extra, const char *key, size_t key_bytes,
               const char *value, size_t value_bytes, Err *err) {
    StateDraft draft = draft_begin(session, extra);
    size_t bytes = 0;
    char *room = heap_get(value_bytes + 1);
    char name[80];
    key_name(name, sizeof name, key, key_bytes);
    bool set = room != NULL ? state_decode(room, &bytes, value, value_bytes) ||
                                  err_usage(err, name, "has a %% without two hex digits behind it")
                            : err_fail(err, "memory", "too little to read the session");
    set = set && pair_apply(&draft, key, key_bytes, room, bytes, err);
    free(room);
    draft_end(&draft, session, extra, set);
    return set;
}

bool state_is_begun(const StateExtra *extra, const char *string, size_t bytes) {
    const char *end = memchr(string, '=', bytes);
    size_t key = end != NULL ? (size_t)(end - string) : 0;
    return (key == 4 && memcmp(string, "text", key) == 0) ||
           (key == 3 && memcmp(string, "ids", key) == 0) ||
           (key == 7 && memcmp(string, "weights", key) == 0) ||
           option_find(&STATE_OPTIONS, string, key) != NULL || state_is_list(string, key) ||
           (extra != NULL && option_find(extra->table, string, key) != NULL);
}

bool state_read(Session *session, const StateExtra *extra, const char *string, size_t bytes,
                Err *err) {
    StateDraft draft = draft_begin(session, extra);
    char *room = heap_get(bytes + 1);
    bool read = room != NULL ? string_apply(&draft, room, string, bytes, err)
                             : err_fail(err, "memory", "too little to read the state string");
    free(room);
    draft_end(&draft, session, extra, read);
    return read;
}
