#include "io/safetensors_read.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "io/json_read.h"

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

/* What is being read, for the messages, and how far. */
typedef struct Source {
    const char *file;
    uint64_t data_at; /* after the header */
    uint64_t data_bytes;
    const char *text; /* the header */
    JsonIn in;
    Err *err;
} Source;

/* As much of a name as leaves room for what is said of it. */
#define NAME_SHOWN 80
typedef struct ShownName {
    char text[NAME_SHOWN + sizeof "…"];
} ShownName;

static ShownName shown(const char *name, size_t size) {
    ShownName out;
    size_t end = size > NAME_SHOWN ? utf8_floor(name, size, NAME_SHOWN) : size;
    snprintf(out.text, sizeof out.text, "%.*s%s", (int)end, name, end < size ? "…" : "");
    return out;
}

/* where: of the byte in the file. */
static bool fail_at(const Source *source, const char *tensor, const char *why, uint64_t where) {
    return err_fail(source->err, source->file, "%s (tensor “%s”, byte %llu)", why,
                    shown(tensor, strlen(tensor)).text, (unsigned long long)where);
}

static uint64_t here(const Source *source) {
    return SAFETENSORS_LENGTH_BYTES + (uint64_t)(source->in.at - source->text);
}

static bool fail(const Source *source, const char *tensor, const char *why) {
    return fail_at(source, tensor, why, here(source));
}

static bool read_type(SafetensorsTensor *out, Source *source) {
    JsonText name;
    bool is_text = json_text(&name, &source->in);
    for (size_t i = 0; is_text && i < ARRAY_COUNT(TYPES); i++) {
        if (strcmp(TYPES[i].name, name.bytes) == 0) {
            out->type = (SafetensorsType)i;
            return true;
        }
    }
    return fail(source, out->name, "dtype is missing or unknown; F32, F16, BF16 and F64 are known");
}

static bool read_shape(SafetensorsTensor *out, Source *source) {
    if (!json_enter(&source->in, '['))
        return fail(source, out->name, "shape must be a list of at most 8 whole numbers");
    out->shape_at = here(source) - 1;
    for (out->rank = 0; json_next(&source->in, ']'); out->rank++) {
        uint64_t dimension;
        if (out->rank == SAFETENSORS_RANK_MAX)
            return fail(source, out->name, "shape must be a list of at most 8 whole numbers");
        if (!json_whole(&dimension, &source->in))
            return fail(source, out->name, "shape must hold whole numbers from 0 up");
        out->shape[out->rank] = (size_t)dimension;
    }
    return true;
}

static bool read_offsets(uint64_t offsets[2], SafetensorsTensor *out, Source *source) {
    int count = 0;
    bool sound = json_enter(&source->in, '[');
    while (sound && json_next(&source->in, ']'))
        sound = count < 2 && json_whole(&offsets[count++], &source->in);
    return sound && count == 2
               ? true
               : fail(source, out->name, "data_offsets must be two whole numbers from 0 up");
}

static bool take_size(SafetensorsTensor *out, const Source *source) {
    out->count = 1;
    for (int i = 0; i < out->rank; i++) {
        size_t dimension = out->shape[i];
        if (dimension != 0 && out->count > SIZE_MAX / sizeof(double) / dimension)
            return fail(source, out->name, "shape has more entries than memory can hold");
        out->count *= dimension;
    }
    out->bytes = out->count * TYPES[out->type].bytes;
    return true;
}

static bool take_place(SafetensorsTensor *out, const uint64_t offsets[2], const Source *source) {
    if (offsets[0] > offsets[1])
        return fail(source, out->name, "data_offsets end before they begin");
    if (offsets[1] > source->data_bytes)
        return fail(source, out->name,
                    "data_offsets reach past the end of the file; it may have been cut off, so "
                    "fetch it again");
    if (offsets[1] - offsets[0] != out->bytes)
        return fail(source, out->name, "data_offsets span another size than shape and dtype need");
    out->at = source->data_at + offsets[0];
    return true;
}

static bool fail_twice(const Source *source, const char *name) {
    return err_fail(source->err, source->file, "header names “%s” twice (at byte %llu)",
                    shown(name, strlen(name)).text,
                    SAFETENSORS_LENGTH_BYTES + (unsigned long long)(name - source->text));
}

typedef enum Field { FIELD_TYPE, FIELD_SHAPE, FIELD_OFFSETS, FIELD_COUNT } Field;
static const char *const FIELDS[FIELD_COUNT] = {"dtype", "shape", "data_offsets"};

static Field field_of(const JsonText *name) {
    Field field = FIELD_TYPE;
    while (field < FIELD_COUNT && strcmp(FIELDS[field], name->bytes) != 0)
        field++;
    return field;
}

static bool fail_field_twice(const Source *source, const char *tensor, const char *field) {
    return err_fail(source->err, source->file, "%s stands there twice (tensor “%s”, byte %llu)",
                    field, shown(tensor, strlen(tensor)).text,
                    SAFETENSORS_LENGTH_BYTES + (unsigned long long)(field - source->text));
}

/* Fields of other names are passed over, as by the format's own library. */
static bool read_fields(SafetensorsTensor *out, uint64_t offsets[2], Source *source) {
    bool had[FIELD_COUNT] = {false};
    while (json_next(&source->in, '}')) {
        JsonText name;
        json_name(&name, &source->in);
        Field field = field_of(&name);
        if (field == FIELD_COUNT) {
            json_skip(&source->in);
            continue;
        }
        if (had[field])
            return fail_field_twice(source, out->name, name.bytes);
        had[field] = true;
        bool read = field == FIELD_TYPE    ? read_type(out, source)
                    : field == FIELD_SHAPE ? read_shape(out, source)
                                           : read_offsets(offsets, out, source);
        if (!read)
            return false;
    }
    if (!had[FIELD_TYPE])
        return fail(source, out->name,
                    "dtype is missing or unknown; F32, F16, BF16 and F64 are known");
    if (!had[FIELD_SHAPE])
        return fail(source, out->name, "shape must be a list of at most 8 whole numbers");
    return had[FIELD_OFFSETS]
               ? true
               : fail(source, out->name, "data_offsets must be two whole numbers from 0 up");
}

static bool read_tensor(SafetensorsTensor *out, const JsonText *name, Source *source) {
    uint64_t offsets[2] = {0};
    *out = (SafetensorsTensor){.name = name->bytes};
    if (!json_enter(&source->in, '{'))
        return fail(source, out->name, "must be an object with dtype, shape and data_offsets");
    return read_fields(out, offsets, source) && take_size(out, source) &&
           take_place(out, offsets, source);
}

/* Room for one more of what is `width` bytes each, in steps that double. */
static bool make_room(void **list, int count, size_t width, const Source *source) {
    if (count == SAFETENSORS_COUNT_MAX)
        return err_fail(source->err, source->file, "header names more than %d things",
                        SAFETENSORS_COUNT_MAX);
    bool full = (count & (count - 1)) == 0;
    void *more = full ? realloc(*list, (size_t)(count > 0 ? 2 * count : 1) * width) : *list;
    if (more == NULL)
        return err_fail(source->err, source->file, "memory for its header ran out");
    *list = more;
    return true;
}

static bool read_metadata(Safetensors *out, Source *source) {
    if (!json_enter(&source->in, '{'))
        return err_fail(source->err, source->file,
                        "__metadata__ must be an object of texts (byte %llu)",
                        (unsigned long long)here(source));
    while (json_next(&source->in, '}')) {
        JsonText key, value;
        void *list = out->notes;
        json_name(&key, &source->in);
        if (!json_text(&value, &source->in))
            return err_fail(source->err, source->file,
                            "__metadata__ may hold texts only (“%s”, byte %llu)",
                            shown(key.bytes, key.size).text, (unsigned long long)here(source));
        if (!make_room(&list, out->note_count, sizeof *out->notes, source))
            return false;
        out->notes = list;
        out->notes[out->note_count++] = (SafetensorsNote){key.bytes, value.bytes, value.size};
    }
    return true;
}

static bool read_entries(Safetensors *out, Source *source) {
    bool had_metadata = false;
    while (json_next(&source->in, '}')) {
        JsonText name;
        void *list = out->tensors;
        json_name(&name, &source->in);
        bool metadata = strcmp(name.bytes, METADATA) == 0;
        if (metadata && had_metadata)
            return fail_twice(source, name.bytes);
        had_metadata |= metadata;
        if (metadata) {
            if (!read_metadata(out, source))
                return false;
            continue;
        }
        if (!make_room(&list, out->count, sizeof *out->tensors, source))
            return false;
        out->tensors = list;
        if (!read_tensor(&out->tensors[out->count], &name, source))
            return false;
        out->count++;
    }
    return true;
}

static int compare_names(const void *a, const void *b) {
    const SafetensorsTensor *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static int compare_keys(const void *a, const void *b) {
    const SafetensorsNote *left = a, *right = b;
    return strcmp(left->key, right->key);
}

/* The one that comes later in the header. */
static const char *later(const char *a, const char *b) {
    return a > b ? a : b;
}

static bool check_names(Safetensors *file, const Source *source) {
    const char *twice = NULL;
    if (file->count > 0)
        qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, compare_names);
    for (int i = 1; i < file->count; i++)
        if (compare_names(&file->tensors[i - 1], &file->tensors[i]) == 0)
            twice = later(file->tensors[i - 1].name, file->tensors[i].name);
    if (file->note_count > 0)
        qsort(file->notes, (size_t)file->note_count, sizeof *file->notes, compare_keys);
    for (int i = 1; i < file->note_count; i++)
        if (compare_keys(&file->notes[i - 1], &file->notes[i]) == 0)
            twice = later(file->notes[i - 1].key, file->notes[i].key);
    return twice == NULL ? true : fail_twice(source, twice);
}

static int compare_places(const void *a, const void *b) {
    const SafetensorsTensor *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* Every byte of the data belongs to one tensor. */
static bool check_cover(Safetensors *file, const Source *source) {
    uint64_t at = source->data_at;
    if (file->count > 0)
        qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, compare_places);
    for (int i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        if (tensor->at != at)
            return fail_at(source, tensor->name,
                           tensor->at < at ? "its data overlap those of another tensor"
                                           : "there is a gap before its data",
                           tensor->at);
        at += tensor->bytes;
    }
    uint64_t left = source->data_bytes - (at - source->data_at);
    if (left != 0)
        return err_fail(source->err, source->file,
                        "the end, from byte %llu of %llu on, belongs to no tensor; the file is "
                        "damaged",
                        (unsigned long long)at, (unsigned long long)at + left);
    return true;
}

/* With the tensor and its field that have been begun. */
static bool fail_text(const Source *source, const JsonWrong *wrong) {
    ShownName tensor = shown(wrong->within[0].at, wrong->within[0].size);
    ShownName field = shown(wrong->within[1].at, wrong->within[1].size);
    char place[2 * sizeof(ShownName) + 40] = "";
    if (strcmp(tensor.text, METADATA) == 0)
        snprintf(place, sizeof place, "in " METADATA ", ");
    else if (wrong->within[1].size > 0)
        snprintf(place, sizeof place, "tensor “%s”, “%s”, ", tensor.text, field.text);
    else if (wrong->within[0].size > 0)
        snprintf(place, sizeof place, "tensor “%s”, ", tensor.text);
    return err_fail(source->err, source->file, "header is no valid JSON (%sbyte %zu)", place,
                    wrong->at + SAFETENSORS_LENGTH_BYTES);
}

/* The header's text, which names and metadata stay in. */
static bool take_text(Safetensors *out, Source *source, const char *text, size_t bytes) {
    JsonWrong wrong = {.at = 0};
    if (!json_check(&wrong, text, bytes))
        return fail_text(source, &wrong);
    out->header = malloc(bytes);
    if (out->header == NULL)
        return err_fail(source->err, source->file, "memory for its header ran out");
    memcpy(out->header, text, bytes);
    source->text = out->header;
    source->in = (JsonIn){out->header, out->header + bytes};
    return json_enter(&source->in, '{')
               ? true
               : err_fail(source->err, source->file, "header must be a JSON object");
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
        return err_fail(
            err, name,
            "header length (byte 0) is past the limit of 16 MiB; is it a safetensors file?");
    if (length > file_size - SAFETENSORS_LENGTH_BYTES)
        return err_fail(err, name,
                        "header length (byte 0) reaches past the end of the file; it may have been "
                        "cut off, so fetch it again");
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
    bool ok = take_text(out, &source, header, header_bytes) && read_entries(out, &source) &&
              check_names(out, &source) && check_cover(out, &source);
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

const SafetensorsNote *safetensors_metadata(const Safetensors *file, const char *key) {
    for (int i = 0; i < file->note_count; i++)
        if (strcmp(file->notes[i].key, key) == 0)
            return &file->notes[i];
    return NULL;
}

void safetensors_release(Safetensors *file) {
    free(file->tensors);
    free(file->notes);
    free(file->header);
    *file = (Safetensors){0};
}
