#include "io/npz_write.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/utf8.h"
#include "io/npy.h"
#include "io/zip_write.h"

#define CHUNK 8192 /* entries, or code points, at a time */

/* Where the bytes of an entry go: into the file, or first into its CRC-32 alone. */
typedef struct Sink {
    FileOut *out; /* NULL to sum */
    uint32_t sum;
    uint64_t size;
} Sink;

static bool sink_take(Sink *sink, const void *bytes, size_t size, Err *err) {
    sink->size += size;
    if (sink->out != NULL)
        return file_append(sink->out, bytes, size, err);
    sink->sum = (uint32_t)crc32_z(sink->sum, bytes, size);
    return true;
}

static void put_32(unsigned char *at, uint32_t value) {
    for (int b = 0; b < 4; b++)
        at[b] = (unsigned char)(value >> (8 * b));
}

static bool tensor_take(Sink *sink, const void *context, Err *err) {
    const TensorView *tensor = context;
    char header[NPY_HEADER_MAX];
    float values[CHUNK];
    unsigned char bytes[CHUNK * 4];
    size_t size = npy_write_header(header, "<f4", tensor->shape, tensor->rank);
    size_t total = tensor_count(tensor);
    if (!sink_take(sink, header, size, err))
        return false;
    for (size_t first = 0; first < total; first += CHUNK) {
        size_t count = total - first < CHUNK ? total - first : CHUNK;
        tensor_read(values, tensor, first, count);
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            put_32(bytes + 4 * i, bits);
        }
        if (!sink_take(sink, bytes, count * 4, err))
            return false;
    }
    return true;
}

static size_t code_points(TokenLabel text) {
    size_t count = 0, length;
    for (size_t at = 0; at < text.size; at += length, count++)
        utf8_decode(text.bytes, text.size, at, &length);
    return count;
}

/* The code points of a text, then zeros up to width. */
static bool text_take(Sink *sink, TokenLabel text, size_t width, Err *err) {
    unsigned char bytes[CHUNK * 4];
    size_t at = 0, length;
    for (size_t done = 0; done < width;) {
        size_t count = 0;
        for (; count < CHUNK && done + count < width; count++) {
            uint32_t point = 0;
            if (at < text.size) {
                point = utf8_decode(text.bytes, text.size, at, &length);
                at += length;
            }
            put_32(bytes + 4 * count, point);
        }
        if (!sink_take(sink, bytes, count * 4, err))
            return false;
        done += count;
    }
    return true;
}

/* A note's texts; NumPy has no text of width 0. */
static bool note_take(Sink *sink, const void *context, Err *err) {
    const TensorNote *note = context;
    TokenLabel single = {note->value, note->value != NULL ? strlen(note->value) : 0};
    const TokenLabel *texts = note->value != NULL ? &single : note->list;
    size_t count = note->value != NULL ? 1 : (size_t)note->count, width = 1;
    char header[NPY_HEADER_MAX], description[32];
    for (size_t i = 0; i < count; i++)
        width = code_points(texts[i]) > width ? code_points(texts[i]) : width;
    if (width > NPZ_TEXT_MAX / 4 / (count > 0 ? count : 1))
        return err_fail(err, note->key,
                        "all padded to the longest, of %zu characters, take more than 64 MiB in "
                        "this format; choose safetensors or json",
                        width);
    snprintf(description, sizeof description, "<U%zu", width);
    size_t size = npy_write_header(header, description, &count, note->value != NULL ? 0 : 1);
    if (!sink_take(sink, header, size, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!text_take(sink, texts[i], width, err))
            return false;
    return true;
}

/* Once for the sum, which stands before the data, and once for the data. */
static bool put_entry(ZipOut *zip, const char *name,
                      bool (*take)(Sink *sink, const void *context, Err *err), const void *context,
                      Err *err) {
    char file[ZIP_NAME_MAX];
    Sink sum = {0}, data = {.out = zip->out};
    snprintf(file, sizeof file, "%s.npy", name);
    if (take(&sum, context, err))
        return zip_begin_entry(zip, file, sum.size, sum.sum, err) && take(&data, context, err);
    file_abandon(zip->out);
    return false;
}

bool npz_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
               int note_count, Err *err) {
    ZipOut zip = {.out = out};
    for (int i = 0; i < count; i++)
        if (!put_entry(&zip, tensors[i].name, tensor_take, &tensors[i], err))
            return false;
    for (int i = 0; i < note_count; i++)
        if (!put_entry(&zip, notes[i].key, note_take, &notes[i], err))
            return false;
    return zip_end(&zip, err);
}
