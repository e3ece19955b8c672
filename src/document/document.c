#include "document/document.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/utf8.h"
#include "base/version.h"

#define BEGINS      "# Headlight "
#define HEADER      BEGINS HEADLIGHT_VERSION ": a session. What is not named is the default.\n"
#define END         "# End of the session."
#define FILE_KEY    "file"
#define OPTIONS_MAX 64

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* True if a byte must stay percent-encoded in a line. Blanks must at its ends. */
static bool stays_encoded(unsigned char c, bool at_an_end) {
    return c < 0x20 || c == 0x7f || c == '%' || (c == ' ' && at_an_end);
}

/* Write a state string as lines, which are never longer than it. Return the bytes written. */
static size_t put_lines(char *out, const char *state, size_t bytes) {
    size_t used = 0;
    for (size_t i = 0; i < bytes; i++) {
        bool encoded = state[i] == '%' && i + 2 < bytes;
        unsigned char c =
            encoded ? (unsigned char)(hex_digit(state[i + 1]) * 16 + hex_digit(state[i + 2]))
                    : (unsigned char)state[i];
        bool first = i > 0 && state[i - 1] == '=';
        bool last = i + 3 >= bytes || state[i + 3] == '&';
        if (encoded && !stays_encoded(c, first || last)) {
            out[used++] = (char)c;
            i += 2;
        } else {
            out[used++] = state[i] == '&' ? '\n' : state[i];
        }
    }
    if (used > 0)
        out[used++] = '\n';
    return used;
}

/* Write the path as a line; percent-encoding may make it longer. */
static size_t put_file(char *out, const char *file) {
    static const char digits[] = "0123456789ABCDEF";
    size_t used = (size_t)sprintf(out, FILE_KEY "=");
    for (; *file != '\0'; file++) {
        unsigned char c = (unsigned char)*file;
        if (c > 0x20 && c < 0x7f && c != '%') { /* the name of a file may be invalid UTF-8 */
            out[used++] = (char)c;
            continue;
        }
        out[used++] = '%';
        out[used++] = digits[c >> 4];
        out[used++] = digits[c & 15];
    }
    out[used++] = '\n';
    return used;
}

char *document_write(size_t *bytes, const Session *session, const StateExtra *extra,
                     const char *file, Err *err) {
    size_t state_bytes = state_write(NULL, 0, session, extra);
    size_t room = strlen(HEADER) + strlen(END "\n") + state_bytes + 2 +
                  (file != NULL ? 3 * strlen(file) + 8 : 0);
    char *state = heap_get(state_bytes + 1), *out = heap_get(room);
    if (state == NULL || out == NULL) {
        free(state);
        free(out);
        err_fail(err, "memory", "too little to save; close other programs");
        return NULL;
    }
    state_write(state, state_bytes + 1, session, extra);
    memcpy(out, HEADER, strlen(HEADER));
    *bytes = strlen(HEADER);
    if (file != NULL)
        *bytes += put_file(out + *bytes, file);
    *bytes += put_lines(out + *bytes, state, state_bytes);
    memcpy(out + *bytes, END "\n", strlen(END "\n"));
    *bytes += strlen(END "\n");
    free(state);
    return out;
}

/* The state of reading. lines[i] is the line that set option i, 0 for none. */
typedef struct Reading {
    Session session;
    const StateExtra *extra;
    char *file;
    int lines[OPTIONS_MAX];
    int taken;
    char *weights; /* owned: the path of the weights' file, or NULL */
    int weights_line;
    int hand_line;               /* the line of the numbers set by hand */
    Pair lists[STATE_LISTS_MAX]; /* those read so far */
    int list_count;
    uint64_t fixed; /* rows of STATE_OPTIONS that the file sets */
    DocumentFaults *faults;
} Reading;

static void fault(Reading *r, int line, const Err *err) {
    if (r->faults->count < DOCUMENT_FAULTS_MAX) {
        r->faults->at[r->faults->count].line = line;
        r->faults->at[r->faults->count].err = *err;
    }
    r->faults->count++;
}

static bool take_file(Reading *r, const Pair *pair) {
    size_t bytes;
    if (!pair_is(pair, FILE_KEY))
        return false;
    if (r->file == NULL || pair->value == NULL || pair->value_bytes >= DOCUMENT_PATH_MAX)
        return true;
    bool read = state_decode(r->file, &bytes, pair->value, pair->value_bytes);
    r->file[read ? bytes : 0] = '\0';
    return true;
}

static bool take_weights(Reading *r, const Pair *pair, int line) {
    size_t bytes;
    if (!pair_is(pair, "weights") || pair->value == NULL)
        return false;
    free(r->weights);
    r->weights = heap_get(pair->value_bytes + 1);
    r->weights_line = line;
    if (r->weights == NULL)
        return true;
    if (!state_decode(r->weights, &bytes, pair->value, pair->value_bytes))
        bytes = 0;
    r->weights[bytes] = '\0';
    r->taken++;
    return true;
}

/* Fit the weights after all options are read, because options set by the file must not contradict
 * them. */
static void load_weights(Reading *r) {
    Err err;
    if (r->weights_line == 0)
        return;
    bool can = r->weights != NULL && r->extra != NULL && r->extra->load != NULL;
    WeightsRequest request = weights_request(&r->session.options, r->fixed);
    Weights *weights = can ? r->extra->load(r->weights, &request, &err) : NULL;
    if (!can)
        err_usage(&err, "weights", "no file of weights can be read here; leave this out");
    if (weights == NULL || !session_set_weights(&r->session, weights, r->fixed, &err))
        fault(r, r->weights_line, &err);
    free(r->weights);
}

/* True if the pair is a list that the file has already. A list takes milliseconds to read, and a
 * file may repeat it a million times. */
static bool is_again(Reading *r, const Pair *pair) {
    if (!state_is_list(pair->key, pair->key_bytes))
        return false;
    for (int i = 0; i < r->list_count; i++)
        if (r->lists[i].key_bytes == pair->key_bytes &&
            memcmp(r->lists[i].key, pair->key, pair->key_bytes) == 0)
            return true;
    assert(r->list_count < STATE_LISTS_MAX);
    r->lists[r->list_count++] = *pair;
    return false;
}

static void take_pair(Reading *r, const Pair *pair, int line) {
    Err err;
    char name[80];
    size_t repairs;
    if (take_file(r, pair) || take_weights(r, pair, line))
        return;
    name[utf8_repair(name, sizeof name - 1, pair->key, pair->key_bytes, &repairs)] = '\0';
    bool set = pair->value == NULL ? err_usage(&err, name, "is not written as key = value")
               : is_again(r, pair) ? err_usage(&err, name, "appears twice; the first counts")
                                   : state_set(&r->session, r->extra, pair->key, pair->key_bytes,
                                               pair->value, pair->value_bytes, &err);
    if (!set) {
        fault(r, line, &err);
        return;
    }
    r->taken++;
    if (pair_is(pair, HAND_KEY.id))
        r->hand_line = line;
    const OptionRow *row = option_find(&STATE_OPTIONS, pair->key, pair->key_bytes);
    if (row == NULL)
        return;
    r->lines[row - STATE_OPTIONS.rows] = line;
    r->fixed |= weights_fixed_bit(row);
}

static void reset(Options *options, int row) {
    Err err;
    const char *standard = STATE_OPTIONS.rows[row].standard;
    option_set(options, &STATE_OPTIONS.rows[row], standard, strlen(standard), &err);
}

/* Return the option that was set last above that line; -1 for none. */
static int last_set(const Reading *r, int below) {
    int found = -1;
    for (int i = 0; i < STATE_OPTIONS.count; i++)
        if (r->lines[i] > 0 && r->lines[i] < below && (found < 0 || r->lines[i] > r->lines[found]))
            found = i;
    return found;
}

/* While options contradict each other, reset one to its default: the last one whose reset resolves
 * the contradiction, or else the last one that was set. */
static void reconcile(Reading *r) {
    Err err, other;
    while (!options_check(&r->session.options, &err)) {
        int mends = -1;
        for (int i = last_set(r, INT32_MAX); i >= 0 && mends < 0; i = last_set(r, r->lines[i])) {
            Options trial = r->session.options;
            reset(&trial, i);
            mends = options_check(&trial, &other) ? i : -1;
        }
        mends = mends >= 0 ? mends : last_set(r, INT32_MAX);
        fault(r, r->lines[mends], &err);
        reset(&r->session.options, mends);
        r->lines[mends] = 0;
    }
}

/* Remove the numbers set by hand that the layer does not have. */
static void fit_numbers(Reading *r) {
    Err err;
    if (session_check(&r->session, &err))
        return;
    fault(r, r->hand_line, &err);
    if (!session_fit_numbers(&r->session, &err))
        fault(r, r->hand_line, &err);
}

static bool has_line(const char *bytes, size_t size, const char *beginning) {
    size_t length = strlen(beginning);
    const char *at = bytes, *end = bytes + size;
    while (at != NULL && (size_t)(end - at) >= length && memcmp(at, beginning, length) != 0) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL && (size_t)(end - at) >= length;
}

bool document_read(Session *session, const StateExtra *extra, char *file, const char *bytes,
                   size_t size, DocumentFaults *faults, Err *err) {
    Reading r = {.extra = extra, .file = file, .faults = faults};
    Pairs pairs = {.bytes = bytes, .size = size};
    Pair pair;
    bool is_whole = has_line(bytes, size, END);
    *faults = (DocumentFaults){.is_cut = !is_whole && has_line(bytes, size, BEGINS)};
    assert(STATE_OPTIONS.count <= OPTIONS_MAX);
    if (file != NULL)
        file[0] = '\0';
    if (memchr(bytes, '\0', size) != NULL || utf8_first_invalid(bytes, size) < size)
        return err_fail(err, "session", "is no text in UTF-8; choose a file that Headlight saved");
    if (!session_init(&r.session, err))
        return false;
    while (pairs_next(&pairs, &pair))
        take_pair(&r, &pair, pairs.line);
    if (r.taken == 0 && (faults->count > 0 || !is_whole)) {
        session_release(&r.session);
        return err_fail(err, "session",
                        "has no line that says a setting; it is empty, was cut off, or is no file "
                        "that Headlight saved");
    }
    reconcile(&r);
    load_weights(&r);
    fit_numbers(&r);
    session_release(session);
    *session = r.session;
    return true;
}
