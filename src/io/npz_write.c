#include "io/npz_write.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "io/npy.h"

#define CHUNK    2048   /* entries read at a time */
#define DOS_DATE 0x0021 /* 1980-01-01, so that the same tensors give the same bytes */

static void put_32(unsigned char *at, uint32_t value) {
    for (int b = 0; b < 4; b++)
        at[b] = (unsigned char)(value >> (8 * b));
}

/* The archive that libzip writes, in order; only the header of each entry is written again after
 * its data. */
typedef struct Archive {
    FileOut *out;
    uint64_t at;
    Err *err;
    bool has_failed; /* out was discarded */
    zip_error_t error;
} Archive;

static zip_int64_t archive_write(Archive *to, const void *bytes, zip_uint64_t size) {
    to->has_failed = to->has_failed || !file_append(to->out, bytes, (size_t)size, to->err);
    to->at += size;
    return to->has_failed ? -1 : (zip_int64_t)size;
}

static zip_int64_t archive_seek(Archive *to, void *arguments, zip_uint64_t size) {
    zip_int64_t at = zip_source_seek_compute_offset(to->at, INT64_MAX, arguments, size, &to->error);
    assert(at >= 0);
    to->has_failed = to->has_failed || !file_seek(to->out, (uint64_t)at, to->err);
    to->at = (uint64_t)at;
    return to->has_failed ? -1 : 0;
}

static zip_int64_t archive_do(void *context, void *data, zip_uint64_t size,
                              zip_source_cmd_t command) {
    Archive *to = context;
    if (command == ZIP_SOURCE_SUPPORTS)
        return ZIP_SOURCE_SUPPORTS_WRITABLE;
    if (command == ZIP_SOURCE_WRITE)
        return archive_write(to, data, size);
    if (command == ZIP_SOURCE_SEEK_WRITE)
        return archive_seek(to, data, size);
    if (command == ZIP_SOURCE_TELL_WRITE)
        return (zip_int64_t)to->at;
    if (command == ZIP_SOURCE_ERROR)
        return zip_error_to_data(&to->error, data, size);
    if (command == ZIP_SOURCE_STAT)
        zip_stat_init(data);
    return command == ZIP_SOURCE_STAT ? (zip_int64_t)sizeof(zip_stat_t) : 0;
}

/* The source of one array, which libzip reads from its header on. Entries and code points take 4
 * bytes each. */
typedef struct ArrayIn {
    const TensorView *tensor; /* NULL for texts */
    unsigned char *texts;     /* owned */
    char header[NPY_HEADER_MAX];
    size_t header_bytes, count;
    bool had_header;
    size_t next;
} ArrayIn;

static zip_int64_t array_take(ArrayIn *in, unsigned char *out, zip_uint64_t size) {
    float values[CHUNK];
    if (!in->had_header) {
        assert(size >= in->header_bytes);
        memcpy(out, in->header, in->header_bytes);
        in->had_header = true;
        return (zip_int64_t)in->header_bytes;
    }
    size_t count = size / 4 < CHUNK ? (size_t)size / 4 : CHUNK;
    count = in->count - in->next < count ? in->count - in->next : count;
    if (in->tensor == NULL)
        memcpy(out, in->texts + 4 * in->next, 4 * count);
    else
        tensor_read(values, in->tensor, in->next, count);
    for (size_t i = 0; in->tensor != NULL && i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_32(out + 4 * i, bits);
    }
    in->next += count;
    return (zip_int64_t)(4 * count);
}

static void array_free(ArrayIn *in) {
    free(in->texts);
    free(in);
}

static zip_int64_t array_do(void *context, void *data, zip_uint64_t size,
                            zip_source_cmd_t command) {
    ArrayIn *in = context;
    if (command == ZIP_SOURCE_SUPPORTS)
        return ZIP_SOURCE_SUPPORTS_READABLE;
    if (command == ZIP_SOURCE_READ)
        return array_take(in, data, size);
    if (command == ZIP_SOURCE_FREE)
        array_free(in);
    if (command != ZIP_SOURCE_STAT)
        return 0;
    zip_stat_t *stat = data;
    zip_stat_init(stat);
    stat->size = in->header_bytes + 4 * in->count;
    stat->valid = ZIP_STAT_SIZE;
    return sizeof *stat;
}

static bool memory_fail(Err *err) {
    return err_fail(err, "memory", "too little to write an archive; close other programs");
}

/* Add an array as an uncompressed entry. The entry owns in. */
static bool add_array(zip_t *zip, const char *name, ArrayIn *in, Err *err) {
    char file[64];
    snprintf(file, sizeof file, "%s.npy", name);
    zip_source_t *source = zip_source_function(zip, array_do, in);
    if (source == NULL)
        array_free(in);
    zip_int64_t entry = source != NULL ? zip_file_add(zip, file, source, 0) : -1;
    if (entry < 0)
        zip_source_free(source);
    bool is_set = entry >= 0 &&
                  zip_set_file_compression(zip, (zip_uint64_t)entry, ZIP_CM_STORE, 0) == 0 &&
                  zip_file_set_dostime(zip, (zip_uint64_t)entry, 0, DOS_DATE, 0) == 0;
    return is_set || memory_fail(err);
}

static bool add_tensor(zip_t *zip, const TensorView *tensor, Err *err) {
    ArrayIn *in = heap_get_zero(1, sizeof *in);
    if (in == NULL)
        return memory_fail(err);
    in->tensor = tensor;
    in->count = tensor_count(tensor);
    in->header_bytes = npy_write_header(in->header, "<f4", tensor->shape, tensor->rank);
    return add_array(zip, tensor->name, in, err);
}

/* Write the code points of a text, if out is not NULL. Return how many there are. */
static size_t put_points(unsigned char *out, TokenLabel text) {
    size_t count = 0, length;
    for (size_t at = 0; at < text.size; at += length, count++) {
        uint32_t point = utf8_decode(text.bytes, text.size, at, &length);
        if (out != NULL)
            put_32(out + 4 * count, point);
    }
    return count;
}

/* Write texts. All are padded with zeros to the longest, because NumPy's texts have one width,
 * which is not 0. */
static bool add_note(zip_t *zip, const TensorNote *note, Err *err) {
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
    ArrayIn *in = heap_get_zero(1, sizeof *in);
    if (in == NULL)
        return memory_fail(err);
    snprintf(description, sizeof description, "<U%zu", width);
    in->header_bytes =
        npy_write_header(in->header, description, &count, note->value != NULL ? 0 : 1);
    in->count = count * width;
    in->texts = heap_get_zero(in->count + 1, 4);
    for (size_t i = 0; in->texts != NULL && i < count; i++)
        put_points(in->texts + i * width * 4, texts[i]);
    if (in->texts != NULL)
        return add_array(zip, note->key, in, err);
    array_free(in);
    return memory_fail(err);
}

/* zip_close writes everything, including the archive's end. */
static bool write_archive(zip_t *zip, const TensorView *tensors, int count, const TensorNote *notes,
                          int note_count, const Archive *to, Err *err) {
    for (int i = 0; i < count; i++)
        if (!add_tensor(zip, &tensors[i], err))
            return false;
    for (int i = 0; i < note_count; i++)
        if (!add_note(zip, &notes[i], err))
            return false;
    if (zip_close(zip) == 0)
        return true;
    return to->has_failed ? false : memory_fail(err);
}

bool npz_write(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
               int note_count, Err *err) {
    Archive to = {.out = out, .err = err};
    zip_error_init(&to.error);
    zip_source_t *source = zip_source_function_create(archive_do, &to, NULL);
    zip_t *zip = source != NULL ? zip_open_from_source(source, ZIP_TRUNCATE, NULL) : NULL;
    if (zip == NULL)
        zip_source_free(source);
    bool wrote = zip != NULL ? write_archive(zip, tensors, count, notes, note_count, &to, err)
                             : memory_fail(err);
    if (!wrote && zip != NULL)
        zip_discard(zip);
    if (!wrote && !to.has_failed)
        file_abandon(out);
    zip_error_fini(&to.error);
    return wrote;
}
