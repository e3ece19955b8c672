#include "io/safetensors_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/json.h"

#define NOTE_BYTES_MAX 200
/* Bytes of the header's length, in front of the header. */
#define LENGTH_BYTES 8
/* Limit of bytes of a header; Headlight's own files have up to 11 million. */
#define HEADER_MAX ((size_t)16 << 20)

const SafetensorsType SAFETENSORS_TYPES[SAFETENSORS_TYPE_COUNT] = {
    {"BOOL", 1, false, 0},
    {"U8", 1, false, 0},
    {"I8", 1, false, 0},
    {"I16", 2, false, 0},
    {"U16", 2, false, 0},
    {"I32", 4, false, 0},
    {"U32", 4, false, 0},
    {"I64", 8, false, 0},
    {"U64", 8, false, 0},
    {"F8_E5M2", 1, true, FLOAT_F8_E5M2},
    {"F8_E4M3", 1, true, FLOAT_F8_E4M3},
    {"F16", 2, true, FLOAT_F16},
    {"BF16", 2, true, FLOAT_BF16},
    {"F32", 4, true, FLOAT_F32},
    {"F64", 8, true, FLOAT_F64},
};

typedef struct Source {
    const char *file;
    uint64_t data_at; /* offset of the data, which follow the header */
    uint64_t data_bytes;
    Err *err;
} Source;

#define NAME_SHOWN 80 /* limit of bytes of a tensor's name in a message */

static bool fail(const Source *source, const char *tensor, const char *why) {
    size_t size = strlen(tensor);
    size_t end = size > NAME_SHOWN ? utf8_floor(tensor, size, NAME_SHOWN) : size;
    return err_fail(source->err, source->file, "%s (tensor “%.*s%s”)", why, (int)end, tensor,
                    end < size ? "…" : "");
}

static bool is_whole(const json_t *value) {
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool read_shape(SafetensorsTensor *out, const json_t *shape, const Source *source) {
    if (!json_is_array(shape) || json_array_size(shape) > SAFETENSORS_RANK_MAX)
        return fail(source, out->name, "shape must be a list of at most 8 whole numbers");
    out->rank = (int)json_array_size(shape);
    for (size_t i = 0; i < json_array_size(shape); i++) {
        const json_t *dimension = json_array_get(shape, i);
        if (!is_whole(dimension))
            return fail(source, out->name, "shape must hold whole numbers from 0 up");
        out->shape[i] = (size_t)json_integer_value(dimension);
    }
    return true;
}

static bool take_size(SafetensorsTensor *out, const Source *source) {
    out->count = 1;
    for (int i = 0; i < out->rank; i++) {
        size_t dimension = out->shape[i];
        if (dimension != 0 && out->count > SIZE_MAX / sizeof(double) / dimension)
            return fail(source, out->name, "shape has more entries than memory can hold");
        out->count *= dimension;
    }
    out->bytes = out->count * out->type->bytes;
    return true;
}

static bool read_offsets(SafetensorsTensor *out, const json_t *offsets, const Source *source) {
    const json_t *from = json_array_get(offsets, 0), *to = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !is_whole(from) || !is_whole(to))
        return fail(source, out->name, "data_offsets must be two whole numbers from 0 up");
    uint64_t begin = (uint64_t)json_integer_value(from), end = (uint64_t)json_integer_value(to);
    if (begin > end)
        return fail(source, out->name, "data_offsets end before they begin");
    if (end > source->data_bytes)
        return fail(source, out->name,
                    "data_offsets reach past the end of the file; it may have been cut off, so "
                    "fetch it again");
    if (end - begin != out->bytes)
        return fail(source, out->name,
                    "data_offsets do not have the size that shape and dtype need");
    out->at = source->data_at + begin;
    return true;
}

/* Read the fields of one tensor. Ignore unknown fields, like the format's own library. */
static bool read_tensor(SafetensorsTensor *out, const char *name, const json_t *fields,
                        const Source *source) {
    *out = (SafetensorsTensor){.name = name};
    if (!json_is_object(fields))
        return fail(source, name, "must be an object with dtype, shape and data_offsets");
    const char *type = json_string_value(json_object_get(fields, "dtype"));
    for (int i = 0; i < SAFETENSORS_TYPE_COUNT && type != NULL; i++)
        if (strcmp(SAFETENSORS_TYPES[i].name, type) == 0)
            out->type = &SAFETENSORS_TYPES[i];
    if (out->type == NULL)
        return fail(source, name,
                    "dtype is missing or unknown; F32, F16, BF16, F64 and F8 are known");
    return read_shape(out, json_object_get(fields, "shape"), source) && take_size(out, source) &&
           read_offsets(out, json_object_get(fields, "data_offsets"), source);
}

static bool check_metadata(json_t *metadata, const Source *source) {
    const char *key;
    json_t *value;
    if (!json_is_object(metadata))
        return err_fail(source->err, source->file,
                        SAFETENSORS_METADATA " must be an object of texts");
    json_object_foreach(metadata, key, value) {
        if (!json_is_string(value))
            return fail(source, SAFETENSORS_METADATA, "metadata may hold texts only");
    }
    return true;
}

static bool read_entries(Safetensors *out, const Source *source) {
    const char *name;
    json_t *value;
    size_t count = json_object_size(out->header);
    out->tensors = heap_get((count + 1) * sizeof *out->tensors);
    if (out->tensors == NULL)
        return err_fail(source->err, "memory", "too little to read %.160s", source->file);
    json_object_foreach(out->header, name, value) {
        bool is_metadata = strcmp(name, SAFETENSORS_METADATA) == 0;
        if (is_metadata ? !check_metadata(value, source)
                        : !read_tensor(&out->tensors[out->count++], name, value, source))
            return false;
    }
    return true;
}

static int compare_places(const void *a, const void *b) {
    const SafetensorsTensor *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* Check that every byte of the data belongs to exactly one tensor. */
static bool check_cover(Safetensors *file, const Source *source) {
    uint64_t at = source->data_at, end = source->data_at + source->data_bytes;
    if (file->count > 0)
        qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, compare_places);
    for (int i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        if (tensor->at != at)
            return fail(source, tensor->name,
                        tensor->at < at ? "its data overlap those of another tensor"
                                        : "there is a gap before its data");
        at += tensor->bytes;
    }
    return at == end || err_fail(source->err, source->file,
                                 "the end, from byte %llu of %llu on, belongs to no tensor; the "
                                 "file is damaged",
                                 (unsigned long long)at, (unsigned long long)end);
}

static bool read_header(Safetensors *out, const char *text, size_t bytes, const Source *source) {
    json_error_t error;
    if (bytes > 0 && text[0] != '{')
        return err_fail(source->err, source->file, "header must be a JSON object: begin with {");
    out->header = json_read(text, bytes, &error);
    if (json_object_size(out->header) > SAFETENSORS_COUNT_MAX)
        return err_fail(source->err, source->file, "header has more than %d entries",
                        SAFETENSORS_COUNT_MAX);
    if (out->header != NULL)
        return true;
    return error.text[0] == '\0' || json_error_code(&error) == json_error_out_of_memory
               ? err_fail(source->err, "memory", "too little to read %.160s", source->file)
               : err_fail(source->err, source->file, "header cannot be read as JSON: %s",
                          error.text);
}

static bool header_bytes(size_t *out, const char *name, const void *bytes, uint64_t file_size,
                         Err *err) {
    const unsigned char *at = bytes;
    if (file_size < LENGTH_BYTES)
        return err_fail(err, name, "is too short for a safetensors file (%llu bytes)",
                        (unsigned long long)file_size);
    uint64_t length = 0;
    for (int i = 0; i < LENGTH_BYTES; i++)
        length |= (uint64_t)at[i] << (8 * i);
    if (length > HEADER_MAX)
        return err_fail(
            err, name,
            "header length (byte 0) is more than 16 MiB, the limit; is it a safetensors file?");
    if (length > file_size - LENGTH_BYTES)
        return err_fail(err, name,
                        "header length (byte 0) reaches past the end of the file; it may have been "
                        "cut off, so fetch it again");
    *out = (size_t)length;
    return true;
}

static bool open_header(Safetensors *out, const char *name, const void *header, size_t size,
                        uint64_t file_size, Err *err) {
    uint64_t data_at = LENGTH_BYTES + size;
    Source source = {name, data_at, file_size - data_at, err};
    *out = (Safetensors){0};
    bool opened = read_header(out, header, size, &source) && read_entries(out, &source) &&
                  check_cover(out, &source);
    if (!opened)
        safetensors_release(out);
    return opened;
}

bool safetensors_open_file(Safetensors *out, const FileIn *in, Err *err) {
    unsigned char length[LENGTH_BYTES] = {0};
    size_t bytes, before = in->size < sizeof length ? 0 : sizeof length;
    *out = (Safetensors){0};
    if (!file_read_at(length, in, 0, before, err) ||
        !header_bytes(&bytes, in->name, length, in->size, err))
        return false;
    char *header = heap_get(bytes + 1);
    bool opened = header != NULL ? file_read_at(header, in, sizeof length, bytes, err) &&
                                       open_header(out, in->name, header, bytes, in->size, err)
                                 : err_fail(err, "memory", "too little to read %.160s", in->name);
    free(header);
    return opened;
}

bool safetensors_open(Safetensors *out, const char *name, const void *bytes, size_t size,
                      Err *err) {
    const unsigned char *start = bytes;
    size_t length = 0;
    *out = (Safetensors){0};
    if (!header_bytes(&length, name, bytes, size, err) ||
        !open_header(out, name, start + LENGTH_BYTES, length, size, err))
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
    return json_string_value(
        json_object_get(json_object_get(file->header, SAFETENSORS_METADATA), key));
}

const char *safetensors_note(const Safetensors *file) {
    const char *note = safetensors_metadata(file, "note");
    return note != NULL && strlen(note) <= NOTE_BYTES_MAX ? note : NULL;
}

char *safetensors_card(const Safetensors *file) {
    static const struct {
        const char *key, *before, *after;
    } parts[] = {{"task", "", ""},
                 {"data", " Trained on ", ""},
                 {"steps", ", ", " steps."},
                 {"loss", " Loss: ", "."},
                 {"score", " Score: ", "."}};
    char text[ARRAY_COUNT(parts) * (NOTE_BYTES_MAX + 24)];
    size_t used = 0;
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++) {
        const char *value = safetensors_metadata(file, parts[i].key);
        if (value == NULL || strlen(value) > NOTE_BYTES_MAX)
            return NULL;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", parts[i].before, value,
                                 parts[i].after);
    }
    return heap_copy(text, used);
}

void safetensors_release(Safetensors *file) {
    free(file->tensors);
    json_decref(file->header);
    *file = (Safetensors){0};
}
