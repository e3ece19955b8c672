#include "io/json_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define BUFFER_BYTES (1 << 16)
#define ROOM         (NUMBER_EXACT_MAX + 2 * TENSOR_RANK_MAX + 1) /* a number, brackets, comma */
#define CHUNK        1024                                         /* numbers read at a time */

/* A buffer of bytes to be written. After a failure, later bytes are discarded. */
typedef struct JsonOut {
    FileOut *out;
    Err *err;
    bool failed;
    size_t used;
    char bytes[BUFFER_BYTES];
} JsonOut;

static void flush(JsonOut *to) {
    if (!to->failed && to->used > 0)
        to->failed = !file_append(to->out, to->bytes, to->used, to->err);
    to->used = 0;
}

static void reserve(JsonOut *to, size_t bytes) {
    if (to->used + bytes > sizeof to->bytes)
        flush(to);
}

static void put(JsonOut *to, const char *text) {
    size_t size = strlen(text);
    reserve(to, size);
    memcpy(to->bytes + to->used, text, size);
    to->used += size;
}

static void put_string(JsonOut *to, const char *bytes, size_t size) {
    char escape[8];
    put(to, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c < 0x20)
            snprintf(escape, sizeof escape, "\\u%04X", (unsigned)c);
        else
            snprintf(escape, sizeof escape, c == '"' || c == '\\' ? "\\%c" : "%c", c);
        put(to, escape);
    }
    put(to, "\"");
}

static void put_note(JsonOut *to, const TensorNote *note) {
    put(to, "\"");
    put(to, note->key);
    put(to, "\": ");
    if (note->value != NULL) {
        put_string(to, note->value, strlen(note->value));
    } else {
        put(to, "[");
        for (int i = 0; i < note->count; i++) {
            put(to, i > 0 ? ", " : "");
            put_string(to, note->list[i].bytes, note->list[i].size);
        }
        put(to, "]");
    }
    put(to, ",\n ");
}

static void put_number(JsonOut *to, float value) {
    if (isfinite(value)) {
        to->used += number_write_exact(to->bytes + to->used, value);
        return;
    }
    memcpy(to->bytes + to->used, "null", 4);
    to->used += 4;
}

/* Return the number of brackets that open before entry i: one for each dimension that begins there.
 * Called with i + 1, it is the number that close after entry i. */
static int brackets(const TensorView *tensor, size_t i) {
    int count = 0;
    size_t each = 1;
    for (int d = tensor->rank - 1; d >= 0; d--) {
        each *= tensor->shape[d];
        if (i % each != 0)
            break;
        count++;
    }
    return count;
}

static void put_brackets(JsonOut *to, char bracket, int count) {
    for (int i = 0; i < count; i++)
        to->bytes[to->used++] = bracket;
}

/* Write the entries first to first + count - 1, each with its brackets. */
static void put_entries(JsonOut *to, const TensorView *tensor, const float *values, size_t first,
                        size_t count) {
    size_t width = tensor->shape[tensor->rank - 1];
    for (size_t i = 0; i < count; i++) {
        size_t entry = first + i;
        reserve(to, ROOM);
        if (entry > 0)
            to->bytes[to->used++] = ',';
        if (entry % width == 0)
            put_brackets(to, '[', brackets(tensor, entry));
        put_number(to, values[i]);
        if ((entry + 1) % width == 0)
            put_brackets(to, ']', brackets(tensor, entry + 1));
    }
}

static void put_data(JsonOut *to, const TensorView *tensor) {
    float values[CHUNK];
    size_t total = tensor_count(tensor);
    if (total == 0)
        put(to, "[]");
    for (size_t first = 0; first < total && !to->failed; first += CHUNK) {
        size_t count = total - first < CHUNK ? total - first : CHUNK;
        tensor_read(values, tensor, first, count);
        put_entries(to, tensor, values, first, count);
    }
}

static void put_tensor(JsonOut *to, const TensorView *tensor) {
    char size[24];
    put(to, "\"");
    put(to, tensor->name);
    put(to, "\": {\"shape\": [");
    for (int i = 0; i < tensor->rank; i++) {
        snprintf(size, sizeof size, "%s%zu", i > 0 ? ", " : "", tensor->shape[i]);
        put(to, size);
    }
    put(to, "], \"data\": ");
    put_data(to, tensor);
    put(to, "}");
}

bool json_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                int note_count, Err *err) {
    JsonOut to;
    to.out = out;
    to.err = err;
    to.failed = false;
    to.used = 0;
    put(&to, "{");
    for (int i = 0; i < note_count; i++)
        put_note(&to, &notes[i]);
    put(&to, "\"tensors\": {\n  ");
    for (int i = 0; i < count; i++) {
        put(&to, i > 0 ? ",\n  " : "");
        put_tensor(&to, &tensors[i]);
    }
    put(&to, "}}\n");
    flush(&to);
    return !to.failed;
}
