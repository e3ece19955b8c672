#include "io/npz_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "io/npy.h"

#define CHUNK       2048       /* entries read at a time */
#define DOS_DATE    0x0021     /* 1980-01-01, so that the same tensors give the same bytes */
#define ZIP_VERSION 20         /* of the format: 2.0 */
#define ARCHIVE_MAX 0xFF000000 /* most bytes of the entries, because their offsets have 32 bits */

static void put(unsigned char *at, int bytes, uint32_t value) {
    for (int b = 0; b < bytes; b++)
        at[b] = (unsigned char)(value >> (8 * b));
}

/* One array. Entries and code points take 4 bytes each. */
typedef struct ArrayIn {
    const TensorView *tensor; /* NULL for texts */
    const unsigned char *texts;
    char header[NPY_HEADER_MAX];
    size_t header_bytes, count;
} ArrayIn;

typedef struct ZipEntry {
    char file[64];
    uint32_t sum, size, at;
} ZipEntry;

typedef struct Archive {
    FileOut *out;
    uint64_t at;
    ZipEntry *entries; /* owned */
    int count;
    uint32_t sums[256]; /* CRC-32 of each byte */
} Archive;

static void fill_sums(uint32_t sums[256]) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        sums[byte] = byte;
        for (int bit = 0; bit < 8; bit++)
            sums[byte] = sums[byte] >> 1 ^ (sums[byte] % 2 != 0 ? 0xEDB88320 : 0);
    }
}

static bool append(Archive *to, const void *bytes, size_t size, Err *err) {
    to->at += size;
    return file_append(to->out, bytes, size, err);
}

/* Add bytes to *sum, or append them if sum is NULL. */
static bool add_bytes(Archive *to, const void *bytes, size_t size, uint32_t *sum, Err *err) {
    const unsigned char *at = bytes;
    if (sum == NULL)
        return append(to, bytes, size, err);
    for (size_t i = 0; i < size; i++)
        *sum = *sum >> 8 ^ to->sums[(*sum ^ at[i]) & 255];
    return true;
}

/* Add all bytes of an array to *sum, or append them if sum is NULL. */
static bool take_array(Archive *to, const ArrayIn *in, uint32_t *sum, Err *err) {
    float values[CHUNK];
    unsigned char bytes[4 * CHUNK];
    if (!add_bytes(to, in->header, in->header_bytes, sum, err))
        return false;
    if (in->tensor == NULL)
        return add_bytes(to, in->texts, 4 * in->count, sum, err);
    for (size_t first = 0, count; first < in->count; first += count) {
        count = in->count - first < CHUNK ? in->count - first : CHUNK;
        tensor_read(values, in->tensor, first, count);
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            put(bytes + 4 * i, 4, bits);
        }
        if (!add_bytes(to, bytes, 4 * count, sum, err))
            return false;
    }
    return true;
}

/* Write the fields that an entry's own header and its row of the directory have in common. */
static void put_entry(unsigned char out[26], const ZipEntry *entry) {
    memset(out, 0, 26);
    put(out, 2, ZIP_VERSION);
    put(out + 8, 2, DOS_DATE);
    put(out + 10, 4, entry->sum);
    put(out + 14, 4, entry->size);
    put(out + 18, 4, entry->size);
    put(out + 22, 2, (uint32_t)strlen(entry->file));
}

/* Append an array as an uncompressed entry. Its checksum comes first, so the bytes are read twice.
 */
static bool add_array(Archive *to, const char *name, const ArrayIn *in, Err *err) {
    ZipEntry *entry = &to->entries[to->count++];
    unsigned char header[30] = "PK\3\4";
    uint64_t size = in->header_bytes + 4 * (uint64_t)in->count;
    uint32_t sum = UINT32_MAX;
    snprintf(entry->file, sizeof entry->file, "%s.npy", name);
    if (to->at + size > ARCHIVE_MAX)
        return err_fail(err, to->out->name,
                        "the tensors take more than 4 GB, the most in this format; choose "
                        "safetensors");
    take_array(to, in, &sum, err);
    entry->sum = ~sum;
    entry->size = (uint32_t)size;
    entry->at = (uint32_t)to->at;
    put_entry(header + 4, entry);
    return append(to, header, sizeof header, err) &&
           append(to, entry->file, strlen(entry->file), err) && take_array(to, in, NULL, err);
}

/* Append the directory of the entries, which ends the archive. */
static bool add_directory(Archive *to, Err *err) {
    unsigned char end[22] = "PK\5\6";
    uint32_t from = (uint32_t)to->at;
    for (int i = 0; i < to->count; i++) {
        const ZipEntry *entry = &to->entries[i];
        unsigned char row[46] = "PK\1\2";
        put(row + 4, 2, ZIP_VERSION);
        put_entry(row + 6, entry);
        put(row + 42, 4, entry->at);
        if (!append(to, row, sizeof row, err) || !append(to, entry->file, strlen(entry->file), err))
            return false;
    }
    put(end + 8, 2, (uint32_t)to->count);
    put(end + 10, 2, (uint32_t)to->count);
    put(end + 12, 4, (uint32_t)to->at - from);
    put(end + 16, 4, from);
    return append(to, end, sizeof end, err);
}

static bool memory_fail(Err *err) {
    return err_fail(err, "memory", "too little to write an archive; close other programs");
}

static bool add_tensor(Archive *to, const TensorView *tensor, Err *err) {
    ArrayIn in = {.tensor = tensor, .count = tensor_count(tensor)};
    in.header_bytes = npy_write_header(in.header, "<f4", tensor->shape, tensor->rank);
    return add_array(to, tensor->name, &in, err);
}

/* Write the code points of a text, unless out is NULL. Return their number. */
static size_t put_points(unsigned char *out, TokenLabel text) {
    size_t count = 0, length;
    for (size_t at = 0; at < text.size; at += length, count++) {
        uint32_t point = utf8_decode(text.bytes, text.size, at, &length);
        if (out != NULL)
            put(out + 4 * count, 4, point);
    }
    return count;
}

/* Write texts. All are padded with zeros to the longest, because NumPy's texts have one width,
 * which is not 0. */
static bool add_note(Archive *to, const TensorNote *note, Err *err) {
    TokenLabel single = {note->value, note->value != NULL ? strlen(note->value) : 0};
    const TokenLabel *texts = note->value != NULL ? &single : note->list;
    size_t count = note->value != NULL ? 1 : (size_t)note->count, width = 1;
    char description[32];
    for (size_t i = 0; i < count; i++) {
        size_t points = put_points(NULL, texts[i]);
        width = points > width ? points : width;
    }
    if (width > NPZ_TEXT_MAX / 4 / (count > 0 ? count : 1))
        return err_fail(err, note->key,
                        "all padded to the longest, of %zu characters, take more than 64 MiB in "
                        "this format; choose safetensors or json",
                        width);
    ArrayIn in = {.count = count * width};
    snprintf(description, sizeof description, "<U%zu", width);
    in.header_bytes = npy_write_header(in.header, description, &count, note->value != NULL ? 0 : 1);
    unsigned char *points = heap_get_zero(in.count + 1, 4);
    for (size_t i = 0; points != NULL && i < count; i++)
        put_points(points + i * width * 4, texts[i]);
    in.texts = points;
    bool added = points != NULL ? add_array(to, note->key, &in, err) : memory_fail(err);
    free(points);
    return added;
}

static bool add_all(Archive *to, const TensorView *tensors, int count, const TensorNote *notes,
                    int note_count, Err *err) {
    for (int i = 0; i < count; i++)
        if (!add_tensor(to, &tensors[i], err))
            return false;
    for (int i = 0; i < note_count; i++)
        if (!add_note(to, &notes[i], err))
            return false;
    return add_directory(to, err);
}

bool npz_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
               int note_count, Err *err) {
    Archive to = {.out = out};
    fill_sums(to.sums);
    to.entries = heap_get_zero((size_t)count + (size_t)note_count + 1, sizeof *to.entries);
    bool wrote = to.entries != NULL ? add_all(&to, tensors, count, notes, note_count, err)
                                    : memory_fail(err);
    free(to.entries);
    if (!wrote)
        file_abandon(out);
    return wrote;
}
