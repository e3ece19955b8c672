#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "io/json.h"
#include "io/safetensors_read.h"
#include "io/weights_source.h"

static bool take_tensors(WeightsSource *source, const Safetensors *file, Err *err) {
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        const SafetensorsTensor *tensor = safetensors_find(file, WEIGHTS_PARTS[p].name);
        if (tensor == NULL || weights_passes_over(source, p))
            continue;
        if (!safetensors_float(&source->places[p].type, tensor->type))
            return weights_source_fail(source, WEIGHTS_PARTS[p].name,
                                       PRINT("dtype is %s; F8, F16, BF16, F32 or F64 is needed",
                                             safetensors_type_name(tensor->type)),
                                       err);
        if (!weights_take_shape(source, p, tensor->shape, tensor->rank, err))
            return false;
        source->places[p].at = tensor->at;
    }
    return true;
}

static bool take_list(WeightsSource *source, const json_t *list, size_t bytes, Err *err) {
    size_t count = json_array_size(list), used = 0;
    bool sound = json_is_array(list) && count <= TOKENS_MAX;
    for (size_t i = 0; i < count && sound; i++)
        sound = json_is_string(json_array_get(list, i));
    if (!sound)
        return err_fail(err, source->file->name,
                        "its metadata “tokens” must be a JSON array of texts, at most %d",
                        TOKENS_MAX);
    source->names = heap_get((count + 1) * sizeof *source->names);
    source->room = heap_get(bytes);
    if (source->names == NULL || source->room == NULL)
        return err_fail(err, "memory", "too little for the names of rows");
    for (size_t i = 0; i < count; i++) {
        const json_t *text = json_array_get(list, i);
        size_t size = json_string_length(text);
        memcpy(source->room + used, json_string_value(text), size);
        source->names[i] = (WeightsName){source->room + used, size};
        used += size;
    }
    source->name_count = count;
    return true;
}

static bool take_names(WeightsSource *source, const char *text, Err *err) {
    json_error_t error;
    json_t *list = json_read(text, strlen(text), &error);
    bool taken = take_list(source, list, strlen(text) + 1, err);
    json_decref(list);
    return taken;
}

bool weights_from_safetensors(WeightsSource *source, Err *err) {
    Safetensors file;
    Weights *weights = source->weights;
    if (!safetensors_open_file(&file, source->file, err))
        return false;
    const char *names = safetensors_metadata(&file, "tokens");
    const char *options = safetensors_metadata(&file, "options");
    const char *note = safetensors_note(&file);
    weights->card = safetensors_card(&file);
    weights->note = note != NULL ? heap_copy(note, strlen(note)) : NULL;
    bool taken = (options == NULL || weights_take_options(weights, options, err)) &&
                 (note == NULL || weights->note != NULL ||
                  err_fail(err, "memory", "too little to read weights; close other programs")) &&
                 take_tensors(source, &file, err) &&
                 (names == NULL || !weights_has(weights, weights_named(weights)) ||
                  take_names(source, names, err));
    safetensors_release(&file);
    return taken;
}
