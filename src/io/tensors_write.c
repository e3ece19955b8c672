#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/text_out.h"
#include "base/util.h"
#include "document/state.h"
#include "gen/version.h"
#include "io/tensors.h"

#define CHUNK  8192      /* entries read at a time */
#define BUFFER (1 << 16) /* bytes of text that are written at a time */

static bool flush(FileOut *out, TextOut *text, Err *err) {
    bool wrote = !text->failed && file_append(out, text->at, text->used, err);
    if (text->failed) {
        file_abandon(out);
        err_fail(err, "memory", "too little to write the tensors; close other programs");
    }
    text->used = 0;
    return wrote;
}

static void put_list(TextOut *out, const TensorNote *note, const char *comma) {
    text_out(out, "[");
    for (int i = 0; i < note->count; i++) {
        text_out(out, "%s", i > 0 ? comma : "");
        text_out_quoted_bytes(out, note->list[i].bytes, note->list[i].size);
    }
    text_out(out, "]");
}

static void put_shape(TextOut *out, const TensorView *tensor, const char *comma) {
    for (int i = 0; i < tensor->rank; i++)
        text_out(out, "%s%zu", i > 0 ? comma : "", tensor->shape[i]);
}

static void put_metadata(TextOut *out, const TensorNote *notes, int count) {
    for (int i = 0; i < count; i++) {
        TextOut list = {0};
        if (notes[i].value == NULL)
            put_list(&list, &notes[i], ",");
        text_out(out, "%s\"%s\":", i > 0 ? "," : "", notes[i].key);
        text_out_quoted(out, notes[i].value != NULL ? notes[i].value : list.failed ? "" : list.at);
        out->failed = out->failed || list.failed;
        text_out_release(&list);
    }
}

/* Write the values as they are in memory, because the machine is always little-endian; see
 * words_file.c. */
static bool write_data(FileOut *out, const TensorView *tensor, Err *err) {
    float values[CHUNK];
    size_t total = tensor_count(tensor), count;
    for (size_t first = 0; first < total; first += count) {
        count = total - first < CHUNK ? total - first : CHUNK;
        tensor_read(values, tensor, first, count);
        if (!file_append(out, values, count * sizeof *values, err))
            return false;
    }
    return true;
}

bool safetensors_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count, Err *err) {
    TextOut text = {0};
    size_t at = 0;
    text_out_bytes(&text, "\0\0\0\0\0\0\0", 8);
    text_out(&text, "{\"__metadata__\":{");
    put_metadata(&text, notes, note_count);
    text_out(&text, "}");
    for (int i = 0; i < count; i++) {
        size_t end = at + tensor_count(&tensors[i]) * sizeof(float);
        text_out(&text, ",\"%s\":{\"dtype\":\"F32\",\"shape\":[", tensors[i].name);
        put_shape(&text, &tensors[i], ",");
        text_out(&text, "],\"data_offsets\":[%zu,%zu]}", at, end);
        at = end;
    }
    text_out(&text, "}");
    text_out(&text, "%*s", (int)(-text.used % 8), "");
    uint64_t length = text.used - 8;
    if (!text.failed)
        memcpy(text.at, &length, sizeof length);
    bool wrote = flush(out, &text, err);
    text_out_release(&text);
    for (int i = 0; i < count && wrote; i++)
        wrote = write_data(out, &tensors[i], err);
    return wrote;
}

/* A JSON file being written. After a failure nothing more is written. */
typedef struct JsonOut {
    FileOut *out;
    TextOut text;
    Err *err;
    bool failed;
} JsonOut;

/* Write this dimension and the ones after it as nested lists. *entry: index of the next entry. */
static void put_data(JsonOut *to, const TensorView *tensor, int dimension, size_t *entry) {
    char number[NUMBER_EXACT_MAX];
    float value;
    for (size_t i = 0; i < tensor->shape[dimension] && !to->failed; i++) {
        text_out_bytes(&to->text, i > 0 ? "," : "[", 1);
        if (dimension + 1 < tensor->rank) {
            put_data(to, tensor, dimension + 1, entry);
            continue;
        }
        tensor_read(&value, tensor, (*entry)++, 1);
        if (isfinite(value))
            text_out_bytes(&to->text, number, number_write_exact(number, value));
        else
            text_out(&to->text, "null");
        to->failed = to->text.used > BUFFER && !flush(to->out, &to->text, to->err);
    }
    text_out(&to->text, "]");
}

bool json_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                int note_count, Err *err) {
    JsonOut to = {.out = out, .err = err};
    text_out(&to.text, "{");
    for (int i = 0; i < note_count; i++) {
        text_out(&to.text, "\"%s\": ", notes[i].key);
        if (notes[i].value != NULL)
            text_out_quoted(&to.text, notes[i].value);
        else
            put_list(&to.text, &notes[i], ", ");
        text_out(&to.text, ",\n ");
    }
    text_out(&to.text, "\"tensors\": {\n  ");
    for (int i = 0; i < count; i++) {
        size_t entry = 0;
        text_out(&to.text, "%s\"%s\": {\"shape\": [", i > 0 ? ",\n  " : "", tensors[i].name);
        put_shape(&to.text, &tensors[i], ", ");
        text_out(&to.text, "], \"data\": ");
        if (tensor_count(&tensors[i]) > 0)
            put_data(&to, &tensors[i], 0, &entry);
        text_out(&to.text, tensor_count(&tensors[i]) > 0 ? "}" : "[]}");
    }
    text_out(&to.text, "}}\n");
    bool wrote = !to.failed && flush(out, &to.text, err);
    text_out_release(&to.text);
    return wrote;
}

static bool append_tensors(FileOut *out, TensorsFormat *write, const Results *run,
                           bool with_gradient, const TensorNote *notes, int note_count, Err *err) {
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, run, 0);
    if (with_gradient)
        count += tensors_of_gradient(tensors + count, run, 0);
    ModelOutput model;
    bool wrote = model_output_make(&model, run, run->T, NULL, err);
    count += tensors_of_model(tensors + count, &model);
    wrote = wrote && write(out, tensors, count, notes, note_count, err);
    model_output_release(&model);
    return wrote;
}

bool tensors_write(FileOut *out, TensorsFormat *write, const Results *run, bool with_gradient,
                   Err *err) {
    TokenLabel *tokens = heap_get((size_t)run->T * sizeof *tokens);
    for (int i = 0; i < run->T && tokens != NULL; i++)
        tokens[i] = results_token_text(run, i);
    char *state = state_make(results_session(run), NULL);
    const TensorNote notes[] = {{.key = "tokens", .list = tokens, .count = run->T},
                                {.key = "state", .value = state},
                                {.key = "version", .value = HEADLIGHT_VERSION}};
    bool wrote =
        tokens != NULL && state != NULL
            ? append_tensors(out, write, run, with_gradient, notes, ARRAY_COUNT(notes), err)
            : err_fail(err, "memory", "too little for the tokens; close other programs");
    free(tokens);
    free(state);
    if (!wrote)
        file_abandon(out);
    return wrote;
}

bool tensors_save(const char *path, const Results *run, Err *err) {
    static const struct {
        const char *ending;
        TensorsFormat *write;
    } formats[] = {{".safetensors", safetensors_write}, {".npz", npz_write}, {".json", json_write}};
    const char *end = strrchr(path, '.');
    FileOut out;
    if (run->T == 0 || !run->valid)
        return err_fail(err, "tensors", "there are none; type a text");
    for (size_t i = 0; i < ARRAY_COUNT(formats) && end != NULL; i++)
        if (strcmp(end, formats[i].ending) == 0)
            return file_begin(&out, path, err) &&
                   tensors_write(&out, formats[i].write, run, false, err) && file_commit(&out, err);
    return err_fail(err, path, "end the name in .safetensors, .npz or .json");
}

static TensorView view_of(const Weights *weights, WeightsPart part) {
    const WeightsTensor *tensor = &weights->tensors[part];
    TensorView view = {.at = tensor->at, .rank = tensor->rank};
    size_t stride = 1;
    snprintf(view.name, sizeof view.name, "%s", WEIGHTS_PARTS[part].name);
    for (int d = tensor->rank; d-- > 0; stride *= tensor->shape[d]) {
        view.shape[d] = tensor->shape[d];
        view.stride[d] = stride;
    }
    return view;
}

/* Return the words of the embedding table as a list, to be freed with free(); NULL if memory runs
 * out. */
static TokenLabel *word_list(const Weights *weights) {
    size_t count = weights->tensors[WEIGHTS_EMBEDDING].shape[0];
    TokenLabel *list = heap_get((count + 1) * sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        list[i] =
            (TokenLabel){weights->names->bytes + weights->tokens[i].at, weights->tokens[i].bytes};
    return list;
}

bool weights_write(FileOut *out, const Weights *weights, const char *key, const char *note,
                   Err *err) {
    TensorView views[WEIGHTS_PART_COUNT];
    bool has_words = weights_has(weights, WEIGHTS_EMBEDDING);
    TokenLabel *words = has_words ? word_list(weights) : NULL;
    int count = 0;
    if (has_words && words == NULL) {
        file_abandon(out);
        return err_fail(err, "memory", "too little for the words; close other programs");
    }
    const TensorNote notes[] = {{.key = key, .value = note},
                                {.key = "version", .value = HEADLIGHT_VERSION},
                                {.key = "tokens",
                                 .list = words,
                                 .count = (int)weights->tensors[WEIGHTS_EMBEDDING].shape[0]}};
    for (WeightsPart p = WEIGHTS_X + 1; p < WEIGHTS_PART_COUNT; p++)
        if (weights_has(weights, p))
            views[count++] = view_of(weights, p);
    bool wrote = safetensors_write(out, views, count, notes, has_words ? 3 : 2, err);
    free(words);
    return wrote;
}

bool weights_file_save(const char *path, const Weights *weights, const char *note, Err *err) {
    FileOut out;
    return file_begin(&out, path, err) && weights_write(&out, weights, "note", note, err) &&
           file_commit(&out, err);
}
