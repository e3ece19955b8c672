#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "support/files.h"
#include "support/test.h"

#define NAME_BYTES (TOKEN_TEXT_MAX / TOKENS_MAX)

/* The longest text, with names that are hard for each format; and its state string, with three
 * bytes for each byte. */
typedef struct Extreme {
    char *names, *state;
    TokenLabel *labels;
    float *x;
} Extreme;

static Extreme make_extreme(const char *piece) {
    size_t size = strlen(piece), state_bytes = 3 * (size_t)TOKEN_TEXT_MAX;
    Extreme e = {malloc(TOKEN_TEXT_MAX), malloc(state_bytes + 1),
                 malloc(TOKENS_MAX * sizeof *e.labels), malloc(TOKENS_MAX * sizeof *e.x)};
    assert_true(e.names != NULL && e.state != NULL && e.labels != NULL && e.x != NULL);
    for (size_t t = 0; t < TOKENS_MAX; t++) {
        char *name = e.names + t * NAME_BYTES;
        size_t used = 0;
        for (; used + size <= NAME_BYTES; used += size)
            memcpy(name + used, piece, size);
        e.labels[t] = (TokenLabel){.bytes = name, .size = used};
        e.x[t] = (float)t;
    }
    for (size_t i = 0; i < state_bytes; i++)
        e.state[i] = "%5C"[i % 3];
    e.state[state_bytes] = '\0';
    return e;
}

static void release_extreme(Extreme *e) {
    free(e->names);
    free(e->state);
    free(e->labels);
    free(e->x);
}

static const struct {
    const char *ending;
    TensorsFormat *write;
} FORMATS[] = {{".safetensors", safetensors_write}, {".npz", npz_write}};

static Weights *write_and_load(const Extreme *e, size_t format) {
    char path[MADE_PATH_BYTES];
    made_path(path, FORMATS[format].ending);
    const TensorView x = {
        .name = "X", .at = e->x, .rank = 2, .shape = {TOKENS_MAX, 1}, .stride = {1, 1}};
    const TensorNote notes[] = {{.key = "tokens", .list = e->labels, .count = TOKENS_MAX},
                                {.key = "state", .value = e->state}};
    FileOut out;
    Err err = {0};
    bool wrote = file_begin(&out, path, &err) &&
                 FORMATS[format].write(&out, &x, 1, notes, ARRAY_COUNT(notes), &err) &&
                 file_commit(&out, &err);
    Weights *weights = wrote ? weights_file_load(path, NULL, &err) : NULL;
    unlink(path);
    if (weights == NULL)
        fail_msg("%s: %s", err.what, err.why);
    return weights;
}

/* Names that were written are read back unchanged, in each format. */
TEST(longest_names_come_back) {
    static const char *const pieces[] = {"\x01",         "\"", "\\",           "é",
                                         "\xE2\x80\xA8", "😀",  "a\t\n\"\\\x7F"};
    for (size_t p = 0; p < ARRAY_COUNT(pieces); p++) {
        Extreme e = make_extreme(pieces[p]);
        for (size_t f = 0; f < ARRAY_COUNT(FORMATS); f++) {
            Weights *weights = write_and_load(&e, f);
            assert_memory_equal(weights->tensors[WEIGHTS_X].at, e.x, TOKENS_MAX * sizeof *e.x);
            for (int t = 0; t < TOKENS_MAX; t++) {
                assert_int_equal(weights->tokens[t].bytes, e.labels[t].size);
                assert_memory_equal(weights->names->bytes + weights->tokens[t].at,
                                    e.labels[t].bytes, e.labels[t].size);
            }
            weights_drop(weights);
        }
        release_extreme(&e);
    }
}
