#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_read.h"
#include "io/safetensors_read.h"
#include "io/weights_source.h"

static bool take_type(WeightsSource *source, WeightsPart part, const SafetensorsTensor *tensor,
                      Err *err) {
    static const struct {
        SafetensorsType from;
        FloatType to;
    } types[] = {{SAFETENSORS_F8_E4M3, FLOAT_F8_E4M3}, {SAFETENSORS_F8_E5M2, FLOAT_F8_E5M2},
                 {SAFETENSORS_F16, FLOAT_F16},         {SAFETENSORS_BF16, FLOAT_BF16},
                 {SAFETENSORS_F32, FLOAT_F32},         {SAFETENSORS_F64, FLOAT_F64}};
    char why[80];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].from == tensor->type) {
            source->places[part].type = types[i].to;
            return true;
        }
    snprintf(why, sizeof why, "dtype is %s; F8, F16, BF16, F32 or F64 is needed",
             safetensors_type_name(tensor->type));
    return weights_part_fail(source, part, why, err);
}

static bool take_tensors(WeightsSource *source, const Safetensors *file, Err *err) {
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        const SafetensorsTensor *tensor = safetensors_find(file, WEIGHTS_PARTS[p].name);
        if (tensor == NULL)
            continue;
        source->weights->tensors[p].told_at = tensor->shape_at;
        if (!take_type(source, p, tensor, err) ||
            !weights_take_shape(source, p, tensor->shape, tensor->rank, err))
            return false;
        source->places[p].span =
            (Span){.at = tensor->at, .packed = tensor->bytes, .size = tensor->bytes};
    }
    return true;
}

/* at: where they stand in the file. */
static bool names_fail(const WeightsSource *source, uint64_t at, Err *err) {
    return err_fail(err, source->file->name,
                    "its metadata “tokens” must be a JSON array of texts, at most %d (byte %llu)",
                    TOKENS_MAX, (unsigned long long)at);
}

/* The texts are decoded in source->room. */
static bool read_names(WeightsSource *source, size_t bytes) {
    JsonIn in = {source->room, source->room + bytes};
    bool sound = json_enter(&in, '[');
    while (sound && json_next(&in, ']')) {
        JsonText text;
        sound = source->name_count < TOKENS_MAX && json_text(&text, &in);
        if (sound)
            source->names[source->name_count++] = (WeightsName){text.bytes, text.size};
    }
    return sound;
}

static bool take_names(WeightsSource *source, const SafetensorsNote *note, uint64_t at, Err *err) {
    size_t bytes = note->value_bytes;
    JsonWrong wrong = {.at = 0};
    if (!json_check(&wrong, note->value, bytes))
        return names_fail(source, at, err);
    source->names = malloc(TOKENS_MAX * sizeof *source->names);
    source->room = malloc(bytes);
    if (source->names == NULL || source->room == NULL)
        return err_fail(err, "memory", "too little for the names of X’s rows");
    memcpy(source->room, note->value, bytes);
    return read_names(source, bytes) ? true : names_fail(source, at, err);
}

static bool take_header(WeightsSource *source, const char *header, size_t bytes, Err *err) {
    Safetensors file;
    if (!safetensors_open_header(&file, source->file->name, header, bytes, source->file->size, err))
        return false;
    const SafetensorsNote *names = safetensors_metadata(&file, "tokens");
    bool wants_names = names != NULL && safetensors_find(&file, "X") != NULL;
    uint64_t names_at =
        wants_names ? SAFETENSORS_LENGTH_BYTES + (uint64_t)(names->value - file.header) : 0;
    bool taken = take_tensors(source, &file, err) &&
                 (!wants_names || take_names(source, names, names_at, err));
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
