#include "io/safetensors_write.h"

#include <stdlib.h>
#include <string.h>

#include "io/json.h"

#define HEADER_ALIGN  8    /* bytes, so that the data starts at a multiple */
#define CHUNK_ENTRIES 8192 /* read and encoded at a time */

static json_t *list_text(const TensorNote *note) {
    json_t *list = json_array();
    bool complete = list != NULL;
    for (int i = 0; i < note->count && complete; i++)
        complete =
            json_array_append_new(list, json_stringn(note->list[i].bytes, note->list[i].size)) == 0;
    TextOut text = {0};
    json_put(&text, complete ? list : NULL, JSON_COMPACT);
    json_t *value = text.failed ? NULL : json_string(text.at);
    text_out_release(&text);
    json_decref(list);
    return value;
}

static json_t *notes_object(const TensorNote *notes, int count) {
    json_t *object = json_object();
    bool complete = object != NULL;
    for (int i = 0; i < count && complete; i++)
        complete = json_object_set_new(object, notes[i].key,
                                       notes[i].value != NULL ? json_string(notes[i].value)
                                                              : list_text(&notes[i])) == 0;
    if (complete)
        return object;
    json_decref(object);
    return NULL;
}

/* Return a tensor's object: {"dtype": "F32", "shape": […], "data_offsets": [from, to]}. */
static json_t *tensor_object(const TensorView *tensor, size_t from) {
    json_t *shape = json_array();
    bool complete = shape != NULL;
    for (int i = 0; i < tensor->rank && complete; i++)
        complete = json_array_append_new(shape, json_integer((json_int_t)tensor->shape[i])) == 0;
    if (!complete) {
        json_decref(shape);
        return NULL;
    }
    size_t to = from + tensor_count(tensor) * sizeof(float);
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets",
                     (json_int_t)from, (json_int_t)to);
}

static json_t *header_object(const TensorView *tensors, int count, const TensorNote *notes,
                             int note_count) {
    json_t *header = json_object();
    bool complete = header != NULL && json_object_set_new(header, "__metadata__",
                                                          notes_object(notes, note_count)) == 0;
    size_t at = 0;
    for (int i = 0; i < count && complete; i++) {
        complete =
            json_object_set_new(header, tensors[i].name, tensor_object(&tensors[i], at)) == 0;
        at += tensor_count(&tensors[i]) * sizeof(float);
    }
    if (complete)
        return header;
    json_decref(header);
    return NULL;
}

static bool header_write(FileOut *out, const json_t *header, Err *err) {
    TextOut text = {0};
    json_put(&text, header, JSON_COMPACT);
    if (text.failed) {
        text_out_release(&text);
        file_abandon(out);
        return err_fail(err, "memory", "too little to write the tensors' header; close programs");
    }
    size_t size = text.used, padding = (HEADER_ALIGN - size % HEADER_ALIGN) % HEADER_ALIGN;
    unsigned char length[8];
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)((uint64_t)(size + padding) >> (8 * i));
    bool wrote = file_append(out, length, sizeof length, err) &&
                 file_append(out, text.at, size, err) && file_append(out, "        ", padding, err);
    text_out_release(&text);
    return wrote;
}

/* Write the bytes of a float32, least significant first on every machine. */
static void encode(unsigned char *bytes, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (size_t b = 0; b < 4; b++)
            bytes[4 * i + b] = (unsigned char)(bits >> (8 * b));
    }
}

static bool tensor_write(FileOut *out, const TensorView *tensor, Err *err) {
    float values[CHUNK_ENTRIES];
    unsigned char bytes[CHUNK_ENTRIES * sizeof(float)];
    size_t total = tensor_count(tensor);
    for (size_t first = 0; first < total; first += CHUNK_ENTRIES) {
        size_t count = total - first < CHUNK_ENTRIES ? total - first : CHUNK_ENTRIES;
        tensor_read(values, tensor, first, count);
        encode(bytes, values, count);
        if (!file_append(out, bytes, count * sizeof(float), err))
            return false;
    }
    return true;
}

bool safetensors_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                       int note_count, Err *err) {
    json_t *header = header_object(tensors, count, notes, note_count);
    bool wrote = header_write(out, header, err);
    json_decref(header);
    for (int i = 0; i < count && wrote; i++)
        wrote = tensor_write(out, &tensors[i], err);
    return wrote;
}
