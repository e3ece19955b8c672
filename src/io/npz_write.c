#include <string.h>

#include "base/text_out.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/tensors.h"

/* The data of an array start at a multiple of this number of bytes. */
#define ALIGN 64
#define CHUNK 2048 /* entries read at a time */
/* 1980-01-01: a fixed date, so that the same tensors give the same bytes. */
#define DOS_DATE    0x0021
#define ZIP_VERSION 20         /* version of the zip format: 2.0 */
#define ARCHIVE_MAX 0xFF000000 /* limit of bytes of all arrays, because offsets have 32 bits */

typedef struct Archive {
    FileOut *out;
    uint64_t at;
    TextOut directory;
    uint32_t count, sums[256]; /* sums: CRC-32 of each single byte */
} Archive;

static bool append(Archive *to, const TextOut *bytes, Err *err) {
    to->at += bytes->used;
    return bytes->failed
               ? err_fail(err, "memory", "too little to write an archive; close other programs")
               : file_append(to->out, bytes->at, bytes->used, err);
}

static void put(TextOut *out, size_t bytes, size_t value) {
    text_out_bytes(out, &value, bytes);
}

/* Write the fields that are both in the header of an entry and in its row of the directory. */
static void put_entry(TextOut *out, const char *name, uint32_t sum, size_t size) {
    put(out, 8, ZIP_VERSION); /* 6 zero bytes follow: no flags, no compression, time 00:00 */
    put(out, 2, DOS_DATE);
    put(out, 4, sum);
    put(out, 4, size);
    put(out, 4, size);
    /* 2 bytes for the length of the name, and 2 for extra fields: 0 */
    put(out, 4, strlen(name));
}

/* Append an array as an uncompressed entry, and free the array. */
static bool add_array(Archive *to, const char *name, TextOut *array, Err *err) {
    const char *file = PRINT("%s.npy", name);
    uint32_t sum = UINT32_MAX;
    TextOut header = {0};
    size_t at = to->at;
    for (size_t i = 0; i < array->used; i++)
        sum = sum >> 8 ^ to->sums[(sum ^ (unsigned char)array->at[i]) & 255];
    text_out(&header, "PK\3\4");
    put_entry(&header, file, ~sum, array->used);
    text_out(&header, "%s", file);
    text_out(&to->directory, "PK\1\2");
    put(&to->directory, 2, ZIP_VERSION);
    put_entry(&to->directory, file, ~sum, array->used);
    put(&to->directory, 8, 0); /* no comment, one disk, no attributes */
    put(&to->directory, 2, 0);
    put(&to->directory, 4, at);
    text_out(&to->directory, "%s", file);
    to->count++;
    bool added = append(to, &header, err) && append(to, array, err);
    text_out_release(&header);
    text_out_release(array);
    return added;
}

/* Write the header of an array file, version 1.0. Source: numpy.lib.format; see io/npy.h. */
static void put_header(TextOut *out, const char *type, const size_t *shape, int rank) {
    text_out_bytes(out, "\x93NUMPY\x01\x00\0", 10);
    text_out(out, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (int i = 0; i < rank; i++)
        text_out(out, i > 0 ? ", %zu" : "%zu", shape[i]);
    text_out(out, rank == 1 ? ",), }" : "), }");
    text_out(out, "%*s\n", (int)(-(out->used + 1) % ALIGN), "");
    uint16_t length = (uint16_t)(out->used - 10);
    if (!out->failed)
        memcpy(out->at + 8, &length, sizeof length);
}

static bool add_tensor(Archive *to, const TensorView *tensor, Err *err) {
    TextOut array = {0};
    float values[CHUNK];
    size_t total = tensor_count(tensor), count;
    put_header(&array, "<f4", tensor->shape, tensor->rank);
    for (size_t first = 0; first < total; first += count) {
        count = total - first < CHUNK ? total - first : CHUNK;
        tensor_read(values, tensor, first, count);
        text_out_bytes(&array, values, count * sizeof *values);
    }
    return add_array(to, tensor->name, &array, err);
}

/* Write the code points of a text, unless out is NULL. Return their number. */
static size_t put_points(TextOut *out, TokenLabel text) {
    size_t count = 0, length;
    for (size_t at = 0; at < text.size; at += length, count++) {
        uint32_t point = utf8_decode(text.bytes, text.size, at, &length);
        if (out != NULL)
            put(out, 4, point);
    }
    return count;
}

/* Add a list of texts as an array. Texts in NumPy have one width, which must not be 0, so all are
 * padded with zeros to the longest. */
static bool add_note(Archive *to, const TensorNote *note, Err *err) {
    TokenLabel single = {note->value, note->value != NULL ? strlen(note->value) : 0};
    const TokenLabel *texts = note->value != NULL ? &single : note->list;
    size_t count = note->value != NULL ? 1 : (size_t)note->count, width = 1;
    TextOut array = {0};
    for (size_t i = 0; i < count; i++) {
        size_t points = put_points(NULL, texts[i]);
        width = points > width ? points : width;
    }
    if (width > NPZ_TEXT_MAX / 4 / (count > 0 ? count : 1))
        return err_fail(err, note->key,
                        "texts padded to the longest, %zu characters, take more than 64 MiB in "
                        "this format; choose safetensors or json",
                        width);
    put_header(&array, PRINT("<U%zu", width), &count, note->value != NULL ? 0 : 1);
    for (size_t i = 0; i < count; i++)
        for (size_t used = put_points(&array, texts[i]); used < width; used++)
            put(&array, 4, 0);
    return add_array(to, note->key, &array, err);
}

bool npz_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
               int note_count, Err *err) {
    Archive to = {.out = out};
    size_t bytes = 0;
    bool wrote = true;
    for (uint32_t byte = 0; byte < 256; byte++) {
        to.sums[byte] = byte;
        for (int bit = 0; bit < 8; bit++)
            to.sums[byte] = to.sums[byte] >> 1 ^ (to.sums[byte] % 2 != 0 ? 0xEDB88320 : 0);
    }
    /* Write the notes first, because they can be refused and the tensors take long to write. */
    for (int i = 0; i < note_count && wrote; i++)
        wrote = add_note(&to, &notes[i], err);
    for (int i = 0; i < count; i++)
        bytes += tensor_count(&tensors[i]) * sizeof(float);
    if (wrote && to.at + bytes > ARCHIVE_MAX)
        wrote = err_fail(err, out->name,
                         "the tensors take more than 4 GB, the limit of this format; choose "
                         "safetensors");
    for (int i = 0; i < count && wrote; i++)
        wrote = add_tensor(&to, &tensors[i], err);
    size_t size = to.directory.used;
    text_out(&to.directory, "PK\5\6");
    put(&to.directory, 4, 0);
    put(&to.directory, 2, to.count);
    put(&to.directory, 2, to.count);
    put(&to.directory, 4, size);
    put(&to.directory, 4, to.at);
    put(&to.directory, 2, 0);
    wrote = wrote && append(&to, &to.directory, err);
    text_out_release(&to.directory);
    if (!wrote)
        file_abandon(out);
    return wrote;
}
