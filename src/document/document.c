#include "document/document.h"

#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/text_out.h"
#include "base/utf8.h"
#include "gen/version.h"

#define BEGINS "# Headlight "
#define HEADER                                                                                     \
    BEGINS HEADLIGHT_VERSION ": a session. Settings that are not named here have their default.\n"
#define END         "# End of the session."
#define FILE_KEY    "file"
#define STAMP_KEY   "stamp"
#define SHOWN_KEY   "shown"
#define OPTIONS_MAX 64

/* Append a state string as lines. Only '%', control characters, and blanks at the ends of a value
 * stay percent-encoded. */
static void put_lines(TextOut *out, const char *state) {
    size_t bytes = strlen(state);
    for (size_t i = 0, size; i < bytes; i += size) {
        char c = state[i] == '&' ? '\n' : state[i];
        size_t decoded;
        size = state[i] == '%' ? 3 : 1;
        if (size == 3 && state_decode(&c, &decoded, state + i, size)) {
            bool at_an_end = state[i - 1] == '=' || state[i + 3] == '\0' || state[i + 3] == '&';
            bool stays =
                (unsigned char)c < 0x20 || c == 0x7f || c == '%' || (c == ' ' && at_an_end);
            text_out_bytes(out, stays ? state + i : &c, stays ? size : 1);
        } else {
            text_out_bytes(out, &c, 1);
        }
    }
    text_out(out, "%s", bytes > 0 ? "\n" : "");
}

static void put_file(TextOut *out, const char *file) {
    text_out(out, FILE_KEY "=");
    for (; *file != '\0'; file++) {
        /* Encode all other bytes, because a path may be invalid UTF-8. */
        bool is_plain = *file > 0x20 && *file < 0x7f && *file != '%';
        text_out(out, is_plain ? "%c" : "%%%02X", (unsigned char)*file);
    }
    text_out(out, "\n");
}

char *document_write(size_t *bytes, const Session *session, const StateExtra *extra,
                     const DocumentKept *kept, Err *err) {
    TextOut out = {0};
    char *state = state_make(session, extra);
    text_out(&out, HEADER);
    if (kept != NULL) {
        put_file(&out, kept->file);
        text_out(&out, STAMP_KEY "=%" PRIx64 "\n", kept->stamp);
    }
    if (kept != NULL && kept->shown != NULL)
        text_out(&out, SHOWN_KEY "=%s\n", kept->shown);
    if (state != NULL)
        put_lines(&out, state);
    text_out(&out, END "\n");
    *bytes = out.used;
    if (out.failed || state == NULL) {
        text_out_release(&out);
        err_fail(err, "memory", "too little to save; close other programs");
    }
    free(state);
    return out.at;
}

/* The state of document_read. lines[i]: number of the line that set row i of STATE_OPTIONS, or
 * 0. */
typedef struct Reading {
    StateReader state;
    DocumentKept *kept; /* or NULL */
    int lines[OPTIONS_MAX];
    int taken;
    /* Number of the line that named the weights' file, and of the line that set numbers by hand. */
    int weights_line, hand_line;
    bool has_list[STATE_LISTS];
    DocumentFaults *faults;
} Reading;

static void fault(Reading *r, int line, const Err *err) {
    if (r->faults->count < DOCUMENT_FAULTS_MAX) {
        r->faults->at[r->faults->count].line = line;
        r->faults->at[r->faults->count].err = *err;
    }
    r->faults->count++;
}

/* Store a line of DocumentKept, which only autosaves have. Return false for any other line. */
static bool take_kept(Reading *r, const Pair *pair) {
    DocumentKept *kept = r->kept;
    size_t bytes;
    bool is_file = pair_is(pair, FILE_KEY), is_shown = pair_is(pair, SHOWN_KEY);
    if (!is_file && !is_shown && !pair_is(pair, STAMP_KEY))
        return false;
    if (kept == NULL || pair->value == NULL)
        return true;
    if (is_file) {
        if (pair->value_bytes >= DOCUMENT_PATH_MAX)
            return true;
        bool read = state_decode(kept->file, &bytes, pair->value, pair->value_bytes);
        kept->file[read ? bytes : 0] = '\0';
    } else if (!is_shown) {
        char digits[17]; /* a copy, because the value does not end with NUL */
        snprintf(digits, sizeof digits, "%.*s", (int)pair->value_bytes, pair->value);
        kept->stamp = strtoull(digits, NULL, 16);
    } else if (kept->shown == NULL) {
        kept->shown = heap_get_zero(pair->value_bytes + 1, 1);
        if (kept->shown != NULL)
            memcpy(kept->shown, pair->value, pair->value_bytes);
    }
    return true;
}

/* Set one pair. Read a list only the first time that it appears: reading it takes milliseconds, and
 * a file may repeat it a million times. */
static bool set_pair(Reading *r, const Pair *pair, Err *err) {
    char name[80];
    size_t repairs;
    int list = state_list(pair->key, pair->key_bytes);
    name[utf8_repair(name, sizeof name - 1, pair->key, pair->key_bytes, &repairs)] = '\0';
    if (pair->value == NULL)
        return err_usage(err, name, "is not written as key = value");
    if (list >= 0 && r->has_list[list])
        return err_usage(err, name, "appears twice; the first counts");
    if (list >= 0)
        r->has_list[list] = true;
    return state_set(&r->state, pair, err);
}

static void take_pair(Reading *r, const Pair *pair, int line) {
    Err err;
    if (take_kept(r, pair))
        return;
    if (!set_pair(r, pair, &err)) {
        fault(r, line, &err);
        return;
    }
    r->taken++;
    if (pair_is(pair, "weights"))
        r->weights_line = line;
    if (pair_is(pair, HAND_KEY.id))
        r->hand_line = line;
    const OptionRow *row = option_find(&STATE_OPTIONS, pair->key, pair->key_bytes);
    if (row != NULL)
        r->lines[row - STATE_OPTIONS.rows] = line;
}

static void reset(Options *options, int row) {
    Err err;
    const char *standard = STATE_OPTIONS.rows[row].standard;
    option_set(options, &STATE_OPTIONS.rows[row], standard, strlen(standard), &err);
}

/* Return the option that was set last before the line `below`; -1 for none. */
static int last_set(const Reading *r, int below) {
    int found = -1;
    for (int i = 0; i < STATE_OPTIONS.count; i++)
        if (r->lines[i] > 0 && r->lines[i] < below && (found < 0 || r->lines[i] > r->lines[found]))
            found = i;
    return found;
}

/* Reset options to their defaults, one by one, until they no longer contradict each other. Choose
 * the option that was set last among those whose reset alone is enough or, if there is none, among
 * all. */
static void reconcile(Reading *r) {
    Err err, other;
    while (!options_check(&r->state.session.options, &err)) {
        int mends = -1;
        for (int i = last_set(r, INT32_MAX); i >= 0 && mends < 0; i = last_set(r, r->lines[i])) {
            Options trial = r->state.session.options;
            reset(&trial, i);
            mends = options_check(&trial, &other) ? i : -1;
        }
        mends = mends >= 0 ? mends : last_set(r, INT32_MAX);
        fault(r, r->lines[mends], &err);
        reset(&r->state.session.options, mends);
        r->lines[mends] = 0;
    }
}

static void fit_numbers(Reading *r) {
    Err err;
    if (session_check(&r->state.session, &err))
        return;
    fault(r, r->hand_line, &err);
    if (!session_fit_numbers(&r->state.session, &err))
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

bool document_read(Session *session, const StateExtra *extra, DocumentKept *kept, const char *bytes,
                   size_t size, DocumentFaults *faults, Err *err) {
    Reading r = {.state = {.extra = extra}, .kept = kept, .faults = faults};
    Pairs pairs = {.bytes = bytes, .size = size};
    Pair pair;
    bool is_whole = has_line(bytes, size, END);
    *faults = (DocumentFaults){.is_cut = !is_whole && has_line(bytes, size, BEGINS)};
    assert(STATE_OPTIONS.count <= OPTIONS_MAX);
    if (kept != NULL)
        *kept = (DocumentKept){.shown = NULL};
    if (memchr(bytes, '\0', size) != NULL || utf8_first_invalid(bytes, size) < size)
        return err_fail(err, "session",
                        "is not a text in UTF-8; choose a file that Headlight saved");
    if (extra != NULL)
        r.state.values = extra->values;
    if (!session_init(&r.state.session, err))
        return false;
    while (pairs_next(&pairs, &pair))
        take_pair(&r, &pair, pairs.line);
    if (r.taken == 0 && (faults->count > 0 || !is_whole)) {
        session_release(&r.state.session);
        free(r.state.weights);
        return err_fail(
            err, "session",
            "has no line with a setting: it is empty, was cut off, or was not saved by Headlight");
    }
    reconcile(&r);
    /* Load the weights only now, because they must not contradict any option of the file. */
    Err unloaded;
    if (!state_load(&r.state, &unloaded))
        fault(&r, r.weights_line, &unloaded);
    free(r.state.weights);
    fit_numbers(&r);
    session_release(session);
    *session = r.state.session;
    if (extra != NULL && extra->fixed != NULL)
        *extra->fixed |= r.state.fixed;
    return true;
}
