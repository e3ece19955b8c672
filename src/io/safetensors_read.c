#include "io/safetensors_read.h"

#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

#define METADATA "__metadata__"

static const struct TypeRow {
    const char *name;
    size_t bytes;
} TYPES[SAFETENSORS_TYPE_COUNT] = {
    [SAFETENSORS_BOOL] = {"BOOL", 1},       [SAFETENSORS_U8] = {"U8", 1},
    [SAFETENSORS_I8] = {"I8", 1},           [SAFETENSORS_F8_E5M2] = {"F8_E5M2", 1},
    [SAFETENSORS_F8_E4M3] = {"F8_E4M3", 1}, [SAFETENSORS_I16] = {"I16", 2},
    [SAFETENSORS_U16] = {"U16", 2},         [SAFETENSORS_F16] = {"F16", 2},
    [SAFETENSORS_BF16] = {"BF16", 2},       [SAFETENSORS_I32] = {"I32", 4},
    [SAFETENSORS_U32] = {"U32", 4},         [SAFETENSORS_F32] = {"F32", 4},
    [SAFETENSORS_I64] = {"I64", 8},         [SAFETENSORS_U64] = {"U64", 8},
    [SAFETENSORS_F64] = {"F64", 8},
};

const char *safetensors_type_name(SafetensorsType type) {
    assert((size_t)type < ARRAY_COUNT(TYPES));
    return TYPES[type].name;
}

/* What is being read, for the messages. */
typedef struct Source {
    const char *file;
    uint64_t data_at; /* after the header */
    uint64_t data_bytes;
    Err *err;
} Source;

static bool fail(const Source *source, const char *tensor, const char *why) {
    return err_fail(source->err, source->file, "%s (tensor “%s”)", why, tensor);
}

/* A whole number from 0 up. */
static bool read_size(size_t *out, const json_t *value) {
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (size_t)json_integer_value(value);
    return true;
}

static bool read_type(SafetensorsTensor *out, const json_t *value, const Source *source) {
    const char *name = json_string_value(value);
    for (size_t i = 0; name != NULL && i < ARRAY_COUNT(TYPES); i++) {
        if (strcmp(TYPES[i].name, name) == 0) {
            out->type = (SafetensorsType)i;
            return true;
        }
    }
    return fail(source, out->name, "dtype is missing or unknown; F32, F16, BF16 and F64 are known");
}

static bool read_shape(SafetensorsTensor *out, const json_t *value, const Source *source) {
    if (!json_is_array(value) || json_array_size(value) > SAFETENSORS_RANK_MAX)
        return fail(source, out->name, "shape must be a list of at most 8 whole numbers");
    out->rank = (int)json_array_size(value);
    out->count = 1;
    for (int i = 0; i < out->rank; i++) {
        size_t *dimension = &out->shape[i];
        if (!read_size(dimension, json_array_get(value, (size_t)i)))
            return fail(source, out->name, "shape must hold whole numbers from 0 up");
        if (*dimension != 0 && out->count > SIZE_MAX / sizeof(double) / *dimension)
            return fail(source, out->name, "shape has more entries than memory can hold");
        out->count *= *dimension;
    }
    out->bytes = out->count * TYPES[out->type].bytes;
    return true;
}

static bool read_offsets(SafetensorsTensor *out, const json_t *value, const Source *source) {
    size_t begin, end;
    if (!json_is_array(value) || json_array_size(value) != 2 ||
        !read_size(&begin, json_array_get(value, 0)) || !read_size(&end, json_array_get(value, 1)))
        return fail(source, out->name, "data_offsets must be two whole numbers from 0 up");
    if (begin > end)
        return fail(source, out->name, "data_offsets end before they begin");
    if (end > source->data_bytes)
        return fail(source, out->name,
                    "data_offsets reach past the end of the file; it may have been cut off, so "
                    "fetch it again");
    if (end - begin != out->bytes)
        return fail(source, out->name, "data_offsets span another size than shape and dtype need");
    out->at = source->data_at + begin;
    return true;
}

static bool read_tensor(SafetensorsTensor *out, const char *name, const json_t *value,
                        const Source *source) {
    *out = (SafetensorsTensor){.name = name};
    if (!json_is_object(value))
        return fail(source, name, "must be an object with dtype, shape and data_offsets");
    return read_type(out, json_object_get(value, "dtype"), source) &&
           read_shape(out, json_object_get(value, "shape"), source) &&
           read_offsets(out, json_object_get(value, "data_offsets"), source);
}

static bool check_metadata(const json_t *metadata, const Source *source) {
    if (!json_is_object(metadata))
        return err_fail(source->err, source->file, "__metadata__ must be an object of texts");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)metadata, key, value) if (!json_is_string(value)) return err_fail(
        source->err, source->file, "__metadata__ may hold texts only (“%s”)", key);
    return true;
}

static bool read_tensors(Safetensors *out, const Source *source) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)out->header, key, value) {
        if (strcmp(key, METADATA) == 0) {
            if (!check_metadata(value, source))
                return false;
        } else if (!read_tensor(&out->tensors[out->count++], key, value, source)) {
            return false;
        }
    }
    return true;
}

static int compare_places(const void *a, const void *b) {
    const SafetensorsTensor *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* Every byte of the data belongs to one tensor. */
static bool check_cover(const Safetensors *file, const Source *source) {
    uint64_t at = source->data_at;
    for (int i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        if (tensor->at != at)
            return fail(source, tensor->name,
                        tensor->at < at ? "its data overlap those of another tensor"
                                        : "there is a gap before its data");
        at += tensor->bytes;
    }
    uint64_t left = source->data_bytes - (at - source->data_at);
    if (left != 0)
        return err_fail(source->err, source->file,
                        "%llu bytes at the end belong to no tensor; the file is damaged",
                        (unsigned long long)left);
    return true;
}

static bool parse_header(Safetensors *out, const Source *source, const char *text, size_t bytes) {
    json_error_t error;
    json_t *header = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (header == NULL)
        return err_fail(source->err, source->file, "header %s (at byte %d)",
                        json_error_code(&error) == json_error_duplicate_key
                            ? "names something twice"
                            : "is no valid JSON",
                        error.position + SAFETENSORS_LENGTH_BYTES);
    out->header = header;
    if (!json_is_object(header))
        return err_fail(source->err, source->file, "header must be a JSON object");
    out->tensors = calloc(json_object_size(header) + 1, sizeof *out->tensors);
    if (out->tensors == NULL)
        return err_fail(source->err, source->file, "memory for its list of tensors ran out");
    return true;
}

bool safetensors_header_bytes(size_t *out, const char *name, const void *bytes, uint64_t file_size,
                              Err *err) {
    const unsigned char *at = bytes;
    if (file_size < SAFETENSORS_LENGTH_BYTES)
        return err_fail(err, name, "is too short for a safetensors file (%llu bytes)",
                        (unsigned long long)file_size);
    uint64_t length = 0;
    for (int i = 0; i < SAFETENSORS_LENGTH_BYTES; i++)
        length |= (uint64_t)at[i] << (8 * i);
    if (length > SAFETENSORS_HEADER_MAX)
        return err_fail(err, name,
                        "header length is past the limit of 1 MiB; is it a safetensors file?");
    if (length > file_size - SAFETENSORS_LENGTH_BYTES)
        return err_fail(err, name,
                        "header length reaches past the end of the file; it may have been cut "
                        "off, so fetch it again");
    *out = (size_t)length;
    return true;
}

bool safetensors_open_header(Safetensors *out, const char *name, const void *header,
                             size_t header_bytes, uint64_t file_size, Err *err) {
    Source source = {.file = name, .err = err};
    *out = (Safetensors){0};
    source.data_at = SAFETENSORS_LENGTH_BYTES + header_bytes;
    assert(source.data_at <= file_size);
    source.data_bytes = file_size - source.data_at;
    bool ok = parse_header(out, &source, header, header_bytes) && read_tensors(out, &source);
    if (ok) {
        qsort(out->tensors, (size_t)out->count, sizeof *out->tensors, compare_places);
        ok = check_cover(out, &source);
    }
    if (!ok)
        safetensors_release(out);
    return ok;
}

bool safetensors_open(Safetensors *out, const char *name, const void *bytes, size_t size,
                      Err *err) {
    const unsigned char *start = bytes;
    size_t length = 0;
    *out = (Safetensors){0};
    if (!safetensors_header_bytes(&length, name, bytes, size, err) ||
        !safetensors_open_header(out, name, start + SAFETENSORS_LENGTH_BYTES, length, size, err))
        return false;
    for (int i = 0; i < out->count; i++)
        out->tensors[i].data = start + out->tensors[i].at;
    return true;
}

const SafetensorsTensor *safetensors_find(const Safetensors *file, const char *name) {
    for (int i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}

const char *safetensors_metadata(const Safetensors *file, const char *key) {
    return json_string_value(json_object_get(json_object_get(file->header, METADATA), key));
}

void safetensors_release(Safetensors *file) {
    free(file->tensors);
    json_decref(file->header);
    *file = (Safetensors){0};
}
