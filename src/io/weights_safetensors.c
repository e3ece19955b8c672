#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/safetensors_read.h"
#include "io/weights_source.h"

static bool take_type(WeightsPlace *place, const SafetensorsTensor *tensor,
                      const WeightsSource *source, Err *err) {
    static const struct {
        SafetensorsType from;
        FloatType to;
    } types[] = {{SAFETENSORS_F16, FLOAT_F16},
                 {SAFETENSORS_BF16, FLOAT_BF16},
                 {SAFETENSORS_F32, FLOAT_F32},
                 {SAFETENSORS_F64, FLOAT_F64}};
    char why[80];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].from == tensor->type) {
            place->type = types[i].to;
            return true;
        }
    snprintf(why, sizeof why, "dtype is %s; F16, BF16, F32 or F64 is needed",
             safetensors_type_name(tensor->type));
    return weights_source_fail(source, tensor->name, why, err);
}

static bool take_tensors(WeightsSource *source, const Safetensors *file, Err *err) {
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        const SafetensorsTensor *tensor = safetensors_find(file, WEIGHTS_PARTS[p].name);
        WeightsPlace *place = &source->places[p];
        if (tensor == NULL)
            continue;
        if (!take_type(place, tensor, source, err) ||
            !weights_take_shape(source, p, tensor->shape, tensor->rank, err))
            return false;
        place->span = (Span){.at = tensor->at, .packed = tensor->bytes, .size = tensor->bytes};
    }
    return true;
}

/* Copy the texts of the list, which has been checked, into room. */
static bool copy_names(WeightsSource *source, const json_t *list, Err *err) {
    size_t count = json_array_size(list), total = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        total += json_string_length(json_array_get(list, i));
    source->names = malloc((count + 1) * sizeof *source->names);
    source->room = malloc(total + 1);
    if (source->names == NULL || source->room == NULL)
        return err_fail(err, "memory", "too little for the names of X’s rows");
    for (size_t i = 0; i < count; i++) {
        const json_t *text = json_array_get(list, i);
        source->names[i] = (WeightsName){source->room + used, json_string_length(text)};
        memcpy(source->room + used, json_string_value(text), source->names[i].size);
        used += source->names[i].size;
    }
    source->name_count = count;
    return true;
}

/* jansson takes neither NUL nor malformed UTF-8. */
static bool take_names(WeightsSource *source, const char *text, Err *err) {
    json_error_t error;
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    bool sound = json_is_array(list);
    for (size_t i = 0; sound && i < json_array_size(list); i++)
        sound = json_is_string(json_array_get(list, i));
    bool taken = sound ? copy_names(source, list, err)
                       : err_fail(err, source->file->name,
                                  "its metadata “tokens” must be a JSON array of texts");
    json_decref(list);
    return taken;
}

static bool take_header(WeightsSource *source, const char *header, size_t bytes, Err *err) {
    Safetensors file;
    if (!safetensors_open_header(&file, source->file->name, header, bytes, source->file->size, err))
        return false;
    const char *names = safetensors_metadata(&file, "tokens");
    bool wants_names = names != NULL && safetensors_find(&file, "X") != NULL;
    bool taken =
        take_tensors(source, &file, err) && (!wants_names || take_names(source, names, err));
    safetensors_release(&file);
    return taken;
}

bool weights_from_safetensors(WeightsSource *source, Err *err) {
    const FileIn *file = source->file;
    unsigned char length[SAFETENSORS_LENGTH_BYTES] = {0};
    size_t bytes, before = file->size < sizeof length ? 0 : sizeof length;
    if (!file_read_at(length, file, 0, before, err) ||
        !safetensors_header_bytes(&bytes, file->name, length, file->size, err))
        return false;
    char *header = malloc(bytes + 1);
    bool taken = header != NULL ? file_read_at(header, file, sizeof length, bytes, err) &&
                                      take_header(source, header, bytes, err)
                                : err_fail(err, "memory", "too little to read %.160s", file->name);
    free(header);
    return taken;
}
