#include "document/state.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/text_out.h"
#include "base/utf8.h"

static bool is_plain(unsigned char c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || (c != '\0' && strchr("-._~,:", c) != NULL);
}

static void put_key(TextOut *out, const char *key) {
    text_out(out, "%s%s=", out->used > 0 ? "&" : "", key);
}

static void put_value(TextOut *out, const char *bytes, size_t size) {
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        const char encoded[] = {'%', digits[c >> 4], digits[c & 15]};
        text_out_bytes(out, is_plain(c) ? &bytes[i] : encoded, is_plain(c) ? 1 : sizeof encoded);
    }
}

/* Append each value that differs from its default or from its value in base. base: the values with
 * which a reader starts; NULL: the defaults. */
static void put_table(TextOut *out, const OptionTable *table, const void *values,
                      const void *base) {
    for (int i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        if (option_is_standard(row, values) &&
            (base == NULL || option_value_equal(row, values, base)))
            continue;
        char value[OPTION_TEXT_MAX];
        option_get(value, row, values);
        put_key(out, row->entry.id);
        put_value(out, value, strlen(value));
    }
}

char *state_make(const Session *session, const StateExtra *extra) {
    TextOut out = {0};
    const Text *text = session->text;
    bool standard = text->size == strlen(SESSION_TEXT_STANDARD) &&
                    memcmp(text->bytes, SESSION_TEXT_STANDARD, text->size) == 0;
    text_out(&out, "%s", standard ? "" : "text=");
    if (!standard)
        put_value(&out, text->bytes, text->size);
    if (session->weights != NULL) {
        put_key(&out, "weights");
        put_value(&out, session->weights->path, strlen(session->weights->path));
    }
    Options base = {0}; /* used to write a default value, too, if the weights would change it */
    option_set_standard(&base, &STATE_OPTIONS);
    weights_set_options(&base, session->weights, 0);
    put_table(&out, &STATE_OPTIONS, &session->options, &base);
    for (int i = 0; i < EDGE_KEYS.count; i++) {
        if (edges_have(session->edges, edge_key(i)->state)) {
            put_key(&out, edge_key(i)->entry.id);
            edges_write(&out, session->edges, edge_key(i)->state);
        }
    }
    if (session->hand != NULL) {
        put_key(&out, HAND_KEY.id);
        hand_set_write(&out, session->hand);
    }
    if (extra != NULL)
        put_table(&out, extra->table, extra->values, NULL);
    if (out.failed)
        text_out_release(&out);
    return out.at;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

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

/* Write a key for an error message. Cut a long key after a whole character. */
static const char *key_name(char out[80], const char *key, size_t bytes) {
    size_t repairs;
    out[utf8_repair(out, 79, key, bytes, &repairs)] = '\0';
    return out;
}

int state_list(const char *key, size_t bytes) {
    return pair_is(&(Pair){.key = key, .key_bytes = bytes}, HAND_KEY.id)
               ? EDGE_KEYS.count
               : registry_find(&EDGE_KEYS, key, bytes);
}

/* Store the path of the weights' file until all keys are read, because loading depends on which
 * options were set. */
static bool keep_path(StateReader *reader, const char *value, size_t bytes, Err *err) {
    free(reader->weights);
    reader->weights = heap_copy(value, bytes);
    if (reader->weights == NULL)
        return err_fail(err, "memory", "too little to read the state string");
    return memchr(value, '\0', bytes) == NULL ||
           err_usage(err, "weights", "has a NUL in its name; remove it");
}

/* Set a key to a value, which is already decoded. */
static bool apply(StateReader *reader, const Pair *pair, const char *value, size_t bytes,
                  Err *err) {
    Session *session = &reader->session;
    if (pair_is(pair, "text"))
        return session_edit_text(session, 0, session->text->size, value, bytes, err);
    if (pair_is(pair, "ids")) {
        reader->fixed |= weights_fixed_bit(option_find(&STATE_OPTIONS, "tokenizer", 9));
        return session_set_ids(session, value, bytes, err);
    }
    const OptionRow *row = option_find(&STATE_OPTIONS, pair->key, pair->key_bytes);
    if (row != NULL) {
        reader->fixed |= weights_fixed_bit(row);
        return option_set(&session->options, row, value, bytes, err);
    }
    if (pair_is(pair, "weights"))
        return keep_path(reader, value, bytes, err);
    int list = state_list(pair->key, pair->key_bytes);
    if (list >= EDGE_KEYS.count) {
        reader->sets_numbers = true;
        return hand_set_read(&session->hand, value, bytes, err);
    }
    if (list >= 0)
        return edges_read(&session->edges, edge_key(list), value, bytes, err);
    if (reader->extra != NULL)
        row = option_find(reader->extra->table, pair->key, pair->key_bytes);
    if (row != NULL)
        return option_set(reader->values, row, value, bytes, err);
    char name[80];
    return err_usage(err, key_name(name, pair->key, pair->key_bytes),
                     "no such key in a state string; run headlight render --help");
}

bool state_set(StateReader *reader, const Pair *pair, Err *err) {
    char name[80], *room = heap_get(pair->value_bytes + 1);
    size_t bytes = 0;
    bool decoded = room != NULL && state_decode(room, &bytes, pair->value, pair->value_bytes);
    bool set = decoded && apply(reader, pair, room, bytes, err);
    free(room);
    if (room == NULL)
        return err_fail(err, "memory", "too little to read the state");
    return decoded ? set
                   : err_usage(err, key_name(name, pair->key, pair->key_bytes),
                               "has a %% without two hex digits after it");
}

bool state_load(StateReader *reader, Err *err) {
    const WeightsRequest request = weights_request(&reader->session.options, reader->fixed);
    Weights *weights = NULL;
    if (reader->weights == NULL)
        return true;
    if (reader->weights[0] != '\0') {
        if (reader->extra == NULL || reader->extra->load == NULL)
            return err_usage(err, "weights", "weights files cannot be read here; leave this out");
        weights = reader->extra->load(reader->weights, &request, err);
        if (weights == NULL)
            return false;
    }
    return session_set_weights(&reader->session, weights, reader->fixed, err);
}

/* Set all pairs. If a list occurs several times, read only the last one: reading takes
 * milliseconds, and a string may repeat a list a million times. */
static bool set_pairs(StateReader *reader, const char *string, size_t bytes, Err *err) {
    const char *last[STATE_LISTS] = {NULL};
    Pairs all = {.bytes = string, .size = bytes}, pairs = all;
    Pair pair;
    char name[80];
    while (pairs_next_joined(&all, &pair))
        if (state_list(pair.key, pair.key_bytes) >= 0)
            last[state_list(pair.key, pair.key_bytes)] = pair.key;
    while (pairs_next_joined(&pairs, &pair)) {
        int list = state_list(pair.key, pair.key_bytes);
        if (list >= 0 && last[list] != pair.key)
            continue;
        if (pair.value == NULL)
            return err_usage(err, key_name(name, pair.key, pair.key_bytes),
                             "is not written as key=value, with %%XX for special bytes");
        if (!state_set(reader, &pair, err))
            return false;
    }
    return true;
}

bool state_is_begun(const StateExtra *extra, const char *string, size_t bytes) {
    Pairs pairs = {.bytes = string, .size = bytes};
    Pair pair;
    return pairs_next_joined(&pairs, &pair) && pair.value != NULL &&
           (pair_is(&pair, "text") || pair_is(&pair, "ids") || pair_is(&pair, "weights") ||
            option_find(&STATE_OPTIONS, pair.key, pair.key_bytes) != NULL ||
            state_list(pair.key, pair.key_bytes) >= 0 ||
            (extra != NULL && option_find(extra->table, pair.key, pair.key_bytes) != NULL));
}

bool state_read(Session *session, const StateExtra *extra, const char *string, size_t bytes,
                Err *err) {
    _Alignas(max_align_t) unsigned char values[STATE_EXTRA_MAX];
    StateReader reader = {.session = session_share(session), .extra = extra, .values = values};
    uint64_t *fixed = extra != NULL ? extra->fixed : NULL;
    size_t values_bytes = extra != NULL ? extra->values_bytes : 0;
    assert(values_bytes <= sizeof values);
    if (values_bytes > 0)
        memcpy(values, extra->values, values_bytes);
    reader.fixed = fixed != NULL ? *fixed : 0;
    bool read = set_pairs(&reader, string, bytes, err) && state_load(&reader, err) &&
                (reader.sets_numbers || session_fit_numbers(&reader.session, err)) &&
                session_check(&reader.session, err);
    free(reader.weights);
    session_release(read ? session : &reader.session);
    if (!read)
        return false;
    *session = reader.session;
    if (values_bytes > 0)
        memcpy(extra->values, values, values_bytes);
    if (fixed != NULL)
        *fixed = reader.fixed;
    return true;
}
