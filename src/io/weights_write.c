#include "io/weights_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/heap.h"
#include "gen/version.h"

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
